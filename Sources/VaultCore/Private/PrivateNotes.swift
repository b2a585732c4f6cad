// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import SecretMemory
public import VaultFormat

/// `PrivateNotes` works on the passwords of single notes. Each call is one durable transaction: a crash leaves the
/// note as it was or as it is to be.
public struct PrivateNotes {
    let vault: OpenVault

    /// How long a try of a new password of a note is to take on today's machine, in milliseconds: as long as one of the
    /// vault's own was to take when it was made. Costs are measured for that, never taken over from an old slot, which
    /// another machine or another time may have made cheap (ThreatModel B01).
    public var passwordTargetMilliseconds: UInt32 {
        let slots = ((try? vault.keyslots.all()) ?? []).filter(\.kind.usesArgon2)
        let opened = slots.first { $0.slotID == vault.openedKeyslot.slotID } ?? slots.first
        return opened?.targetMilliseconds ?? Self.usualTargetMilliseconds
    }

    /// What a vault's password is to take where its owner said nothing else.
    private static let usualTargetMilliseconds: UInt32 = 1000

    /// Returns a private note's slot, to try a password on.
    ///
    /// - Throws: `VaultError.notPrivate`, `.integrity`.
    public func opening(of note: NoteID) throws(VaultError) -> NoteOpening {
        NoteOpening(slot: try vault.read { try $0.keyslot(note) }, vaultID: vault.header.vaultID)
    }

    /// Returns what it takes to open every private note that is locked.
    ///
    /// - Throws: `VaultError.integrity`, `.libraryFailed`.
    public func lockedOpenings() throws(VaultError) -> [NoteOpening] {
        try vault.read { index in
            try Row.fetchAll(index.database, sql: "SELECT note FROM noteKey ORDER BY note").compactMap { row in
                let note = try NoteID(try row.bytes("note"))
                guard !index.records.keyring.notes.contains(note) else { return nil }
                return NoteOpening(slot: try index.keyslot(note), vaultID: vault.header.vaultID)
            }
        }
    }

    public func secureNote(_ id: NoteID) throws(VaultError) -> SecureNote {
        let slot = try vault.read { try $0.keyslot(id) }
        return SecureNote(
            id: id, note: isUnlocked(id) ? try vault.notes.note(id) : nil, passwordHash: slot.passwordHash)
    }

    /// Unlocks a note: the vault reads, searches and changes the note like any other from now on.
    public func unlock(_ note: NoteID, with opened: OpenedNoteKey) throws(VaultError) {
        // The slot may have gone, or become another, while the key was derived from it.
        guard try vault.read({ try $0.keyslot(note).keyEpoch }) == opened.keys.epoch else {
            throw VaultError(.wrongNotePassword)
        }
        vault.records.keyring.insert(note, opened.keys, showsTitle: opened.showsTitle)
        vault.devices.settle(note)
        do throws(VaultError) {
            // The key opens the slot; that it opens the note is seen only here.
            if try vault.read({
                try $0.database.cachedStatement("SELECT 1 FROM note WHERE id = ?").row([note.bytes.blob])
            }) != nil {
                _ = try vault.notes.note(note)
            }
        } catch {
            vault.records.keyring.remove(note)
            throw error
        }
    }

    /// Returns the key of an unlocked note, to wrap it under another password.
    ///
    /// - Throws: `VaultError.noteLocked`.
    public func openedKey(of note: NoteID) throws(VaultError) -> OpenedNoteKey {
        guard let unlocked = vault.records.keyring[note] else { throw VaultError(.noteLocked) }
        return OpenedNoteKey(unlocked.keys, showsTitle: unlocked.showsTitle)
    }

    /// Returns the number of a note's next key.
    public func nextKeyEpoch(of note: NoteID) throws(VaultError) -> UInt32 {
        try vault.read { index in
            if try index.isPrivate(note) { return try index.keyslot(note).keyEpoch + 1 }
            // Other devices may still have an earlier key of this note, which must not pass for this one.
            let hasTold = try IndexState.fetch(index.database).schema >= Schema.firstWithDevices
            return try (hasTold ? index.toldKey(of: note)?.epoch ?? 0 : 0) + 1
        }
    }

