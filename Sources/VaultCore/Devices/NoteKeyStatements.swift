// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
internal import VaultFormat

/// `ToldKey` is what was last told of a note's password.
struct ToldKey {
    let keyID: [UInt8]
    /// Of the key; 0 when the note has none any more.
    let epoch: UInt32
    /// The entry that said it.
    let statement: RevisionID
    /// SHA-256 of what it said.
    let digest: [UInt8]
}

/// `UntoldNoteKey` is what is to be told of a note's password.
struct UntoldNoteKey {
    let note: NoteID
    let statement: NoteKeyStatement
    /// What was told before; nil when nothing was.
    let told: ToldKey?
    /// SHA-256 of the statement.
    let digest: [UInt8]

    fileprivate init(_ note: NoteID, _ statement: NoteKeyStatement, _ told: ToldKey?) throws {
        (self.note, self.statement, self.told) = (note, statement, told)
        digest = try Digest.sha256(statement.encoded)
    }
}

extension NoteKeyStatement {
    /// Returns the statement's name, which is the same on every device that has the same keyslot.
    ///
    /// - Parameter parents: the statements that it replaces.
    func name(replacing parents: [RevisionID]) throws -> RevisionID {
        try EntryStatement.noteKey(self).name(replacing: parents)
    }

    /// Returns the identifier of a key that nobody has told of: what wraps it first.
    static func keyID(of slot: NoteKeyslot) throws -> [UInt8] {
        Array(try Digest.sha256(Array("vault/v1 note key".utf8) + slot.encoded).prefix(keyIDByteCount))
    }
}

extension IndexAccess {
    /// Returns what was last told of a note's password; nil of a note that nothing was told of.
    func toldKey(of note: NoteID) throws -> ToldKey? {
        try database.cachedStatement("SELECT * FROM toldKey WHERE note = ?").row([note.bytes.blob]).map {
            ToldKey(
                keyID: try $0.bytes("key"), epoch: UInt32(clamping: try $0.integer("epoch")),
                statement: try RevisionID($0.bytes("statement")), digest: try $0.bytes("digest"))
        }
    }

    /// Returns the identifier of a private note's key, also before anything was told of it.
    func keyID(of slot: NoteKeyslot, told: ToldKey?) throws -> [UInt8] {
        try told.flatMap { $0.epoch == slot.keyEpoch ? $0.keyID : nil } ?? NoteKeyStatement.keyID(of: slot)
    }

    /// Returns the identifier of the key that a note is under now; nil where nothing was ever told of its password, or
    /// where it has none.
    func keyID(of note: NoteID) throws -> [UInt8]? {
        guard let told = try toldKey(of: note), try isPrivate(note) else { return nil }
        return try keyID(of: keyslot(note), told: told)
    }

    /// Returns what was said of a note's password and nobody has replaced, in the order of the names.
    func standingNoteKeys(of note: NoteID) throws -> [RevisionID] {
        let statements = try entries(of: note).filter { $0.operation == .statement }
        let replaced = Set(statements.flatMap(\.parents))
        return try Set(statements.map(\.revisionID)).subtracting(replaced)
            .filter { try statement(named: $0) == nil }.sorted()
    }

    /// Returns what has changed of notes' passwords since it was told, in the order of the notes: those that have one
    /// first.
    func untoldNoteKeys() throws -> [UntoldNoteKey] {
        // Of a note that is only begun nothing is told.
        let slots = try Row.fetchAll(
            database,
            sql: """
                SELECT note, sealed FROM noteKey
                WHERE EXISTS (SELECT 1 FROM revision WHERE revision.note = noteKey.note) ORDER BY note
                """
        ).map { try ArchiveRows.keyslot($0, layer) }
        var changes: [UntoldNoteKey] = []
        for slot in slots {
            let told = try toldKey(of: slot.noteID)
            let statement = NoteKeyStatement(keyID: try keyID(of: slot, told: told), slot: slot)
            changes.append(try UntoldNoteKey(slot.noteID, statement, told))
        }
        let closed = Set(slots.map(\.noteID))
        let rows = try Row.fetchAll(database, sql: "SELECT note FROM toldKey WHERE epoch > 0 ORDER BY note")
        for note in try rows.map({ try NoteID($0.bytes("note")) }) where !closed.contains(note) {
            guard let told = try toldKey(of: note), try isPresent(note) else { continue }
            changes.append(try UntoldNoteKey(note, NoteKeyStatement(keyID: told.keyID, slot: nil), told))
        }
        return changes.filter { $0.digest != $0.told?.digest }
    }
}

