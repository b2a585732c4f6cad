// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SecretMemory
public import VaultCrypto
public import VaultFormat

/// Passwords of single notes. Each call is one durable transaction: a crash leaves the note as it was or as it is to be.
extension VaultStore {
    /// What a note's password costs to try: as much as the vault's own.
    public var notePasswordCost: Argon2Cost {
        header.keyslots.first { $0.kind.isDerived }.map { HeaderFile.cost(of: $0) } ?? .recommended
    }

    /// A private note's slot, to try a password on.
    ///
    /// - Throws: `VaultError.notPrivate`, `.integrity`.
    public func opening(of note: NoteID) throws(VaultError) -> NoteOpening {
        NoteOpening(slot: try read { try self.keyslot($0, note) }, vaultID: header.vaultID)
    }

    public func secureNote(_ id: NoteID) throws(VaultError) -> SecureNote {
        let slot = try read { try self.keyslot($0, id) }
        return SecureNote(id: id, note: isUnlocked(id) ? try note(id) : nil, passwordHash: slot.passwordHash)
    }

    /// Reads, searches and changes the note like any other from now on.
    public func unlock(_ note: NoteID, with opened: OpenedNoteKey) throws(VaultError) {
        // The slot may have gone, or become another, while the key was derived from it.
        guard try read({ try self.keyslot($0, note).keyEpoch }) == opened.keys.epoch else { throw VaultError(.wrongNotePassword) }
        records.keyring.insert(note, opened.keys, showsTitle: opened.showsTitle)
        do throws(VaultError) {
            // The key opens the slot; that it opens the note is seen only here.
            if try read({ try $0.cachedStatement("SELECT 1 FROM note WHERE id = ?").row([note.bytes.blob]) }) != nil { _ = try self.note(note) }
        } catch {
            records.keyring.remove(note)
            throw error
        }
    }

    /// The key of an unlocked note, to wrap it under another password.
    ///
    /// - Throws: `VaultError.noteLocked`.
    public func openedKey(of note: NoteID) throws(VaultError) -> OpenedNoteKey {
        guard let unlocked = records.keyring[note] else { throw VaultError(.noteLocked) }
        return OpenedNoteKey(unlocked.keys, showsTitle: unlocked.showsTitle)
    }

    /// The number of a note's next key.
    public func nextKeyEpoch(of note: NoteID) throws(VaultError) -> UInt32 {
        try read { database in try self.isPrivate(database, note) ? try self.keyslot(database, note).keyEpoch + 1 : 1 }
    }

    /// Saves a new private note under a key that nobody else has. It is unlocked.
    ///
    /// - Throws: as `create`.
    public func createPrivate(_ draft: NoteDraft, _ protecting: NoteProtecting) throws(VaultError) -> NoteSummary {
        guard !draft.body.isEmpty || draft.title != nil else { throw VaultError(.empty) }
        var record = try newRecord(draft)
        record.noteID = protecting.slot.noteID
        // The transaction reads what it writes.
        records.keyring.insert(record.noteID, protecting.opened.keys, showsTitle: protecting.opened.showsTitle)
        do throws(VaultError) {
            return try change(.new) { database in
                try self.save(database, protecting.slot)
                try self.apply(database, record, .create, replacing: nil)
                return try self.summary(database, of: record.noteID)
            }
        } catch {
            records.keyring.remove(record.noteID)
            throw error
        }
    }

    /// Gives a note a password, or another one, or another key: every revision, draft and attachment is under it when this returns, and its
    /// words are out of the lists and marked to be taken out of the search index (`WordRemoval`). It is unlocked.
    ///
    /// - Parameter attachments: all attachments of the note in their new form; none when the key stays.
    /// - Throws: `VaultError.notFound`, `.noteLocked`, `.attachmentsChanged`, `.readOnly`, `.saveFailed`.
    public func protect(_ note: NoteID, _ protecting: NoteProtecting, attachments: [ResealedAttachment] = []) throws(VaultError) {
        // Its words are removed with an emptied log, and the old files: not while somebody reads the index as it was.
        guard !isFrozen else { throw VaultError(.exportRuns) }
        try write { database in
            let before = try self.isPrivate(database, note) ? self.records.keyring[note]?.keys : nil
            guard try before != nil || !self.isPrivate(database, note) else { throw VaultError(.noteLocked) }
            try self.reseal(database, note, from: before, to: protecting.opened, attachments)
            try self.save(database, protecting.slot)
        }
        records.keyring.insert(note, protecting.opened.keys, showsTitle: protecting.opened.showsTitle)
    }

    /// Takes a note's password away: it is an ordinary note again.
    ///
    /// - Throws: `VaultError.notPrivate`, `.noteLocked`, `.attachmentsChanged`, `.readOnly`, `.saveFailed`.
    public func unprotect(_ note: NoteID, attachments: [ResealedAttachment] = []) throws(VaultError) {
        guard try isPrivate(note) else { throw VaultError(.notPrivate) }
        guard let keys = records.keyring[note]?.keys else { throw VaultError(.noteLocked) }
        try write { database in
            try self.reseal(database, note, from: keys, to: nil, attachments)
            try database.execute(sql: "DELETE FROM noteKey WHERE note = ?", arguments: [note.bytes.blob])
        }
        records.keyring.remove(note)
    }

    // MARK: Slots

    func keyslot(_ database: Database, _ note: NoteID) throws -> NoteKeyslot {
        guard let row = try database.cachedStatement("SELECT sealed FROM noteKey WHERE note = ?").row([note.bytes.blob]) else {
            throw VaultError(.notPrivate)
        }
        guard let padded = layer.open(try row.bytes("sealed"), .noteKeyslot(note)), let content = try? Padme.unpad(padded),
            let slot = try? NoteKeyslot(parsing: content), slot.noteID == note
        else { throw VaultError(.integrity) }
        return slot
    }

    func save(_ database: Database, _ slot: NoteKeyslot) throws {
        // In the vault's layer too: without the vault's key nobody can try a note's password.
        let sealed = try layer.seal(Padme.pad(slot.encoded), .noteKeyslot(slot.noteID))
        try database.execute(sql: "INSERT OR REPLACE INTO noteKey VALUES(?, ?)", arguments: [slot.noteID.bytes.blob, sealed.blob])
    }
}
