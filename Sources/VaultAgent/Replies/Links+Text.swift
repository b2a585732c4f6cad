// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TextReading

extension LinkList.Link {
    init(_ link: DetectedLink) {
        self.init()
        (kind, target, label) = (Kind(link.kind), link.target, link.label)
    }
}

extension LinkList.Link.Kind {
    fileprivate init(_ kind: DetectedLink.Kind) {
        switch kind {
        case .url: self = .url
        case .email: self = .email
        case .phone: self = .phone
        case .date: self = .date
        case .note: self = .note
        }
    }
}
