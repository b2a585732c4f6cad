// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
public import VaultFormat

/// `Notes` writes notes. Each call is one durable transaction: when it returns, the change survives a power cut.
public struct Notes {
    let vault: OpenVault

    /// Saves a new note.
    ///
    /// - Throws: `VaultError.empty`, `.tooLarge`, `.readOnly`, `.saveFailed`.
    public func create(_ draft: NoteDraft, _ kind: ChangeKind = .new) throws(VaultError) -> NoteSummary {
        guard !draft.body.isEmpty || draft.title != nil else { throw VaultError(.empty) }
        var record = try NoteRecord(draft)
        if vault.readsTags { record.readTags() }
        return try vault.change(kind) { transaction in
            record.bookPlace = try draft.place.map { try transaction.newPlace($0) }
            try transaction.apply(record, .create, replacing: nil)
            return try transaction.summary(of: record.noteID)
        }
    }

    /// Saves another text of a note as its new head.
    ///
    /// - Throws: `VaultError.notFound`, `.empty`, `.tooLarge`, `.readOnly`, `.saveFailed`.
    public func edit(_ id: NoteID, _ kind: ChangeKind = .edit, _ body: (inout NoteRecord) -> Void) throws(VaultError)
        -> NoteSummary
    {
        try vault.history.naming(id) { () throws(VaultError) in
            try vault.change(kind) { transaction in
                let head = try transaction.head(of: id)
                var record = head.record
                body(&record)
                if vault.readsTags { record.readTags(before: head.record.body) }
                try transaction.saveEdited(record, over: (head.revision, head.record))
                return try transaction.summary(of: id)
            }
        }
    }

    /// Changes fields of some notes. A value that is already set is not written again.
    ///
    /// - Parameter group: the command that it belongs to, when there are more transactions of it.
    /// - Throws: `VaultError.notFound`, `.tooLarge`, `.readOnly`, `.saveFailed`; then nothing is changed.
    public func modify(_ ids: [NoteID], _ changed: NoteChange, _ group: ChangeGroup) throws(VaultError) -> [NoteSummary]
    {
        do throws(VaultError) { return try modify(ids, changed, group, standIns: [:]) } catch {
            guard error.isDamageOfPages else { throw error }
            let standIns = try standIns(for: ids)
            guard let first = ids.first(where: { standIns[$0] != nil }) else { throw error }
            // Thrown away, and taken back from there; every other change wants the text.
            guard case .flag(.trashed, _) = changed else {
                return try vault.history.naming(first) { () throws(VaultError) in throw error }
            }
            return try modify(ids, changed, group, standIns: standIns)
        }
    }

    /// Changes fields of some notes, for `modify` above.
    ///
    /// - Parameter standIns: of the notes whose text does not open.
    private func modify(
        _ ids: [NoteID], _ changed: NoteChange, _ group: ChangeGroup, standIns: [NoteID: NoteRecord]
    ) throws(VaultError) -> [NoteSummary] {
        try vault.change(group) { transaction in
            try ids.map { id in
                if var record = standIns[id] {
                    changed.apply(to: &record)
                    try transaction.replaceDamaged(record, changed.operation)
                    return try transaction.summary(of: id)
                }
                if try transaction.modifyLocked(id, changed) { return try transaction.summary(of: id) }
                let (head, old) = try transaction.head(of: id)
                var record = old
                changed.apply(to: &record)
                // Its shelf says where a book is.
                if old.book != nil, case .flag(.archived, _) = changed { throw VaultError(.isBook) }
                if record != old {
                    guard !record.isEmpty || old.isEmpty else { throw VaultError(.empty) }
                    // Without one a book could not be found by what a person calls it.
                    guard old.book == nil || record.title?.isEmpty == false || record.title == old.title else {
                        throw VaultError(.empty)
                    }
                    if changed.isModification { record.modified = max(Machine.now, old.modified) }
                    try transaction.apply(record, changed.operation, replacing: (head, old))
                }
                return try transaction.summary(of: id)
            }
        }
    }

    /// Moves a note to the trash, or back. Doing it twice changes nothing.
    ///
    /// - Throws: `VaultError.notFound`, `.readOnly`, `.saveFailed`.
    public func setTrashed(_ id: NoteID, _ trashed: Bool) throws(VaultError) -> NoteSummary {
        guard let note = try modify([id], .flag(.trashed, trashed), ChangeGroup(trashed ? .rm : .restore)).first else {
            throw VaultError(.notFound)
        }
        return note
    }

