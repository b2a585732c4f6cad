// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
internal import VaultFormat

/// This extension puts records of other devices in their places.
extension Transaction {
    /// Returns whether a record can be put in its place: it is sealed the way its note is, under the key that the note
    /// has.
    func canTake(_ body: EntryBody) throws -> Bool {
        guard let revision = body.revision else { return false }
        let note = body.entry.noteID
        guard try isPrivate(note) else { return !revision.isPrivate }
        guard revision.isPrivate, let keyID = body.keyID else { return false }
        let outer = try PrivateRecord(parsing: revision.record)
        return try self.keyID(of: note) == keyID && keyslot(note).keyEpoch == outer.keyEpoch
    }

    /// Returns whether a record that is here is sealed as a body says: as an ordinary note's, or under the same key.
    func isSealed(_ here: RecordSealer.Opened, as body: EntryBody) throws -> Bool {
        guard let revision = body.revision, here.isPrivate == revision.isPrivate else { return false }
        return try !revision.isPrivate || keyID(of: body.entry.noteID) == body.keyID
    }

    /// Puts a record of another device in its place, under this vault's key.
    ///
    /// - Returns: that of an ordinary note.
    @discardableResult
    func insert(_ revision: ArchivedRevision) throws -> NoteRecord? {
        let ordinary = revision.isPrivate ? nil : try NoteRecord(parsing: revision.record)
        let sealed =
            try ordinary.map { try records.seal($0, revision: revision.id) }
            ?? records.seal(PrivateRecord(parsing: revision.record), revision: revision.id)
        try database.cachedStatement("INSERT INTO revision(id, note, sealed, made) VALUES(?, ?, ?, ?)")
            .execute(arguments: [revision.id.bytes.blob, revision.noteID.bytes.blob, sealed.blob, revision.made])
        return ordinary
    }

    /// Says of revisions that came without a record that none is expected any more, where none is here.
    func dropBare(_ bare: Set<RevisionID>, of note: NoteID) throws {
        guard !bare.isEmpty else { return }
        let dropped = Set(try entries(of: note).filter { $0.operation == .drop }.map(\.revisionID))
        var state = try IndexState.fetch(database)
        for revision in bare.subtracting(dropped).sorted() {
            let isThere = try database.cachedStatement(
                """
                SELECT 1 FROM revision WHERE id = ?1 AND note = ?2
                UNION ALL SELECT 1 FROM waiting WHERE revision = ?1 AND note = ?2
                """
            ).row([revision.bytes.blob, note.bytes.blob])
            guard isThere == nil else { continue }
            try append(&state, .drop, note: note, revision: revision, parents: [])
        }
        try state.save(database)
    }

    /// Inserts an attachment that is not known yet; its object may come later.
    func insertIfNew(_ record: AttachmentRecord) throws {
        let known = try database.cachedStatement("SELECT 1 FROM attachment WHERE id = ? OR object = ?")
            .row([record.id.bytes.blob, record.object.bytes.blob])
        guard known == nil else { return }
        try insert(record, epoch: layer.epoch)
    }

    /// Returns whether an edit of a note was begun and neither ended nor thrown away.
    func hasOpenDraft(of note: NoteID) throws -> Bool {
        try database.cachedStatement("SELECT 1 FROM draft WHERE note = ? AND discarded IS NULL LIMIT 1")
            .row([note.bytes.blob]) != nil
    }

    /// Returns the revisions of a note that were thinned out here.
    func dropped(of note: NoteID) throws -> Set<RevisionID> {
        Set(try entries(of: note).lazy.filter { $0.operation == .drop }.map(\.revisionID))
    }

    /// Removes a record that waits, and the files that came for it: no row names these.
    func dropWaiting(_ revision: RevisionID, of note: NoteID) throws {
        let row = try database.cachedStatement("SELECT body FROM waiting WHERE revision = ? AND note = ?")
            .row([revision.bytes.blob, note.bytes.blob])
        guard let row else { return }
        for record in (try? EntryBody(parsing: row.bytes("body")))?.attachments ?? [] where !record.isPrivate {
            let named = try database.cachedStatement("SELECT 1 FROM attachment WHERE object = ?")
                .row([record.object.bytes.blob])
            if named == nil { try unlinkLater(record.object.bytes) }
        }
        try database.cachedStatement("DELETE FROM waiting WHERE revision = ?").execute(arguments: [revision.bytes.blob])
    }

    /// Removes what is left of a note that was removed for good.
    func removeRest(of note: NoteID) throws {
        for table in ["otherHead", "waiting", "statement"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE note = ?", arguments: [note.bytes.blob])
        }
        try removeNoteKey(of: note)
    }

    /// Forgets a note's password, unless an edit of it is not finished: its text would be lost with the key.
    func removeNoteKey(of note: NoteID) throws {
        guard try !hasOpenDraft(of: note) else { return }
        if records.keyring[note] != nil { records.keyring.lock(note) }
        for table in ["noteKey", "toldKey"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE note = ?", arguments: [note.bytes.blob])
        }
    }
}
