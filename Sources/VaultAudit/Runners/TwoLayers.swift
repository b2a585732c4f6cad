// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto
internal import VaultFormat

/// `TwoLayers` holds the note that a test is about, its key, and what its two layers are sealed with. Spec:
/// docs/format.md §18 and §19.
struct TwoLayers {
    let noteID: NoteID
    private let vaultID: VaultID
    private let epoch: UInt32
    private let vaultKey: SymmetricKey
    /// Nil for a note that is not private.
    private let note: (key: SymmetricKey, epoch: UInt32)?

    var isPrivate: Bool { note != nil }
    var keyEpoch: UInt32? { note?.epoch }

    init(_ test: VectorTest) throws {
        noteID = try NoteID(test.bytes("noteID"))
        vaultID = try VaultID(test.bytes("vaultID"))
        epoch = try test.number("epoch")
        vaultKey = try SymmetricKey(SecretBytes(array: test.bytes("vaultKey")))
        note =
            test.has("keyEpoch")
            ? (try SymmetricKey(SecretBytes(array: test.bytes("noteKey"))), try test.number("keyEpoch")) : nil
    }

    /// `Seal` holds what a layer is sealed with.
    struct Seal {
        let key: SymmetricKey
        let context: [UInt8]

        /// Opens a layer, and returns what it holds with its padding.
        ///
        /// - Throws: a refusal that names `stage` when the bytes do not open.
        func open(_ sealed: [UInt8], or stage: String) throws -> [UInt8] {
            guard let padded = try? Cobblestone().open(sealed, key: key, context: context) else { throw Refusal(stage) }
            return padded
        }

        /// Seals with the salt that a test names, so that the outcome can be compared.
        func seal(_ content: [UInt8], _ test: VectorTest, salt name: String = "salt") throws -> [UInt8] {
            let salt = try test.bytes(name)
            return try unsafe content.withUnsafeBytes { raw in
                try unsafe Cobblestone().seal(raw, key: key, context: context, salt: salt)
            }
        }
    }

    func outer(_ label: Label, _ kind: Context.Kind, _ objectID: [UInt8], role: [UInt8] = []) throws -> Seal {
        Seal(
            key: try vaultKey.subkey(label),
            context: Context(kind: kind, vaultID: vaultID, objectID: objectID, role: role, epoch: epoch).encoded)
    }

    /// Gives the layer of the note's key. The vault's epoch is not in it.
    func inner(_ label: Label, _ kind: Context.Kind, _ objectID: [UInt8]) throws -> Seal {
        guard let note else { throw VectorFault("keyEpoch is missing") }
        return Seal(
            key: try note.key.subkey(label),
            context: Context(kind: kind, vaultID: vaultID, objectID: objectID, role: noteID.bytes, epoch: note.epoch)
                .encoded)
    }

    /// Gives the layer of the wrapped note key.
    func noteKey(_ slot: NoteKeyslot, kek: SymmetricKey) -> Seal {
        Seal(
            key: kek,
            context: Context(
                kind: .noteKey, vaultID: vaultID, objectID: slot.noteID.bytes, role: slot.costsAndSalt,
                epoch: slot.keyEpoch
            ).encoded)
    }

    static func unpad(_ padded: [UInt8], or stage: String) throws -> [UInt8] {
        guard let content = try? Padme.unpad(padded) else { throw Refusal(stage) }
        return content
    }
}
