// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
public import SecretMemory
internal import VaultCrypto
public import VaultFormat

/// `ImportKeys` holds what the password of an import's private notes opens and makes: one derivation for each salt,
/// however many notes there are.
///
/// All slots of one import have one salt, so that a thousand notes cost two derivations. Each note has a random key of
/// its own anyway, and each wrap binds its note. Spec: docs/format.md §18.
public struct ImportKeys: Sendable {
    /// A `Group` has the key-encryption key that opens some slots, with their salt and cost.
    struct Group: Sendable {
        let salt: [UInt8]
        let cost: Argon2Cost
        let kek: SymmetricKey
    }

    /// Of earlier imports from the same source.
    let groups: [Group]
    /// A note of each earlier import that the password does not open.
    public let unopened: [NoteID]
    /// Of what is made now.
    let new: Group
    let passwordHash: String
    let vaultID: VaultID
    /// Where the import's notes come from.
    let source: String

    /// Makes a new note's random key, wrapped under the password of all.
    ///
    /// - Throws: `VaultError.libraryFailed`.
    public func protecting(_ note: NoteID, showsTitle: Bool = false) throws(VaultError) -> NoteProtecting {
        do throws(CryptoError) {
            let keys = try NoteKeys(SymmetricKey(random: ()), epoch: 1)
            var slot = NoteKeyslot(
                noteID: note, keyEpoch: 1, showsTitle: showsTitle, memoryKiB: new.cost.memoryKiB,
                iterations: new.cost.iterations,
                parallelism: new.cost.parallelism, salt: new.salt)
            let context = slot.context(vaultID)
            slot.wrappedKey = try unsafe keys.root.withInsecureBytes { raw throws(CryptoError) in
                try unsafe Cobblestone().seal(raw, key: new.kek, context: context)
            }
            slot.passwordHash = passwordHash
            return NoteProtecting(slot: slot, opened: OpenedNoteKey(keys, showsTitle: showsTitle))
        } catch { throw VaultError(error) }
    }

    /// Returns a note's key out of its slot; nil when it is not of these imports, or not under this password.
    func open(_ slot: NoteKeyslot) -> OpenedNoteKey? {
        guard let group = (groups + [new]).first(where: { $0.salt == slot.salt && $0.cost == slot.cost }),
            let secret = try? Cobblestone().openSecret(slot.wrappedKey, key: group.kek, context: slot.context(vaultID)),
            let keys = try? NoteKeys(SymmetricKey(secret), epoch: slot.keyEpoch)
        else { return nil }
        return OpenedNoteKey(keys, showsTitle: slot.showsTitle)
    }
}

/// An `ImportOpening` holds what it takes to make `ImportKeys`, away from the vault, so that another thread can derive.
public struct ImportOpening: Sendable {
    /// One slot of each salt of an earlier import from this source, to try the password on.
    let slots: [NoteKeyslot]
    /// The same of imports of which nothing tells the source.
    let others: [NoteKeyslot]
    /// The notes whose password is tried, one for each derivation.
    public var tried: [NoteID] { (slots + others).map(\.noteID) }
    /// Salts of this source that are random as a whole.
    let salts: Set<[UInt8]>
    let source: String
    let vaultID: VaultID

    /// Derives the keys: two derivations for a first import; one for each salt when there were earlier ones at today's
    /// cost.
    ///
    /// - Throws: `VaultError.wrongNotePassword` when an earlier import's notes do not open; `.costOutOfRange`,
    ///   `.outOfMemory`, `.libraryFailed`. `.cancelled` when nobody waits any more.
    /// - Parameters:
    ///   - cost: today's; nothing is taken over from an old slot (ThreatModel B01).
    ///   - skipsOthers: earlier imports under another password are left alone: exports of several vaults come in
    ///     through one format.
    ///   - goesOn: asked before each derivation.
    public func keys(
        _ password: borrowing SecretBytes, cost: Argon2Cost = .recommended, skipsOthers: Bool = false,
        goesOn: () -> Bool
    ) throws(VaultError) -> ImportKeys {
        var groups: [ImportKeys.Group] = []
        var unopened: [NoteID] = []
        var known: (group: ImportKeys.Group, passwordHash: String)?
        for (index, slot) in (slots + others).enumerated() {
            guard goesOn() else { throw VaultError(.cancelled) }
            let kek = try derive(password, slot.salt, slot.cost)
            guard (try? Cobblestone().openSecret(slot.wrappedKey, key: kek, context: slot.context(vaultID))) != nil
            else {
                guard skipsOthers || index >= slots.count else { throw VaultError(.wrongNotePassword) }
                unopened.append(slot.noteID)
                continue
            }
            let group = ImportKeys.Group(salt: slot.salt, cost: slot.cost, kek: kek)
            groups.append(group)
            if slot.cost.isAtLeast(cost), salts.contains(slot.salt) { known = (group, slot.passwordHash) }
        }
        if let known {
            return ImportKeys(
                groups: groups, unopened: unopened, new: known.group, passwordHash: known.passwordHash,
                vaultID: vaultID, source: source)
        }
        do throws(CryptoError) {
            let salt = try SecureRandom.bytes(NoteKeyslot.saltByteCount)
            let made = try PasswordHash.make(password: password, cost: cost, memoryByteCount: Machine.memoryByteCount)
            let kek = try Argon2id.deriveKey(
                password: password, salt: salt, cost: cost, memoryByteCount: Machine.memoryByteCount)
            return ImportKeys(
                groups: groups, unopened: unopened, new: .init(salt: salt, cost: cost, kek: kek),
                passwordHash: made.encoded, vaultID: vaultID, source: source)
        } catch { throw VaultError(error) }
    }

