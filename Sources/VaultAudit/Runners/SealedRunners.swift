// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto
internal import VaultFormat

/// `SealedRunners` tests manifests and sealed note records. Spec: docs/format.md §4, §7, §9.
enum SealedRunners {
    static func manifest(_ test: VectorTest) throws -> Verdict {
        let key = try VaultPlace.subkey(test, .manifest)
        let context = try VaultPlace.context(test, .manifest)
        let padded = try open(test, key, context)
        let content = try unpad(padded)
        let manifest = try Manifest(parsing: content)
        guard test.has("salt") else { return .accepted }
        let version = try test.integer("version")
        return try .comparing([
            ("padded", padded == test.bytes("padded") && Padme.pad(content) == padded),
            ("version", content.prefix(2) == [0, UInt8(clamping: version)]),
            ("header and map", version == 1 || newFields(of: manifest, are: test)),
            ("generation", manifest.generation == test.number("generation")),
            ("pageCount", manifest.pageCount == test.number("pageCount")),
            ("logSalt", manifest.logSalt == test.bytes("logSalt")),
            ("syncedByteCount", manifest.syncedByteCount == test.number("syncedByteCount")),
            ("isOpen", manifest.isOpen == test.flag("isOpen")),
            ("manifest, written again", manifest.encoded == (version == 1 ? asVersion2(content) : content)),
            ("sealed", seal(padded, key, context, test) == test.bytes("sealed")),
        ])
    }

    /// Compares the fields that version 1 does not have.
    private static func newFields(of manifest: Manifest, are test: VectorTest) throws -> Bool {
        let root = manifest.map ?? MapRoot(slot: 0, hash: [UInt8](repeating: 0, count: Manifest.digestByteCount))
        return try manifest.headerCounter == test.number("headerCounter")
            && manifest.headerDigest == test.bytes("headerDigest") && (manifest.map != nil) == test.flag("hasMap")
            && root.slot == test.integer("mapSlot") && root.hash == test.bytes("mapHash")
    }

    /// Returns a manifest of the first version in the form of the second: nothing is known of the header, and there is
    /// no map.
    private static func asVersion2(_ content: [UInt8]) -> [UInt8] {
        [0, 2] + content[2...] + [UInt8](repeating: 0, count: 8 + 2 * Manifest.digestByteCount + 2)
    }

    static func sealedRecord(_ test: VectorTest) throws -> Verdict {
        let key = try VaultPlace.subkey(test, .record)
        let context = try VaultPlace.context(
            test, .record, objectID: RevisionID(test.bytes("revisionID")).bytes,
            role: NoteID(test.bytes("noteID")).bytes)
        let padded = try open(test, key, context)
        let content = try unpad(padded)
        let record = try NoteRecord(parsing: content)
        guard try record.noteID.bytes == test.bytes("noteID") else { throw Refusal("place") }
        guard test.has("salt") else { return .accepted }
        return try .comparing([
            ("record", content == test.bytes("record") && record.encoded == content),
            ("the padding", Padme.pad(content) == padded),
            ("sealed", seal(padded, key, context, test) == test.bytes("sealed")),
        ])
    }

    /// Returns the test's `sealed`, opened but still padded.
    static func open(_ test: VectorTest, _ key: SymmetricKey, _ context: [UInt8]) throws -> [UInt8] {
        let sealed = try test.bytes("sealed")
        guard let padded = try? Cobblestone().open(sealed, key: key, context: context) else { throw Refusal("open") }
        return padded
    }

    static func unpad(_ padded: [UInt8]) throws -> [UInt8] {
        guard let content = try? Padme.unpad(padded) else { throw Refusal("padding") }
        return content
    }

    /// Returns the same plaintext sealed again, with the test's salt.
    static func seal(_ padded: [UInt8], _ key: SymmetricKey, _ context: [UInt8], _ test: VectorTest) throws -> [UInt8] {
        let salt = try test.bytes("salt")
        return try unsafe padded.withUnsafeBytes { raw in
            try unsafe Cobblestone().seal(raw, key: key, context: context, salt: salt)
        }
    }
}

/// `VaultPlace` reads keys and contexts from the fields that all tests of sealed objects share.
enum VaultPlace {
    static func subkey(_ test: VectorTest, _ label: Label) throws -> SymmetricKey {
        try SymmetricKey(SecretBytes(array: test.bytes("vaultKey"))).subkey(label)
    }

    static func context(
        _ test: VectorTest, _ kind: Context.Kind, objectID: [UInt8] = [], role: [UInt8] = []
    ) throws -> [UInt8] {
        try Context(
            kind: kind, vaultID: VaultID(test.bytes("vaultID")), objectID: objectID, role: role,
            epoch: test.number("epoch")
        ).encoded
    }
}

/// `RotationRunner` tests the vault key of the epoch before, as the index holds it while a rotation runs. Spec:
/// docs/format.md §20.
enum RotationRunner {
    static func wrappedKey(_ test: VectorTest) throws -> Verdict {
        let epoch: UInt32 = try test.number("epoch")
        guard epoch > 1 else { throw Refusal("unwrap") }
        var role = ByteWriter(reserving: 12)
        role.u32(epoch - 1)
        role.u64(try test.number("counter"))
        let key = try VaultPlace.subkey(test, .rotation)
        let context = try VaultPlace.context(test, .rotation, role: role.bytes)
        let plain = try DraftRunners.unwrap(test.bytes("wrapped"), key, context).duplicateSecret().array
        guard test.has("salt") else { return .accepted }
        return try .comparing([
            ("vaultKeyBefore", plain == test.bytes("vaultKeyBefore")),
            ("wrapped", SealedRunners.seal(plain, key, context, test) == test.bytes("wrapped")),
        ])
    }
}

extension RotationRunner {
    /// Tests a key of what lies in a remote, of the epoch before. Spec: docs/format.md §20.
    static func formerRemoteKey(_ test: VectorTest) throws -> Verdict {
        let (epoch, use): (UInt32, UInt8) = (try test.number("epoch"), try test.number("use"))
        guard epoch > 1, let label = [1: Label.sync, 2: .remoteNames][use] else { throw Refusal("unwrap") }
        var role = ByteWriter(reserving: 5)
        role.u32(epoch - 1)
        role.u8(use)
        let key = try VaultPlace.subkey(test, .rotation)
        let context = try VaultPlace.context(test, .formerRemoteKey, role: role.bytes)
        let plain = try DraftRunners.unwrap(test.bytes("wrapped"), key, context).duplicateSecret().array
        guard test.has("salt") else { return .accepted }
        let before = try SymmetricKey(SecretBytes(array: test.bytes("vaultKeyBefore")))
        return try .comparing([
            ("vaultKeyBefore", plain == before.subkey(label).duplicateSecret().array),
            ("wrapped", SealedRunners.seal(plain, key, context, test) == test.bytes("wrapped")),
        ])
    }
}

/// Vectors are public: only here may secrets come from arrays and go back.
extension SecretBytes {
    init(array: [UInt8]) {
        unsafe self.init(byteCount: array.count) { target in unsafe target.copyBytes(from: array) }
    }

    var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
