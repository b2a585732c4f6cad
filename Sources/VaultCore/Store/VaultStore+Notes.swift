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
    public func create(_ draft: NoteDraft, _ kind: ChangeKind = .new) throws(VaultError) -> NoteSummary {
        guard !draft.body.isEmpty || draft.title != nil else { throw VaultError(.empty) }
        let record = try newRecord(draft)
        return try change(kind) { database in
            try self.apply(database, record, .create, replacing: nil)
            return try self.summary(database, of: record.noteID)
        }
    }

    /// Saves another text of a note as its new head.
    ///
    /// - Throws: `VaultError.notFound`, `.empty`, `.tooLarge`, `.readOnly`, `.saveFailed`.
    public func edit(_ id: NoteID, _ kind: ChangeKind = .edit, _ body: (inout NoteRecord) -> Void) throws(VaultError) -> NoteSummary {
        try change(kind) { database in
            let head = try self.head(database, of: id)
            var record = head.record
            body(&record)
            try self.saveEdited(database, record, over: (head.revision, head.record))
            return try self.summary(database, of: id)
        }
    }

    /// - Parameter keepsEmpty: whether a note may be left without text, title and attachments.
    func saveEdited(
        _ database: Database, _ edited: NoteRecord, over head: Head, parents: [RevisionID]? = nil, keepsEmpty: Bool = false
    ) throws {
        var record = edited
        guard keepsEmpty || !record.isEmpty else { throw VaultError(.empty) }
        guard record != head.record || parents != nil else { return }
        record.modified = max(Machine.now, head.record.modified)
        try apply(database, record, .edit, replacing: head, parents: parents)
    }

    /// Changes fields of some notes. What is so already is not written again.
    ///
    /// - Parameter group: the command that it belongs to, when there are more transactions of it.
    /// - Throws: `VaultError.notFound`, `.tooLarge`, `.readOnly`, `.saveFailed`; then nothing is changed.
    public func modify(_ ids: [NoteID], _ changed: NoteChange, _ group: ChangeGroup) throws(VaultError) -> [NoteSummary] {
        try change(group) { database in
            try ids.map { id in
                if try self.modifyLocked(database, id, changed) { return try self.summary(database, of: id) }
                let (head, old) = try self.head(database, of: id)
                var record = old
                changed.apply(to: &record)
                if record != old {
                    guard !record.isEmpty || old.isEmpty else { throw VaultError(.empty) }
                    if changed.isModification { record.modified = max(Machine.now, old.modified) }
                    try self.apply(database, record, changed.operation, replacing: (head, old))
                }
                return try self.summary(database, of: id)
            }
        }
    }

    /// Moves a note to the trash, or back. Doing it twice changes nothing.
    ///
    /// - Throws: `VaultError.notFound`, `.readOnly`, `.saveFailed`.
    public func setTrashed(_ id: NoteID, _ trashed: Bool) throws(VaultError) -> NoteSummary {
        guard let note = try modify([id], .trashed(trashed), ChangeGroup(trashed ? .rm : .restore)).first else { throw VaultError(.notFound) }
        return note
    }

    /// Removes up to `limit` notes of the trash with all of their revisions; the chain keeps that they were.
    ///
    /// - Returns: how many were removed; fewer than `limit` when the trash is empty.
    public func purgeTrash(limit: Int) throws(VaultError) -> Int {
        try write { database in
            let ids = try Row.fetchAll(database, sql: Self.purgeableSQL, arguments: [limit])
                .map { try NoteID(try $0.bytes("id")) }
            for id in ids { try self.purge(database, id) }
            return ids.count
        }
    }

    /// A private note whose edit is not finished stays: with its key the edit's text would be lost.
    private static let purgeableSQL = """
        SELECT id FROM note WHERE place = 1 AND NOT EXISTS (
          SELECT 1 FROM draft JOIN noteKey ON noteKey.note = draft.note WHERE draft.note = note.id AND draft.discarded IS NULL) LIMIT ?
        """

    private func purge(_ database: Database, _ id: NoteID) throws {
        let head = try headID(database, of: id)
        let purged = try RevisionID(SecureRandom.bytes(RevisionID.byteCount))
        let heads = [head] + (try otherHeadIDs(database, of: id))
        var state = try IndexState.fetch(database)
        try append(database, &state, .purge, note: id, revision: purged, parents: Array(heads.prefix(Self.headCountMax)))
        try removeProjection(database, &state, try projected(database, id, head))
        try state.save(database)
        try database.cachedStatement("DELETE FROM noteKey WHERE note = ?").execute(arguments: [id.bytes.blob])
        try removeAttachments(database, of: id)
        try database.cachedStatement("DELETE FROM otherHead WHERE note = ?").execute(arguments: [id.bytes.blob])
        try database.cachedStatement("DELETE FROM revision WHERE note = ?").execute(arguments: [id.bytes.blob])
    }

    /// An identifier that no note has.
    public func newNoteID() throws(VaultError) -> NoteID { try Self.mapErrors { try NoteID(SecureRandom.bytes(NoteID.byteCount)) } }

    func newRecord(_ draft: NoteDraft) throws(VaultError) -> NoteRecord {
        let id = try newNoteID()
        let now = Machine.now
        let created = draft.created ?? draft.modified ?? now
        var record = NoteRecord(noteID: id, created: created, modified: draft.modified ?? now, body: draft.body)
        record.title = draft.title
        record.tags = NoteNames.tags(draft.tags)
        record.notebook = NoteNames.notebook(draft.notebook)
        record.source = draft.source
        record.flags.set(.template, draft.isTemplate)
        return record
    }
}