    private func derive(_ password: borrowing SecretBytes, _ salt: [UInt8], _ cost: Argon2Cost) throws(VaultError)
        -> SymmetricKey
    {
        do throws(CryptoError) {
            return try Argon2id.deriveKey(
                password: password, salt: salt, cost: cost, memoryByteCount: Machine.memoryByteCount)
        } catch { throw VaultError(error) }
    }
}

extension Argon2Cost {
    fileprivate func isAtLeast(_ other: Argon2Cost) -> Bool {
        memoryKiB >= other.memoryKiB && iterations >= other.iterations && parallelism >= other.parallelism
    }
}

/// These functions find the private notes of an import again, by the salt that their import gave them.
extension Imports {
    /// Returns what the password of an import's private notes is to be tried on.
    ///
    /// Of each import the index has its salt and where it came from (`ImportSalts`), so that a later import of the same
    /// source knows the slots of the earlier one.
    /// - Throws: `VaultError.integrity`, `.libraryFailed`.
    public func opening(of source: String) throws(VaultError) -> ImportOpening {
        let salts = try vault.read { try ImportSalts(in: $0.database) }
        let (own, named) = try VaultError.translating {
            (try salts.salts(of: source), try ImportSalts.beginBefore(source, vault.header.vaultID))
        }
        var count: [[UInt8]: Int] = [:]
        var first: [NoteKeyslot] = []
        for slot in try noteKeyslots() {
            if count[slot.salt] == nil { first.append(slot) }
            count[slot.salt, default: 0] += 1
        }
        let slots = first.filter { own.all.contains($0.salt) || $0.salt.starts(with: named) }
        // A vault that was restored has its notes and not these rows; only slots of an import share a salt.
        let isForgotten = slots.isEmpty && own.all.isEmpty
        let others = first.filter { isForgotten && count[$0.salt] ?? 0 > 1 && !salts.all.contains($0.salt) }
        return ImportOpening(
            slots: slots, others: Array(others.prefix(Self.otherCountMax)), salts: own.random, source: source,
            vaultID: vault.header.vaultID)
    }

    /// Most others that are tried: each takes as long as an unlock.
    private static let otherCountMax = 4

    /// Keeps what a later import from the same source finds these notes by: before the first of them is saved.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func remember(_ keys: ImportKeys) throws(VaultError) {
        let made = Set((keys.groups + [keys.new]).map(\.salt))
        let known = try vault.read { try ImportSalts(in: $0.database) }.all
        guard !made.isSubset(of: known) else { return }
        try vault.write {
            try ImportSalts.insert(
                made.subtracting(known), random: [keys.new.salt], of: keys.source, into: $0.database)
        }
    }

    /// Returns where each locked private note came from that these keys open. Each is open only while it is looked at.
    public func sources(with keys: ImportKeys) throws(VaultError) -> [String: NoteID] {
        var found: [String: NoteID] = [:]
        for slot in try noteKeyslots() where !vault.privateNotes.isUnlocked(slot.noteID) {
            guard let opened = keys.open(slot) else { continue }
            let head = try vault.read { index in
                index.records.keyring.insert(slot.noteID, opened.keys, showsTitle: opened.showsTitle)
                defer { index.records.keyring.remove(slot.noteID) }
                return try? index.head(of: slot.noteID)
            }
            if let source = head?.record.source { found[source] = slot.noteID }
        }
        return found
    }

    /// Returns how many private notes are locked: their source is sealed with them, so that no import can recognize
    /// them.
    public func lockedNoteCount() throws(VaultError) -> Int {
        try vault.read { index in
            try Row.fetchAll(index.database, sql: "SELECT note FROM noteKey").count {
                try !vault.privateNotes.isUnlocked(NoteID(try $0.bytes("note")))
            }
        }
    }

    /// Returns the keys of some notes that are locked, for an import to lend.
    public func keys(of notes: [NoteID], _ keys: ImportKeys) throws(VaultError) -> [NoteID: OpenedNoteKey] {
        var opened: [NoteID: OpenedNoteKey] = [:]
        for note in notes where !vault.privateNotes.isUnlocked(note) {
            if let key = keys.open(try vault.read { try $0.keyslot(note) }) { opened[note] = key }
        }
        return opened
    }

    /// Does something with notes that are locked to everybody else: they are open for the length of this call alone, in
    /// which nobody else is served.
    public func lending<Value>(_ keys: [NoteID: OpenedNoteKey], _ body: () throws(VaultError) -> Value)
        throws(VaultError) -> Value
    {
        let lent = keys.filter { !vault.privateNotes.isUnlocked($0.key) }
        for (note, key) in lent { vault.records.keyring.insert(note, key.keys, showsTitle: key.showsTitle) }
        defer { forgetUnheard(Array(lent.keys)) }
        return try body()
    }

    /// Forgets keys that only an import had: to everybody else the notes were locked all the time.
    func forgetUnheard(_ notes: [NoteID]) {
        guard !notes.isEmpty else { return }
        for note in notes { vault.records.keyring.remove(note) }
        vault.database.queue.releaseMemory()
    }

    private func noteKeyslots() throws(VaultError) -> [NoteKeyslot] {
        try vault.read { index in
            try Row.fetchAll(index.database, sql: "SELECT note FROM noteKey").map {
                try index.keyslot(NoteID(try $0.bytes("note")))
            }
        }
    }
}
