// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto
internal import VaultFormat

/// `DraftRunners` tests drafts in the clear, sealed, and the wrapped keys that they are sealed with. Spec:
/// docs/format.md §17.
enum DraftRunners {
    static func draft(_ test: VectorTest) throws -> Verdict {
        let bytes = try test.bytes("draft")
        let draft = try DraftText(parsing: bytes)
        guard test.has("sequence") else { return .accepted }
        return try .comparing([
            ("sequence", draft.sequence == test.number("sequence")),
            ("saved", draft.saved == test.number("saved")),
            ("body", draft.body == test.bytes("body")),
            ("draft, written again", draft.encoded == bytes),
        ])
    }

    static func sealedDraft(_ test: VectorTest) throws -> Verdict {
        let key = try SymmetricKey(SecretBytes(array: test.bytes("draftKey")))
        let context = try context(test, .draft, epoch: 0)
        let padded = try SealedRunners.open(test, key, context)
        let content = try SealedRunners.unpad(padded)
        let draft = try DraftText(parsing: content)
        guard test.has("salt") else { return .accepted }
        return try .comparing([
            ("draft", content == test.bytes("draft") && draft.encoded == content),
            ("the padding", Padme.pad(content) == padded),
            ("sealed", SealedRunners.seal(padded, key, context, test) == test.bytes("sealed")),
        ])
    }

    static func wrappedKey(_ test: VectorTest) throws -> Verdict {
        let key = try VaultPlace.subkey(test, .draftKey)
        let context = try context(test, .draftKey, epoch: test.number("epoch"))
        let draftKey = try unwrap(test.bytes("wrapped"), key, context)
        guard test.has("salt") else { return .accepted }
        let plain = draftKey.duplicateSecret().array
        return try .comparing([
            ("draftKey", plain == test.bytes("draftKey")),
            ("wrapped", SealedRunners.seal(plain, key, context, test) == test.bytes("wrapped")),
        ])
    }

    /// Unwraps a draft's key. A seal that does not open and content that is no key are refused alike.
    static func unwrap(_ wrapped: [UInt8], _ key: SymmetricKey, _ context: [UInt8]) throws -> SymmetricKey {
        guard let secret = try? Cobblestone().openSecret(wrapped, key: key, context: context),
            let draftKey = try? SymmetricKey(secret)
        else { throw Refusal("unwrap") }
        return draftKey
    }

    private static func context(_ test: VectorTest, _ kind: Context.Kind, epoch: UInt32) throws -> [UInt8] {
        try Context(
            kind: kind, vaultID: VaultID(test.bytes("vaultID")), objectID: DraftID(test.bytes("draftID")).bytes,
            epoch: epoch
        ).encoded
    }
}
