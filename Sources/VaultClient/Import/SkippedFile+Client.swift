// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

extension SkippedFile {
    /// A path's bytes made visible. Escaping makes one byte six at most, so the result is within the protocol's limit.
    init(bytes path: [UInt8], reason: Reason) {
        let shown = VisibleText.escaped(path: Array(path.prefix(2048)))
        self.init(path: path.count > 2048 ? shown + "…" : shown, reason: reason)
    }
}
