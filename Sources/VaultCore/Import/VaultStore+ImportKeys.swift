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
    /// - Throws: `VaultError.integrity`, `.selfTestFailed`.
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

    /// Opens some notes for as long as a batch needs them.
    ///
    /// - Returns: those that were locked.
    public func open(_ notes: [NoteID], with keys: ImportKeys) throws(VaultError) -> [NoteID] {
        var opened: [NoteID] = []
        for note in notes where !isUnlocked(note) {
            guard let key = keys.open(try read { try self.keyslot($0, note) }) else { continue }
            records.keyring.insert(note, key.keys, showsTitle: key.showsTitle)
            opened.append(note)
        }
        return opened
    }

    /// Forgets keys that only an import had: to everybody else the notes were locked all the time.
    public func forgetUnheard(_ notes: [NoteID]) {
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
