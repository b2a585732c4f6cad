// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// An archive that may break off: the files before the break are given all the same, and the break is told at the end.
final class CutSource: EntrySource {
    private let source: any EntrySource
    private var last: [UInt8] = []
    /// Where it broke off.
    private(set) var fault: ImportFailure?

    init(_ source: any EntrySource) { self.source = source }

    var isCutShort: Bool { source.isCutShort }

    func nextEntry() throws(ImportFailure) -> SourceEntry? {
        do throws(ImportFailure) {
            let entry = try source.nextEntry()
            if let entry { last = entry.path }
            return entry
        } catch {
            // Before its first file it is no archive at all.
            guard error.reason == .malformedContainer, !last.isEmpty else { throw error }
            fault = ImportFailure(error.reason, path: Array("after ".utf8) + last)
            return nil
        }
    }

    func readPiece() throws(ImportFailure) -> [UInt8] { try source.readPiece() }

    func rewind() throws(ImportFailure) {
        last = []
        try source.rewind()
    }
}
