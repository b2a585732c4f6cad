// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// The lines of a file without their ends; one of more than 16 MiB comes in parts.
struct LineStream {
    private let source: any EntrySource
    private var piece: [UInt8] = []
    private var at = 0
    private var isAtEnd = false

    init(_ source: any EntrySource) { self.source = source }

    mutating func next() throws(ImportFailure) -> [UInt8]? {
        guard !isAtEnd else { return nil }
        var line: [UInt8] = []
        while line.count < ParsedNote.bodyByteCountMax {
            if at == piece.count {
                piece = try source.readPiece()
                at = 0
                if piece.isEmpty {
                    isAtEnd = true
                    return line.isEmpty ? nil : line
                }
            }
            let end = piece[at...].firstIndex(of: UInt8(ascii: "\n")) ?? piece.count
            line += piece[at..<end]
            at = min(end + 1, piece.count)
            if end < piece.count {
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                return line
            }
        }
        return line
    }
}
