// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Paths within an export: relative, and never out of it.
enum ExportPath {
    static let partByteCountMax = 255
    static let depthMax = 64

    /// - Throws: `ExportError.badPath`.
    static func check(_ path: [String]) throws(ExportError) {
        guard (1...depthMax).contains(path.count) else { throw ExportError(.badPath) }
        for part in path {
            guard (1...partByteCountMax).contains(part.utf8.count), part != ".", part != "..",
                part.utf8.allSatisfy({ $0 != 0 && $0 != UInt8(ascii: "/") })
            else { throw ExportError(.badPath) }
        }
    }
}
