// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// A `NoteKeyring` holds the private notes that are unlocked, with their keys. Nothing of it is ever written.
final class NoteKeyring {
    struct Unlocked {
        let keys: NoteKeys
        let showsTitle: Bool
    }

    private var unlocked: [NoteID: Unlocked] = [:]
    /// Notes that somebody read or wrote since `takeUsed`: they stay unlocked for longer.
    private var used: Set<NoteID> = []
    /// Notes that were locked since `takeLocked`: whatever still works on one must end.
    private var locked: Set<NoteID> = []

    subscript(note: NoteID) -> Unlocked? { unlocked[note] }
    var notes: [NoteID] { Array(unlocked.keys) }
    var isEmpty: Bool { unlocked.isEmpty }

    func insert(_ note: NoteID, _ keys: NoteKeys, showsTitle: Bool) {
        unlocked[note] = Unlocked(keys: keys, showsTitle: showsTitle)
        used.insert(note)
    }

    func remove(_ note: NoteID) { unlocked[note] = nil }

    /// Forgets a key that somebody may be working with.
    func lock(_ note: NoteID) {
        remove(note)
        locked.insert(note)
    }

    func takeLocked() -> Set<NoteID> {
        defer { locked = [] }
        return locked
    }

    func markUsed(_ note: NoteID) { if unlocked[note] != nil { used.insert(note) } }

    func takeUsed() -> Set<NoteID> {
        defer { used = [] }
        return used
    }
}

/// `NoteKeys` holds a private note's key of one epoch and the keys that are derived from it, each for one use. Spec:
/// docs/format.md §18.
final class NoteKeys: Sendable {
    let root: SymmetricKey
    /// From 1; one more with each new key.
    let epoch: UInt32
    let record: SymmetricKey
    let draftKey: SymmetricKey
    let draftFields: SymmetricKey
    let attachment: SymmetricKey
    let attachmentRecord: SymmetricKey
    let thumbnail: SymmetricKey

    /// Derives the other keys from the note's key.
    ///
    /// - Throws: `CryptoError.libraryFailure`.
    init(_ root: SymmetricKey, epoch: UInt32) throws(CryptoError) {
        self.root = root
        self.epoch = epoch
        record = try root.subkey(.innerRecord)
        draftKey = try root.subkey(.innerDraftKey)
        draftFields = try root.subkey(.innerDraftFields)
        attachment = try root.subkey(.innerAttachment)
        attachmentRecord = try root.subkey(.innerAttachmentRecord)
        thumbnail = try root.subkey(.innerThumbnail)
    }
}