    /// Saves a new private note under a key that nobody else has. It is unlocked.
    ///
    /// - Throws: as `create`.
    public func create(_ draft: NoteDraft, _ protecting: NoteProtecting) throws(VaultError) -> NoteSummary {
        guard !draft.body.isEmpty || draft.title != nil else { throw VaultError(.empty) }
        var record = try NoteRecord(draft)
        record.noteID = protecting.slot.noteID
        if vault.readsTags { record.readTags() }
        // The transaction reads what it writes.
        vault.records.keyring.insert(record.noteID, protecting.opened.keys, showsTitle: protecting.opened.showsTitle)
        do throws(VaultError) {
            return try vault.change(.new) { transaction in
                try transaction.save(protecting.slot)
                record.bookPlace = try draft.place.map { try transaction.newPlace($0) }
                try transaction.apply(record, .create, replacing: nil)
                return try transaction.summary(of: record.noteID)
            }
        } catch {
            vault.records.keyring.remove(record.noteID)
            throw error
        }
    }

    /// Gives a note a password, or another one, or another key: every revision, draft and attachment is under it when
    /// this returns, and its words are out of the lists and marked to be taken out of the search index (`WordRemoval`).
    /// It is unlocked.
    ///
    /// - Parameter attachments: all attachments of the note in their new form; none when the key stays.
    /// - Throws: `VaultError.notFound`, `.noteLocked`, `.attachmentsChanged`, `.readOnly`, `.saveFailed`.
    public func protect(_ note: NoteID, _ protecting: NoteProtecting, attachments: [ResealedAttachment] = [])
        throws(VaultError)
    {
        // Its words are removed with an emptied log, and the old files: not while somebody reads the index as it was.
        guard !vault.isFrozen else { throw VaultError(.exportRuns) }
        try vault.write { transaction in
            guard try !transaction.isBook(note) else { throw VaultError(.isBook) }
            let before = try transaction.isPrivate(note) ? transaction.records.keyring[note]?.keys : nil
            guard try before != nil || !transaction.isPrivate(note) else { throw VaultError(.noteLocked) }
            try transaction.reseal(note, from: before, to: protecting.opened, attachments)
            try transaction.save(protecting.slot)
        }
        vault.records.keyring.insert(note, protecting.opened.keys, showsTitle: protecting.opened.showsTitle)
    }

    /// Takes a note's password away: it is an ordinary note again.
    ///
    /// - Throws: `VaultError.notPrivate`, `.noteLocked`, `.attachmentsChanged`, `.readOnly`, `.saveFailed`.
    public func unprotect(_ note: NoteID, attachments: [ResealedAttachment] = []) throws(VaultError) {
        guard try isPrivate(note) else { throw VaultError(.notPrivate) }
        guard let keys = vault.records.keyring[note]?.keys else { throw VaultError(.noteLocked) }
        try vault.write { transaction in
            try transaction.reseal(note, from: keys, to: nil, attachments)
            try transaction.database.execute(sql: "DELETE FROM noteKey WHERE note = ?", arguments: [note.bytes.blob])
        }
        vault.records.keyring.remove(note)
    }

    /// Returns whether a note has a password of its own.
    public func isPrivate(_ note: NoteID) throws(VaultError) -> Bool { try vault.read { try $0.isPrivate(note) } }

    /// Returns the notes with a password of their own, and whether each is unlocked.
    public func all() throws(VaultError) -> [NoteID: Bool] {
        try vault.read { index in
            let rows = try Row.fetchAll(index.database, sql: "SELECT note FROM noteKey")
            return try Dictionary(
                uniqueKeysWithValues: rows.map { try NoteID($0.bytes("note")) }.map { ($0, self.isUnlocked($0)) })
        }
    }

    public func isUnlocked(_ note: NoteID) -> Bool { vault.records.keyring[note] != nil }

    /// Private notes that are unlocked now.
    public var unlocked: [NoteID] { vault.records.keyring.notes }

    /// Returns the private notes that were read or written since the last call.
    public func takeUsed() -> Set<NoteID> { vault.records.keyring.takeUsed() }

