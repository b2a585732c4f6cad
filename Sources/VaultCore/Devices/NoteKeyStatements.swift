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

    /// Returns what has changed of notes' passwords since it was told, in the order of the notes: those that have one
    /// first.
    func untoldNoteKeys() throws -> [UntoldNoteKey] {
        let slots = try Row.fetchAll(database, sql: "SELECT note, sealed FROM noteKey ORDER BY note")
            .map { try ArchiveRows.keyslot($0, layer) }
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
        for change in try untoldNoteKeys() { try tell(change) }
        // Of what was deleted for good nothing is told any more.
        try database.cachedStatement(
            """
            DELETE FROM toldKey WHERE epoch > 0 AND note NOT IN (SELECT note FROM noteKey)
              AND note NOT IN (SELECT id FROM note)
            """
        ).execute()
    }

    /// Tells once more what opens a note, with all of its records; nothing of a note of which nothing was told yet.
    func tellNoteKey(of note: NoteID) throws {
        guard let told = try toldKey(of: note), told.epoch > 0, try isPrivate(note) else { return }
        let slot = try keyslot(note)
        try tell(UntoldNoteKey(note, NoteKeyStatement(keyID: keyID(of: slot, told: told), slot: slot), told))
    }

    private func tell(_ change: UntoldNoteKey) throws {
        let (note, statement) = (change.note, change.statement)
        let parents = change.told.map { [$0.statement] } ?? []
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
