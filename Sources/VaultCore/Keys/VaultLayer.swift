// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto
internal import VaultFormat

/// A `VaultLayer` seals and opens the vault's layer of what lies in the index's rows, which is sealed under this
/// epoch's key.
///
/// While a rotation runs, a row that was not sealed anew yet opens under the key of the epoch before. The row lies in
/// pages that are sealed under this epoch, so the vault's new key vouches for it anyway. Spec: docs/format.md §4
/// and §20.
final class VaultLayer {
    /// A `Place` says what a sealed value is and where it belongs.
    struct Place {
        let kind: Context.Kind
        let objectID: [UInt8]
        var role: [UInt8] = []
    }

    let keys: VaultKeys
    let vaultID: VaultID
    let epoch: UInt32
    /// Of the epoch before this one; nil unless a rotation runs.
    let previous: VaultKeys?
    private let cobblestone: Cobblestone

    init(_ keys: VaultKeys, vaultID: VaultID, epoch: UInt32, previous: VaultKeys? = nil) throws(CryptoError) {
        self.keys = keys
        self.vaultID = vaultID
        self.epoch = epoch
        self.previous = previous
        cobblestone = try Cobblestone()
    }

    func seal(_ content: [UInt8], _ place: Place) throws(CryptoError) -> [UInt8] {
        try cobblestone.seal(content, key: keys[place.kind], context: context(place, epoch))
    }

    func seal(_ key: SymmetricKey, _ place: Place) throws(CryptoError) -> [UInt8] {
        try unsafe key.withInsecureBytes { raw throws(CryptoError) in
            try unsafe cobblestone.seal(raw, key: keys[place.kind], context: context(place, epoch))
        }
    }

    /// Opens a value.
    ///
    /// - Returns: nil for anything that is not this value in this place.
    func open(_ sealed: [UInt8], _ place: Place) -> [UInt8]? {
        openCurrent(sealed, place) ?? openPrevious(sealed, place)
    }

    /// Opens a key.
    func openKey(_ sealed: [UInt8], _ place: Place) -> SymmetricKey? {
        key(sealed, keys, place, epoch) ?? previous.flatMap { key(sealed, $0, place, epoch - 1) }
    }

    /// Opens a value under this epoch's key alone: what a rotation has to read back.
    func openCurrent(_ sealed: [UInt8], _ place: Place) -> [UInt8]? {
        try? cobblestone.open(sealed, key: keys[place.kind], context: context(place, epoch))
    }

    /// Returns whether a value opens under this epoch's key. A key that it holds stays in locked memory.
    func isCurrent(_ sealed: [UInt8], _ place: Place) -> Bool {
        place.kind == .draftKey ? openCurrentSecret(sealed, place) : openCurrent(sealed, place) != nil
    }

    private func openCurrentSecret(_ sealed: [UInt8], _ place: Place) -> Bool {
        (try? cobblestone.openSecret(sealed, key: keys[place.kind], context: context(place, epoch))) != nil
    }

    func openCurrentKey(_ sealed: [UInt8], _ place: Place) -> SymmetricKey? { key(sealed, keys, place, epoch) }

    /// Opens under the key of the epoch before.
    func openPrevious(_ sealed: [UInt8], _ place: Place) -> [UInt8]? {
        guard let previous else { return nil }
        return try? cobblestone.open(sealed, key: previous[place.kind], context: context(place, epoch - 1))
    }

    /// Returns a row's value under this epoch's key; nil when it is so already.
    ///
    /// - Throws: `VaultError.integrity` for what opens under neither key in none of its places.
    func renewed(_ sealed: [UInt8], _ places: [Place]) throws(VaultError) -> [UInt8]? {
        for place in places {
            if place.kind == .draftKey {
                if let renewed = renewedSecret(sealed, place) { return renewed }
            } else if let content = openPrevious(sealed, place) {
                return try VaultError.mapping { () throws(CryptoError) in try seal(content, place) }
            }
        }
        guard places.contains(where: { isCurrent(sealed, $0) }) else { throw VaultError(.integrity) }
        return nil
    }

    /// Does the same for a key, which stays in locked memory.
    private func renewedSecret(_ sealed: [UInt8], _ place: Place) -> [UInt8]? {
        guard let previous,
            let secret = try? cobblestone.openSecret(
                sealed, key: previous[place.kind], context: context(place, epoch - 1))
        else {
            return nil
        }
        return unsafe secret.withUnsafeBytes { raw in
            unsafe try? cobblestone.seal(raw, key: keys[place.kind], context: context(place, epoch))
        }
    }

    private func key(_ sealed: [UInt8], _ keys: VaultKeys, _ place: Place, _ epoch: UInt32) -> SymmetricKey? {
        guard let secret = try? cobblestone.openSecret(sealed, key: keys[place.kind], context: context(place, epoch))
        else { return nil }
        return try? SymmetricKey(secret)
    }

    private func context(_ place: Place, _ epoch: UInt32) -> [UInt8] {
        Context(kind: place.kind, vaultID: vaultID, objectID: place.objectID, role: place.role, epoch: epoch).encoded
    }
}

extension VaultLayer.Place {
    static func record(_ revision: RevisionID, _ note: NoteID) -> Self {
        Self(kind: .record, objectID: revision.bytes, role: note.bytes)
    }
    static func privateRecord(_ revision: RevisionID, _ note: NoteID) -> Self {
        Self(kind: .privateRecord, objectID: revision.bytes, role: note.bytes)
    }
    static func noteKeyslot(_ note: NoteID) -> Self { Self(kind: .noteKeyslot, objectID: note.bytes) }
    static func draftKey(_ draft: DraftID) -> Self { Self(kind: .draftKey, objectID: draft.bytes) }
    static func attachmentRecord(_ id: AttachmentID, _ note: NoteID) -> Self {
        Self(kind: .attachmentRecord, objectID: id.bytes, role: note.bytes)
    }
    static func thumbnail(_ id: AttachmentID, _ note: NoteID) -> Self {
        Self(kind: .thumbnail, objectID: id.bytes, role: note.bytes)
    }
}
