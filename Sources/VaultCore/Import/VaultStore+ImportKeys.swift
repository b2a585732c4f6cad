// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultCrypto
public import VaultFormat

/// Private notes of an import: found again by the salt that their import gave them.
extension VaultStore {
    private static let saltBeginByteCount = 16

    /// What the password of an import's private notes is to be tried on.
    ///
    /// The first half of the salt is made of the vault and the source, so that a later import of the same source knows the slots of the earlier one;
    /// the second half is random.
    /// - Throws: `VaultError.integrity`, `.libraryFailed`.
    public func opening(ofImportFrom source: String) throws(VaultError) -> ImportOpening {
        let begin = try Self.mapErrors {
            Array(try Digest.sha256(Array("vault import salt\n".utf8) + header.vaultID.bytes + Array(source.utf8)).prefix(Self.saltBeginByteCount))
        }
        var salts: Set<[UInt8]> = []
        let slots = try noteKeyslots().filter { $0.salt.starts(with: begin) && salts.insert($0.salt).inserted }
        return ImportOpening(slots: slots, saltBegin: begin, cost: notePasswordCost, vaultID: header.vaultID)
    }

    /// Where each locked private note came from that these keys open. Each is open only while it is looked at.
    public func sources(with keys: ImportKeys) throws(VaultError) -> [String: NoteID] {
        var found: [String: NoteID] = [:]
        for slot in try noteKeyslots() where !isUnlocked(slot.noteID) {
            guard let opened = keys.open(slot) else { continue }
            let head = try read { database in
                self.records.keyring.insert(slot.noteID, opened.keys, showsTitle: opened.showsTitle)
                defer { self.records.keyring.remove(slot.noteID) }
                return try? self.head(database, of: slot.noteID)
            }
            if let source = head?.record.source { found[source] = slot.noteID }
        }
        return found
    }

    /// How many private notes are locked: what they came from is sealed with them, so that no import can know them again.
    public func lockedNoteCount() throws(VaultError) -> Int {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT note FROM noteKey").count { try !self.isUnlocked(NoteID(try $0.bytes("note"))) }
        }
    }

    /// Keys of some notes that are locked, for an import to lend.
    public func keys(of notes: [NoteID], _ keys: ImportKeys) throws(VaultError) -> [NoteID: OpenedNoteKey] {
        var opened: [NoteID: OpenedNoteKey] = [:]
        for note in notes where !isUnlocked(note) {
            if let key = keys.open(try read { try self.keyslot($0, note) }) { opened[note] = key }
        }
        return opened
    }

    /// Does something with notes that are locked to everybody else: they are open for the length of this call alone, in which nobody else is served.
    public func lending<Value>(_ keys: [NoteID: OpenedNoteKey], _ body: () throws(VaultError) -> Value) throws(VaultError) -> Value {
        let lent = keys.filter { !isUnlocked($0.key) }
        for (note, key) in lent { records.keyring.insert(note, key.keys, showsTitle: key.showsTitle) }
        defer { forgetUnheard(Array(lent.keys)) }
        return try body()
    }

    /// Forgets keys that only an import had: to everybody else the notes were locked all the time.
    func forgetUnheard(_ notes: [NoteID]) {
        guard !notes.isEmpty else { return }
        for note in notes { records.keyring.remove(note) }
        database.queue.releaseMemory()
    }

    private func noteKeyslots() throws(VaultError) -> [NoteKeyslot] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT note FROM noteKey").map { try self.keyslot(database, NoteID(try $0.bytes("note"))) }
        }
    }
}
