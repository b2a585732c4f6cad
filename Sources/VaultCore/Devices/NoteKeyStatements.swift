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
        let slots = try Row.fetchAll(database, sql: "SELECT note, sealed FROM noteKey ORDER BY note")
            .map { try ArchiveRows.keyslot($0, layer) }
        for slot in slots {
            let told = try toldKey(of: slot.noteID)
            let keyID =
                try told.flatMap { $0.epoch == slot.keyEpoch ? $0.keyID : nil } ?? NoteKeyStatement.keyID(of: slot)
            try tell(NoteKeyStatement(keyID: keyID, slot: slot), of: slot.noteID, after: told)
        }
        let closed = Set(slots.map(\.noteID))
        let rows = try Row.fetchAll(database, sql: "SELECT note FROM toldKey WHERE epoch > 0 ORDER BY note")
        for note in try rows.map({ try NoteID($0.bytes("note")) }) where !closed.contains(note) {
            guard let told = try toldKey(of: note) else { continue }
            guard try isPresent(note) else {
                try database.execute(sql: "DELETE FROM toldKey WHERE note = ?", arguments: [note.bytes.blob])
                continue
            }
            try tell(NoteKeyStatement(keyID: told.keyID, slot: nil), of: note, after: told)
        }
    }

    private func tell(_ statement: NoteKeyStatement, of note: NoteID, after told: ToldKey?) throws {
        let digest = try Digest.sha256(statement.encoded)
        guard digest != told?.digest else { return }
        let parents = told.map { [$0.statement] } ?? []
        let name = try statement.name(replacing: parents)
        var state = try IndexState.fetch(database)
        try append(&state, .statement, note: note, revision: name, parents: parents)
        try state.save(database)
        try save(
            ToldKey(keyID: statement.keyID, epoch: statement.slot?.keyEpoch ?? 0, statement: name, digest: digest),
            of: note)
    }
}
