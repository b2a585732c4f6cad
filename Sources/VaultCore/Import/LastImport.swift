// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// These functions tell what the last import here made of a note.
extension IndexAccess {
    /// Returns whether the source has a note just as the last import here took it over. Once that is too long ago to be
    /// undone it is not known, and what the source has counts.
    func isAsImported(
        _ note: ImportedNote, _ id: NoteID, _ files: ImportedFiles, _ imports: [ClosedRange<Int64>]
    ) throws -> Bool {
        guard !imports.isEmpty else { return false }
        let entries = try Row.fetchCursor(
            database.cachedStatement(
                """
                SELECT sequence, bytes FROM entry WHERE device = ? AND substr(bytes, 28, 10) = ?
                ORDER BY sequence DESC
                """), arguments: [device.blob, id.bytes.blob])
        while let row = try entries.next() {
            let sequence = try row.integer("sequence")
            guard imports.contains(where: { $0.contains(sequence) }) else { continue }
            let revision = try Entry(parsing: row.bytes("bytes")).revisionID
            guard var base = try? self.record(revision, of: id) else { return false }
            base.attachments = files.ids
            return try written(note, over: base, files) == base
        }
        return false
    }

    /// Returns which entries of this device imports have made, as far as they can be undone.
    func importedEntries() throws -> [ClosedRange<Int64>] {
        let rows = try database.cachedStatement(
            "SELECT first, last FROM change WHERE kind = ? AND id < ? ORDER BY first")
        let found = try Row.fetchAll(rows, arguments: [ChangeKind.import.rawValue, History.undoneFrom])
        return try found.reduce(into: []) { ranges, row in
            let (first, last) = (try row.integer("first"), try row.integer("last"))
            // One import makes many that lie beside each other.
            if let before = ranges.last, before.upperBound + 1 >= first {
                ranges[ranges.count - 1] = before.lowerBound...max(before.upperBound, last)
            } else if first <= last {
                ranges.append(first...last)
            }
        }
    }

    /// Returns a note as one of its revisions has it.
    private func record(_ revision: RevisionID, of id: NoteID) throws -> NoteRecord {
        let statement = try database.cachedStatement("SELECT sealed FROM revision WHERE id = ? AND note = ?")
        guard let row = try statement.row([revision.bytes.blob, id.bytes.blob]) else { throw VaultError(.noRevision) }
        return try records.open(try row.bytes("sealed"), note: id, revision: revision, isPrivate: isPrivate(id))
    }
}
