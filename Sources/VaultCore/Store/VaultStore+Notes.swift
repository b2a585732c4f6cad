// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
public import VaultFormat

/// Writing notes. Each call is one durable transaction: when it returns, the change survives a power cut.
extension VaultStore {
    /// Saves a new note.
    ///
    /// - Throws: `VaultError.empty`, `.tooLarge`, `.readOnly`, `.saveFailed`.
    public func create(_ draft: NoteDraft) throws(VaultError) -> NoteSummary {
        guard !draft.body.isEmpty || draft.title != nil else { throw VaultError(.empty) }
        let record = try newRecord(draft)
        return try write { database in
            try self.apply(database, record, .create, replacing: nil)
            return try self.summary(database, of: record.noteID)
        }
    }

    /// Saves another text of a note as its new head.
    ///
    /// - Throws: `VaultError.notFound`, `.empty`, `.tooLarge`, `.readOnly`, `.saveFailed`.
    public func edit(_ id: NoteID, _ change: (inout NoteRecord) -> Void) throws(VaultError) -> NoteSummary {
        try write { database in
            let (head, old) = try self.head(database, of: id)
            var record = old
            change(&record)
            guard !record.body.isEmpty || record.title != nil else { throw VaultError(.empty) }
            if record != old {
                record.modified = max(Machine.now, old.modified)
                try self.apply(database, record, .edit, replacing: (head, old))
            }
            return try self.summary(database, of: id)
        }
    }

    /// Moves a note to the trash, or back. Doing it twice changes nothing.
    ///
    /// - Throws: `VaultError.notFound`, `.readOnly`, `.saveFailed`.
    public func setTrashed(_ id: NoteID, _ trashed: Bool) throws(VaultError) -> NoteSummary {
        try write { database in
            let (head, old) = try self.head(database, of: id)
            var record = old
            if trashed { record.flags.insert(.trashed) } else { record.flags.remove(.trashed) }
            if record != old { try self.apply(database, record, trashed ? .trash : .restore, replacing: (head, old)) }
            return try self.summary(database, of: id)
        }
    }

    /// Removes up to `limit` notes of the trash with all of their revisions; the chain keeps that they were.
    ///
    /// - Returns: how many were removed; fewer than `limit` when the trash is empty.
    public func purgeTrash(limit: Int) throws(VaultError) -> Int {
        try write { database in
            let ids = try Row.fetchAll(database, sql: "SELECT id FROM note WHERE trashed = 1 LIMIT ?", arguments: [limit])
                .map { try NoteID(try $0.bytes("id")) }
            for id in ids { try self.purge(database, id) }
            return ids.count
        }
    }

    private func purge(_ database: Database, _ id: NoteID) throws {
        let (head, _) = try head(database, of: id)
        let purged = try RevisionID(SecureRandom.bytes(RevisionID.byteCount))
        var state = try IndexState.fetch(database)
        try append(database, &state, .purge, note: id, revision: purged, parents: [head])
        state.trashed -= 1
        try state.save(database)
        try database.cachedStatement("DELETE FROM revision WHERE note = ?").execute(arguments: [id.bytes.blob])
        try database.cachedStatement("DELETE FROM noteTag WHERE note = ?").execute(arguments: [id.bytes.blob])
        try database.cachedStatement("DELETE FROM note WHERE id = ?").execute(arguments: [id.bytes.blob])
    }

    func newRecord(_ draft: NoteDraft) throws(VaultError) -> NoteRecord {
        guard let bytes = try? SecureRandom.bytes(NoteID.byteCount), let id = try? NoteID(bytes) else {
            throw VaultError(.selfTestFailed)
        }
        let now = Machine.now
        let created = draft.created ?? draft.modified ?? now
        var record = NoteRecord(noteID: id, created: created, modified: draft.modified ?? now, body: draft.body)
        record.title = draft.title
        record.tags = draft.tags
        record.notebook = draft.notebook
        record.source = draft.source
        return record
    }
}
