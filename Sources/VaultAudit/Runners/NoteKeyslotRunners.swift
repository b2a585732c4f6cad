// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto
internal import VaultFormat

/// `NoteKeyslotRunners` tests keyslots of private notes, in the clear and sealed. Spec: docs/format.md §18.
enum NoteKeyslotRunners {
    static func keyslot(_ test: VectorTest) throws -> Verdict {
        let bytes = try test.bytes("slot")
        let slot = try NoteKeyslot(parsing: bytes)
        guard isCostAcceptable(slot) else { throw Refusal("cost") }
        guard test.has("noteID") else { return .accepted }
        return try .comparing([
            ("noteID", slot.noteID.bytes == test.bytes("noteID")),
            ("keyEpoch", slot.keyEpoch == test.number("keyEpoch")),
            ("showsTitle", slot.showsTitle == test.flag("showsTitle")),
            ("memoryKiB", slot.memoryKiB == test.number("memoryKiB")),
            ("iterations", slot.iterations == test.number("iterations")),
            ("parallelism", slot.parallelism == test.number("parallelism")),
            ("slotSalt", slot.salt == test.bytes("slotSalt")),
            ("wrapped", slot.wrappedKey == test.bytes("wrapped")),
            ("passwordHash", slot.passwordHash == test.text("passwordHash")),
            ("slot, written again", slot.encoded == bytes),
        ])
    }

    static func sealed(_ test: VectorTest) throws -> Verdict {
        let layers = try TwoLayers(test)
        let seal = try layers.outer(.noteKeyslot, .noteKeyslot, layers.noteID.bytes)
        let padded = try seal.open(test.bytes("sealed"), or: "open")
        let content = try TwoLayers.unpad(padded, or: "padding")
        let slot = try NoteKeyslot(parsing: content)
        guard slot.noteID == layers.noteID else { throw Refusal("place") }
        guard isCostAcceptable(slot) else { throw Refusal("cost") }
        let kek = try SymmetricKey(SecretBytes(array: test.bytes("kek")))
        let wrap = layers.noteKey(slot, kek: kek)
        guard let secret = try? Cobblestone().openSecret(slot.wrappedKey, key: kek, context: wrap.context),
            secret.byteCount == SymmetricKey.byteCount
        else { throw Refusal("unwrap") }
        guard test.has("salt") else { return .accepted }
        let plain = secret.array
        return try .comparing([
            ("noteKey", plain == test.bytes("noteKey")),
            ("keyEpoch", slot.keyEpoch == test.number("keyEpoch")),
            ("slot", content == test.bytes("slot") && slot.encoded == content),
            ("the padding", Padme.pad(content) == padded),
            ("the wrapped key", wrap.seal(plain, test, salt: "wrapSalt") == slot.wrappedKey),
            ("sealed", seal.seal(padded, test) == test.bytes("sealed")),
            ("the password", isPasswordRight(test, slot)),
        ])
    }

    /// Checks the password if the test has one: the key-encryption key is derived from it, and the hash beside it is of
    /// it.
    private static func isPasswordRight(_ test: VectorTest, _ slot: NoteKeyslot) throws -> Bool {
        guard test.has("password") else { return true }
        let kek = try Argon2id.deriveKey(
            password: SecretBytes(array: test.bytes("password")), salt: slot.salt, cost: cost(slot),
            memoryByteCount: .max)
        let isOfIt = try PasswordHash(parsing: slot.passwordHash).verify(
            SecretBytes(array: test.bytes("password")), memoryByteCount: .max)
        return try isOfIt && kek.duplicateSecret().array == test.bytes("kek")
    }

    private static func cost(_ slot: NoteKeyslot) -> Argon2Cost {
        Argon2Cost(memoryKiB: slot.memoryKiB, iterations: slot.iterations, parallelism: slot.parallelism)
    }

    /// Checks floor and ceiling; this machine's memory is left out, so that the answer is the same everywhere.
    private static func isCostAcceptable(_ slot: NoteKeyslot) -> Bool { cost(slot).isAcceptable(memoryByteCount: .max) }
}