    /// Removes up to `limit` notes of the trash with all of their revisions; the chain keeps that they were.
    ///
    /// - Returns: how many were removed; fewer than `limit` when the trash is empty.
    public func purgeTrash(limit: Int) throws(VaultError) -> Int {
        let ids = try vault.read { index in
            try Row.fetchAll(index.database, sql: Self.purgeableSQL, arguments: [limit])
                .map { try NoteID(try $0.bytes("id")) }
        }
        do throws(VaultError) {
            return try vault.write { transaction in
                let named = try transaction.namedElsewhere(of: ids)
                for id in ids { try transaction.purge(id, named: named) }
                return ids.count
            }
        } catch {
            guard error.isDamageOfPages else { throw error }
            return try purgeOneByOne(ids)
        }
    }

    /// Selects the notes of the trash that may be purged. A private note whose edit is not finished stays: with its key
    /// the edit's text would be lost.
    private static let purgeableSQL = """
        SELECT id FROM note WHERE place = 1 AND NOT EXISTS (
          SELECT 1 FROM draft JOIN noteKey ON noteKey.note = draft.note WHERE draft.note = note.id AND draft.discarded IS NULL) LIMIT ?
        """

    /// Returns an identifier that no note has.
    public func newID() throws(VaultError) -> NoteID { try .random() }
}

extension Transaction {
    /// Saves an edited note over its head, unless nothing changed and `parents` is nil.
    ///
    /// - Parameter keepsEmpty: whether a note may be left without text, title and attachments.
    func saveEdited(
        _ edited: NoteRecord, over head: Head, parents: [RevisionID]? = nil, keepsEmpty: Bool = false
    ) throws {
        var record = edited
        guard keepsEmpty || !record.isEmpty else { throw VaultError(.empty) }
        guard record != head.record || parents != nil else { return }
        record.modified = max(Machine.now, head.record.modified)
        try apply(record, .edit, replacing: head, parents: parents)
    }

    /// Removes a note with all of its revisions.
    ///
    /// - Parameter named: where its attachments are named besides, if that was asked already.
    func purge(_ id: NoteID, named: [AttachmentID: NoteID]? = nil) throws {
        let head = try headID(of: id)
        let named = try named ?? namedElsewhere(of: [id])
        var state = try IndexState.fetch(database)
        try appendPurge(&state, of: id, heads: [head] + (try otherHeadIDs(of: id)))
        try removeProjection(&state, try projected(id, head))
        try state.save(database)
        try database.cachedStatement("DELETE FROM noteKey WHERE note = ?").execute(arguments: [id.bytes.blob])
        if records.keyring[id] != nil { records.keyring.lock(id) }
        try leaveObjects(of: id)
        try removeAttachments(of: id, named: named)
        try database.cachedStatement("DELETE FROM otherHead WHERE note = ?").execute(arguments: [id.bytes.blob])
        try database.cachedStatement("DELETE FROM revision WHERE note = ?").execute(arguments: [id.bytes.blob])
        try database.cachedStatement("DELETE FROM statement WHERE note = ?").execute(arguments: [id.bytes.blob])
        try keepUnseen(id)
    }

    /// Takes over what another device wrote and waited here: it was not shown to the person who purges, so it lives on.
    private func keepUnseen(_ id: NoteID) throws {
        let waits = try database.cachedStatement("SELECT 1 FROM waiting WHERE note = ?").row([id.bytes.blob])
        guard waits != nil else { return }
        var applying = Applying(self)
        try applying.settle(id)
    }

    /// Appends the entries of a purge. A purge names every head, or one that it did not name would live on; an entry
    /// has room for some.
    func appendPurge(_ state: inout IndexState, of id: NoteID, heads: [RevisionID]) throws {
        for start in stride(from: 0, to: heads.count, by: Self.headCountMax) {
            let named = Array(heads[start..<min(start + Self.headCountMax, heads.count)])
            try append(&state, .purge, note: id, revision: .random(), parents: named)
        }
    }
}

extension NoteID {
    /// Makes a random identifier.
    ///
    /// - Throws: `VaultError.libraryFailed`.
    static func random() throws(VaultError) -> NoteID {
        try VaultError.translating { try NoteID(SecureRandom.bytes(NoteID.byteCount)) }
    }
}

extension NoteRecord {
    /// Makes the record of a new note, under a new identifier.
    init(_ draft: NoteDraft) throws(VaultError) {
        let now = Machine.now
        let created = draft.created ?? draft.modified ?? now
        self.init(noteID: try .random(), created: created, modified: draft.modified ?? now, body: draft.body)
        title = draft.title
        tags = NoteNames.tags(draft.tags)
        notebook = NoteNames.notebook(draft.notebook)
        source = draft.source
        flags.set(.template, draft.isTemplate)
    }
}
