// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A start tag.
struct XMLElement {
    static let attributeCountMax = 256

    /// With its prefix, as written.
    let name: String
    let attributes: [String: [UInt8]]
    /// Written as `<name/>`.
    let isEmpty: Bool

    func text(_ attribute: String) -> String? { attributes[attribute].map { String(decoding: $0, as: UTF8.self) } }
}

enum XMLToken {
    case start(XMLElement)
    case end
    /// An `<?xml-stylesheet …?>`; other instructions mean nothing here.
    case styleSheet
}
