// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory
public import VaultCrypto
public import VaultFormat

/// An `OpenedNoteKey` is a private note's key, out of its slot. It cannot be read, only handed back to the vault it
/// came from.
public final class OpenedNoteKey: Sendable {
    let keys: NoteKeys
    let showsTitle: Bool

    init(_ keys: NoteKeys, showsTitle: Bool) {
        self.keys = keys
        self.showsTitle = showsTitle
    }
}

/// A `NoteOpening` is what it takes to try a password on a private note: the slot, away from the vault, so that another
/// thread can do the work.
public struct NoteOpening: Sendable {
    let slot: NoteKeyslot
    let vaultID: VaultID

    public var note: NoteID { slot.noteID }
    /// Whether the title is told while the note is locked.
    public var showsTitle: Bool { slot.showsTitle }

    /// What one derivation opens: slots of one import have one salt.
    public var derivation: [UInt8] {
        slot.salt
            + [slot.cost.memoryKiB, slot.cost.iterations, slot.cost.parallelism].flatMap { number in
                (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            }
    }

    /// Derives one key from a password, and opens all slots that are under it.
    ///
    /// - Parameter openings: of one `derivation`.
    /// - Throws: `VaultError.wrongNotePassword` where it opens none of them; `.costOutOfRange`, `.outOfMemory`.
    public static func open(
        _ openings: [NoteOpening], _ password: borrowing SecretBytes
    ) throws(VaultError) -> [NoteID: OpenedNoteKey] {
        guard let first = openings.first else { return [:] }
        let kek: SymmetricKey
        do throws(CryptoError) {
            kek = try Argon2id.deriveKey(
                password: password, salt: first.slot.salt, cost: first.slot.cost,
                memoryByteCount: Machine.memoryByteCount)
        } catch { throw failure(error) }
        var opened: [NoteID: OpenedNoteKey] = [:]
        for opening in openings where opening.derivation == first.derivation {
            let (slot, context) = (opening.slot, opening.slot.context(opening.vaultID))
            guard let secret = try? Cobblestone().openSecret(slot.wrappedKey, key: kek, context: context),
                let keys = try? NoteKeys(SymmetricKey(secret), epoch: slot.keyEpoch)
            else { continue }
            opened[slot.noteID] = OpenedNoteKey(keys, showsTitle: slot.showsTitle)
        }
        guard !opened.isEmpty else { throw VaultError(.wrongNotePassword) }
        return opened
    }

    private static func failure(_ error: CryptoError) -> VaultError {
        switch error.code {
        case .costOutOfRange: VaultError(.costOutOfRange)
        case .outOfMemory: VaultError(.outOfMemory)
        default: VaultError(.wrongNotePassword)
        }
    }

    /// Derives the key from a password. It takes as long as the note's Argon2 cost says.
    ///
    /// - Throws: `VaultError.wrongNotePassword` for a wrong password and a damaged slot alike; `.costOutOfRange`,
    ///   `.outOfMemory`.
    public func open(_ password: borrowing SecretBytes) throws(VaultError) -> OpenedNoteKey {
        do throws(CryptoError) {
            let kek = try Argon2id.deriveKey(
                password: password, salt: slot.salt, cost: slot.cost, memoryByteCount: Machine.memoryByteCount)
            // The wrap commits to its key, so that one slot cannot open under two passwords; the hash is not asked
            // (ThreatModel B05).
            let key = try SymmetricKey(
                Cobblestone().openSecret(slot.wrappedKey, key: kek, context: slot.context(vaultID)))
            return OpenedNoteKey(try NoteKeys(key, epoch: slot.keyEpoch), showsTitle: slot.showsTitle)
        } catch { throw Self.failure(error) }
    }
}

/// A `NoteProtecting` is a new keyslot for a private note, made away from the vault.
public struct NoteProtecting: Sendable {
    let slot: NoteKeyslot
    /// The key that it wraps.
    public let opened: OpenedNoteKey

    public var note: NoteID { slot.noteID }

    /// Takes a slot that is made: one of many under one password (`ImportKeys`).
    init(slot: NoteKeyslot, opened: OpenedNoteKey) {
        self.slot = slot
        self.opened = opened
    }

    /// Wraps a note's key under a password: two derivations, each with a salt of its own, one for the wrap and one for
    /// the hash.
    ///
    /// - Parameters:
    ///   - known: the key to keep; nil makes a new one.
    ///   - epoch: the new key's number; that of `known` stays.
    ///   - cost: today's, as the vault's own; nothing is taken over from an old slot (ThreatModel B01).
    /// - Throws: `VaultError.costOutOfRange`, `.outOfMemory`, `.libraryFailed`.
    public init(
        _ note: NoteID, vaultID: VaultID, password: borrowing SecretBytes, keeping known: OpenedNoteKey?, epoch: UInt32,
        showsTitle: Bool,
        cost: Argon2Cost
    ) throws(VaultError) {
        do throws(CryptoError) {
            let keys: NoteKeys
            if let known { keys = known.keys } else { keys = try NoteKeys(SymmetricKey(random: ()), epoch: epoch) }
            var slot = NoteKeyslot(
                noteID: note, keyEpoch: keys.epoch, showsTitle: showsTitle, memoryKiB: cost.memoryKiB,
                iterations: cost.iterations,
                parallelism: cost.parallelism, salt: try SecureRandom.bytes(NoteKeyslot.saltByteCount))
            let memory = Machine.memoryByteCount
            let kek = try Argon2id.deriveKey(password: password, salt: slot.salt, cost: cost, memoryByteCount: memory)
            let context = slot.context(vaultID)
            slot.wrappedKey = try unsafe keys.root.withInsecureBytes { raw throws(CryptoError) in
                try unsafe Cobblestone().seal(raw, key: kek, context: context)
            }
            slot.passwordHash = try PasswordHash.make(password: password, cost: cost, memoryByteCount: memory).encoded
            self.slot = slot
            opened = OpenedNoteKey(keys, showsTitle: showsTitle)
        } catch {
            throw VaultError(error)
        }
    }
}

extension NoteKeyslot {
    var cost: Argon2Cost { Argon2Cost(memoryKiB: memoryKiB, iterations: iterations, parallelism: parallelism) }

    /// Gives the context of the wrapped key. The vault's epoch is not in it: a rotation of the vault's key leaves it as
    /// it is.
    func context(_ vaultID: VaultID) -> [UInt8] {
        Context(kind: .noteKey, vaultID: vaultID, objectID: noteID.bytes, role: costsAndSalt, epoch: keyEpoch).encoded
    }
}