extension Transaction {
    func save(_ told: ToldKey, of note: NoteID) throws {
        try database.cachedStatement("INSERT OR REPLACE INTO toldKey VALUES(?, ?, ?, ?, ?)").execute(arguments: [
            note.bytes.blob, told.keyID.blob, Int64(told.epoch), told.statement.bytes.blob, told.digest.blob,
        ])
    }

    /// Adds entries of what has changed of notes' passwords since it was told: only a vault with other devices has such
    /// entries.
    func tellNoteKeys() throws {
        for change in try untoldNoteKeys() {
            let standing = try standingNoteKeys(of: change.note)
            try tell(change, replacing: Array(standing.prefix(Transaction.headCountMax)))
        }
        // Of what was deleted for good nothing is told any more.
        try database.cachedStatement(
            """
            DELETE FROM toldKey WHERE epoch > 0 AND note NOT IN (SELECT note FROM noteKey)
              AND note NOT IN (SELECT id FROM note)
            """
        ).execute()
    }

    /// Tells once more what opens a note, with all of its records; nothing of a note of which nothing was told yet.
    ///
    /// It is the same statement again: a new one would stand beside a password that somebody sets elsewhere meanwhile,
    /// and could win.
    func tellNoteKey(of note: NoteID) throws {
        guard let told = try toldKey(of: note) else { return }
        let change = try noteKey(of: note, told)
        let said = try entries(of: note).first { $0.operation == .statement && $0.revisionID == told.statement }
        guard change.digest == told.digest, let said else { return try tell(change, replacing: [told.statement]) }
        var state = try IndexState.fetch(database)
        try append(&state, .statement, note: note, revision: said.revisionID, parents: said.parents)
        try state.save(database)
    }

    /// Tells what opens a note once more, if the vault can have other devices.
    func tellAgain(_ note: NoteID) throws {
        guard try IndexState.fetch(database).schema >= Schema.firstWithDevices else { return }
        try tellNoteKey(of: note)
    }

    /// Tells what the owner has changed of one note's password and what replaces nothing but what was known then.
    func tellUntold(of note: NoteID) throws {
        guard try hasRevision(note) else { return }
        guard let told = try toldKey(of: note) else {
            guard try isPrivate(note) else { return }
            let slot = try keyslot(note)
            let statement = NoteKeyStatement(keyID: try NoteKeyStatement.keyID(of: slot), slot: slot)
            return try tell(UntoldNoteKey(note, statement, nil), replacing: [])
        }
        let change = try noteKey(of: note, told)
        if change.digest != told.digest { try tell(change, replacing: [told.statement]) }
    }

    /// Returns whether any version of a note is here.
    func hasRevision(_ note: NoteID) throws -> Bool {
        try database.cachedStatement("SELECT 1 FROM revision WHERE note = ? LIMIT 1").row([note.bytes.blob]) != nil
    }

    /// Returns what opens a note now, to be told.
    private func noteKey(of note: NoteID, _ told: ToldKey) throws -> UntoldNoteKey {
        let slot = try isPrivate(note) ? keyslot(note) : nil
        let keyID = try slot.map { try self.keyID(of: $0, told: told) } ?? told.keyID
        return try UntoldNoteKey(note, NoteKeyStatement(keyID: keyID, slot: slot), told)
    }

    private func tell(_ change: UntoldNoteKey, replacing parents: [RevisionID]) throws {
        let (note, statement) = (change.note, change.statement)
        let name = try statement.name(replacing: parents)
        var state = try IndexState.fetch(database)
        try append(&state, .statement, note: note, revision: name, parents: parents)
        try state.save(database)
        try save(
            ToldKey(
                keyID: statement.keyID, epoch: statement.slot?.keyEpoch ?? 0, statement: name, digest: change.digest),
            of: note)
    }
}
