// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// One file whose first piece has been looked at and is given again.
final class PeekedSource: EntrySource {
    let first: [UInt8]
    private let source: any EntrySource
    private var isFirst = true

    init(_ source: any EntrySource) throws(ImportFailure) {
        self.source = source
        first = try source.readPiece()
    }

    var isCutShort: Bool { source.isCutShort }

    func nextEntry() throws(ImportFailure) -> SourceEntry? { nil }

    func readPiece() throws(ImportFailure) -> [UInt8] {
        if isFirst {
            isFirst = false
            return first
        }
        return try source.readPiece()
    }

    func rewind() throws(ImportFailure) { isFirst = true }
}
