// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto
internal import VaultFormat

/// Manifests and sealed note records. Spec: docs/format.md §4, §7, §9.
enum SealedRunners {
    static func manifest(_ test: VectorTest) throws -> Verdict {
        let key = try VaultPlace.subkey(test, .manifest)
        let context = try VaultPlace.context(test, .manifest)
        let padded = try open(test, key, context)
        let content = try unpad(padded)
        let manifest = try Manifest(parsing: content)
        guard test.has("salt") else { return .accepted }
        return try .comparing([
            ("padded", padded == test.bytes("padded") && Padme.pad(content) == padded),
            ("generation", manifest.generation == test.number("generation")),
            ("pageCount", manifest.pageCount == test.number("pageCount")),
            ("logSalt", manifest.logSalt == test.bytes("logSalt")),
            ("syncedByteCount", manifest.syncedByteCount == test.number("syncedByteCount")),
            ("isOpen", manifest.isOpen == test.flag("isOpen")),
            ("manifest, written again", manifest.encoded == content),
            ("sealed", seal(padded, key, context, test) == test.bytes("sealed")),
        ])
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

    /// The test's `sealed`, opened but still padded.
    static func open(_ test: VectorTest, _ key: SymmetricKey, _ context: [UInt8]) throws -> [UInt8] {
        let sealed = try test.bytes("sealed")
        guard let padded = try? Cobblestone().open(sealed, key: key, context: context) else { throw Refusal("open") }
        return padded
    }

    static func unpad(_ padded: [UInt8]) throws -> [UInt8] {
        guard let content = try? Padme.unpad(padded) else { throw Refusal("padding") }
        return content
    }

    /// The same plaintext sealed again, with the test's salt.
    static func seal(_ padded: [UInt8], _ key: SymmetricKey, _ context: [UInt8], _ test: VectorTest) throws -> [UInt8] {
        let salt = try test.bytes("salt")
        return try unsafe padded.withUnsafeBytes { raw in
            try unsafe Cobblestone().seal(raw, key: key, context: context, salt: salt)
        }
    }
}
