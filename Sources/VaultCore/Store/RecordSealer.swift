// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// Seals note records and opens them, each bound to its vault, revision, note and epoch. Spec: docs/format.md §4 and §9.
final class RecordSealer {
    private let cobblestone: Cobblestone
    private let key: SymmetricKey
    private let vaultID: VaultID
    private let epoch: UInt32

    init(key: SymmetricKey, vaultID: VaultID, epoch: UInt32) throws(CryptoError) {
        cobblestone = try Cobblestone()
        self.key = key
        self.vaultID = vaultID
        self.epoch = epoch
    }

    func seal(_ record: NoteRecord, revision: RevisionID) throws(CryptoError) -> [UInt8] {
        try cobblestone.seal(Padme.pad(record.encoded), key: key, context: context(record.noteID, revision))
    }

    /// - Throws: `VaultError.integrity` for anything that is not this revision of this note in this vault.
    func open(_ sealed: [UInt8], note: NoteID, revision: RevisionID) throws(VaultError) -> NoteRecord {
        guard let padded = try? cobblestone.open(sealed, key: key, context: context(note, revision)),
            let content = try? Padme.unpad(padded), let record = try? NoteRecord(parsing: content), record.noteID == note
        else { throw VaultError(.integrity) }
        return record
    }

    private func context(_ note: NoteID, _ revision: RevisionID) -> [UInt8] {
        Context(kind: .record, vaultID: vaultID, objectID: revision.bytes, role: note.bytes, epoch: epoch).encoded
    }
}