    /// Forgets a private note's key, and what was left of it in memory: prepared statements hold the last text that
    /// they were given, and the page cache holds pages as they were. Its words were never anywhere but in memory.
    public func relock(_ note: NoteID) {
        vault.records.keyring.lock(note)
        vault.database.queue.releaseMemory()
    }

    /// Returns the notes that were locked since the last call: whatever still works on one must end.
    public func takeForgotten() -> Set<NoteID> { vault.records.keyring.takeLocked() }
}

extension IndexAccess {
    // MARK: Slots

    func keyslot(_ note: NoteID) throws -> NoteKeyslot {
        guard let sealed = try sealedKeyslot(of: note) else { throw VaultError(.notPrivate) }
        guard let padded = layer.open(sealed, .noteKeyslot(note)),
            let content = try? Padme.unpad(padded),
            let slot = try? NoteKeyslot(parsing: content), slot.noteID == note
        else { throw VaultError(.integrity) }
        return slot
    }

    /// Returns a private note's keyslot as it lies in the index.
    func sealedKeyslot(of note: NoteID) throws -> [UInt8]? {
        try SpareTable.noteKey.read(database) { table in
            try database.cachedStatement("SELECT sealed FROM \(table) WHERE note = ?").row([note.bytes.blob])?
                .bytes("sealed")
        }
    }

    func isPrivate(_ note: NoteID) throws -> Bool {
        try SpareTable.noteKey.read(database) { table in
            try database.cachedStatement("SELECT 1 FROM \(table) WHERE note = ?").row([note.bytes.blob]) != nil
        }
    }

    /// Returns the content of every private note that is unlocked, with its row in the lists.
    func unlockedNotes() throws -> [UnlockedNote] {
        guard !records.keyring.isEmpty else { return [] }
        let statement = try database.cachedStatement(
            """
            SELECT note.row AS row, note.head AS head, revision.sealed AS sealed
            FROM note JOIN revision ON revision.id = note.head WHERE note.id = ?
            """)
        return try records.keyring.notes.compactMap { id in
            guard let row = try statement.row([id.bytes.blob]) else { return nil }
            // One that does not open ends no list and no search: it stays there as a locked one does.
            guard
                let record = try? records.open(
                    try row.bytes("sealed"), note: id, revision: RevisionID(try row.bytes("head")), isPrivate: true)
            else { return nil }
            return UnlockedNote(row: try row.integer("row"), record: record)
        }.sorted { $0.row > $1.row }
    }
}

extension Transaction {
    func save(_ slot: NoteKeyslot) throws {
        // In the vault's layer too: without the vault's key nobody can try a note's password.
        uploads.forgetAll()
        let sealed = try layer.seal(Padme.pad(slot.encoded), .noteKeyslot(slot.noteID))
        try database.execute(
            sql: "INSERT OR REPLACE INTO noteKey VALUES(?, ?)", arguments: [slot.noteID.bytes.blob, sealed.blob])
    }

    /// Changes flags of a locked note, which needs no key: the note can be thrown away, pinned, archived.
    ///
    /// - Returns: false when the note is not locked, or the change needs its content.
    func modifyLocked(_ id: NoteID, _ changed: NoteChange) throws -> Bool {
        guard records.keyring[id] == nil, try isPrivate(id) else { return false }
        switch changed {
        case .flag: break
        case .title, .tag, .untag, .notebook, .created, .renameTag, .mergeTags, .renameNotebook:
            throw VaultError(.noteLocked)
        }
        let head = try headID(of: id)
        guard let row = try database.cachedStatement("SELECT sealed FROM revision WHERE id = ?").row([head.bytes.blob]),
            case .sealedInside(var outer) = try records.openOuter(try row.bytes("sealed"), note: id, revision: head)
        else { throw VaultError(.integrity) }
        let before = ProjectedNote(.sealedInside(outer))
        var face = before.record
        changed.apply(to: &face)
        guard face.flags != outer.flags else { return true }
        outer.flags = face.flags
        let revision = try RevisionID(SecureRandom.bytes(RevisionID.byteCount))
        let made = (sealed: try records.seal(outer, revision: revision), shown: ProjectedNote(.sealedInside(outer)))
        try apply(made, revision, changed.operation, replacing: (head, before))
        return true
    }
}
