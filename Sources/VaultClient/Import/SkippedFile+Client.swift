// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol

extension SkippedFile {
    /// A path's bytes made visible. Escaping makes one byte six at most, so the result is within the protocol's limit.
    init(bytes path: [UInt8], reason: Reason) {
        let shown = VisibleText.escaped(path: Array(path.prefix(2048)))
        self.init(path: path.count > 2048 ? shown + "…" : shown, reason: reason)
    }

    /// As many as fit into one request; a person has been told all of them.
    static func fitting(_ files: [SkippedFile]) -> [SkippedFile] {
        var byteCount = 0
        return Array(
            files.prefix { file in
                byteCount += 5 + file.path.utf8.count
                return byteCount <= 8 << 20
            })
    }
}
