// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto
internal import VaultFormat

/// The vault key of the epoch before, as the index holds it while a rotation runs. Spec: docs/format.md §20.
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
