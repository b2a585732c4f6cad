// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SearchText
internal import TextReading
internal import VaultCrypto
internal import VaultFormat

/// Seals note records and opens them, each bound to its vault, revision, note and epoch. A private note's are sealed
/// twice.
///
/// Spec: docs/format.md §4, §9 and §18.
final class RecordSealer {
    /// An `Opened` is a revision with the vault's layer taken off.
    enum Opened {
        case plain(NoteRecord)
        case sealedInside(PrivateRecord)

        /// What lists may show of it without the note's key.
        var face: NoteRecord {
            switch self {
            case .plain(let record): return record
            case .sealedInside(let outer):
                var face = NoteRecord(noteID: outer.noteID, created: outer.created, modified: outer.modified, body: "")
                face.flags = outer.flags
                face.title = outer.title
                return face
            }
        }

        var isPrivate: Bool {
            guard case .sealedInside = self else { return false }
            return true
        }
    }

    let keyring: NoteKeyring
    /// Notes whose text was found not to open; lists, which open none, mark them.
    var damagedNotes: Set<NoteID> = []
    private let cobblestone: Cobblestone
    private let layer: VaultLayer

    /// Seals and opens with a layer.
    ///
    /// - Parameter keyring: of the notes that are unlocked.
    init(_ layer: VaultLayer, keyring: NoteKeyring = NoteKeyring()) throws(CryptoError) {
        cobblestone = try Cobblestone()
        self.keyring = keyring
        self.layer = layer
    }

    func seal(_ record: NoteRecord, revision: RevisionID) throws(CryptoError) -> [UInt8] {
        try layer.seal(Padme.pad(record.encoded), .record(revision, record.noteID))
    }

    /// Seals a private note's revision under its own key, and the result under the vault's.
    func sealPrivate(
        _ record: NoteRecord, revision: RevisionID, keys: NoteKeys, showsTitle: Bool
    ) throws(CryptoError) -> [UInt8] {
        // Under the note's key first, so that the vault's key alone opens nothing of it. The vault's epoch is not part
        // of the context: a rotation renews the outer layer without the note's password.
        let inner = try cobblestone.seal(
            Padme.pad(record.encoded), key: keys.record, context: innerContext(record.noteID, revision, keys.epoch))
        return try seal(
            PrivateRecord(
                noteID: record.noteID, created: record.created, modified: record.modified, flags: record.flags,
                title: showsTitle ? NoteTitle.display(title: record.title, body: record.body) : nil,
                keyEpoch: keys.epoch,
                contentRevision: revision, inner: inner), revision: revision)
    }

    /// Seals the vault's layer of a private revision.
    func seal(_ outer: PrivateRecord, revision: RevisionID) throws(CryptoError) -> [UInt8] {
        try layer.seal(Padme.pad(outer.encoded), .privateRecord(revision, outer.noteID))
    }

    /// Opens a revision.
    ///
    /// - Parameter isPrivate: whether the note is; a revision of the other kind is none of it.
    /// - Throws: `VaultError.integrity` for anything that is not this revision of this note in this vault;
    ///   `.noteLocked`.
    func open(_ sealed: [UInt8], note: NoteID, revision: RevisionID, isPrivate: Bool) throws(VaultError) -> NoteRecord {
        let opened = try openOuter(sealed, note: note, revision: revision)
        guard opened.isPrivate == isPrivate else { throw VaultError(.integrity) }
        switch opened {
        case .plain(let record): return record
        case .sealedInside(let outer):
            guard let keys = keyring[note]?.keys, keys.epoch == outer.keyEpoch else { throw VaultError(.noteLocked) }
            return try open(outer, keys)
        }
    }

    /// Returns the content of a private revision.
    ///
    /// - Throws: `VaultError.integrity`.
    func open(_ outer: PrivateRecord, _ keys: NoteKeys) throws(VaultError) -> NoteRecord {
        let context = innerContext(outer.noteID, outer.contentRevision, keys.epoch)
        guard let padded = try? cobblestone.open(outer.inner, key: keys.record, context: context),
            var record = parsed(padded, outer.noteID)
        else {
            throw VaultError(.integrity)
        }
        record.flags = outer.flags
        record.modified = outer.modified
        return record
    }

    /// Takes the vault's layer off; no note's key is needed.
    ///
    /// - Throws: `VaultError.integrity`.
    func openOuter(_ sealed: [UInt8], note: NoteID, revision: RevisionID) throws(VaultError) -> Opened {
        if let padded = layer.open(sealed, .record(revision, note)) {
            guard let record = parsed(padded, note) else { throw VaultError(.integrity) }
            return .plain(record)
        }
        guard let padded = layer.open(sealed, .privateRecord(revision, note)), let content = try? Padme.unpad(padded),
            let outer = try? PrivateRecord(parsing: content), outer.noteID == note
        else { throw VaultError(.integrity) }
        return .sealedInside(outer)
    }

    private func parsed(_ padded: [UInt8], _ note: NoteID) -> NoteRecord? {
        guard let content = try? Padme.unpad(padded), let record = try? NoteRecord(parsing: content),
            record.noteID == note
        else { return nil }
        return record
    }

    private func innerContext(_ note: NoteID, _ revision: RevisionID, _ keyEpoch: UInt32) -> [UInt8] {
        Context(kind: .innerRecord, vaultID: layer.vaultID, objectID: revision.bytes, role: note.bytes, epoch: keyEpoch)
            .encoded
    }
}
