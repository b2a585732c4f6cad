// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto
internal import VaultFormat

/// Opens a vault's header with one credential, step by step. Spec: docs/format.md §5.
enum HeaderRunner {
    static func header(_ test: VectorTest) throws -> Verdict {
        let bytes = try test.bytes("header")
        let header = try UnverifiedHeader(parsing: bytes)
        try checkCosts(header)
        let index = try test.integer("slot")
        guard header.keyslots.indices.contains(index) else { throw VectorFault("slot is out of range") }
        let slot = header.keyslots[index]
        let kek = try SymmetricKey(SecretBytes(array: test.bytes("kek")))
        let derived = try derivedKey(test, slot)
        let vaultKey = try unwrap(slot, kek, header)
        try checkMAC(header, vaultKey)
        return try .comparing([
            ("kek", derived == nil || derived == test.bytes("kek")),
            ("vaultKey", vaultKey.duplicateSecret().array == test.bytes("vaultKey")),
            ("header, written again", header.encoded == bytes),
        ])
    }

    /// What a header's credential leads to, where no test says which slot is meant: the slots of its kind are tried in
    /// turn.
    ///
    /// - Throws: `Refusal` with the step.
    static func key(_ header: UnverifiedHeader, _ test: VectorTest) throws -> SymmetricKey {
        try checkCosts(header)
        for slot in header.keyslots where slot.kind.usesArgon2 == test.has("password") {
            guard let derived = try derivedKey(test, slot) else { continue }
            guard let key = try? unwrap(slot, SymmetricKey(SecretBytes(array: derived)), header) else { continue }
            try checkMAC(header, key)
            return key
        }
        throw Refusal("unwrap")
    }

    private static func checkCosts(_ header: UnverifiedHeader) throws {
        guard header.keyslots.allSatisfy(isCostAcceptable) else { throw Refusal("cost") }
    }

    private static func checkMAC(_ header: UnverifiedHeader, _ key: SymmetricKey) throws {
        guard
            try HMAC.isValid(
                header.mac, key.subkey(.headerMAC).duplicateSecret(), header.authenticatedBytes, hash: .sha512)
        else { throw Refusal("mac") }
    }

    /// Floor and ceiling; this machine's memory is left out, so that the answer is the same everywhere.
    private static func isCostAcceptable(_ slot: Keyslot) -> Bool {
        let cost = Argon2Cost(memoryKiB: slot.memoryKiB, iterations: slot.iterations, parallelism: slot.parallelism)
        return !slot.kind.usesArgon2 || cost.isAcceptable(memoryByteCount: .max)
    }

    /// The key-encryption key of the test's credential; nil when it has none and its `kek` is taken as it is.
    private static func derivedKey(_ test: VectorTest, _ slot: Keyslot) throws -> [UInt8]? {
        if test.has("password") {
            let cost = Argon2Cost(memoryKiB: slot.memoryKiB, iterations: slot.iterations, parallelism: slot.parallelism)
            return try KeyFileRunners.derivedKey(test, salt: slot.salt, cost: cost)
        }
        guard test.has("recoveryKey") else { return nil }
        guard let secret = try RecoveryText.parse(test.text("recoveryKey")) else { throw Refusal("recoveryKey") }
        let extracted = try HKDF.extract(salt: slot.salt, input: SecretBytes(array: secret), hash: .sha512)
        let info = Array(Label.recoveryKeyslot.rawValue.utf8)
        return try HKDF.expand(extracted, info: info, byteCount: SymmetricKey.byteCount, hash: .sha512).array
    }

    private static func unwrap(_ slot: Keyslot, _ kek: SymmetricKey, _ header: UnverifiedHeader) throws -> SymmetricKey
    {
        let context = header.context(for: slot).encoded
        guard let secret = try? Cobblestone().openSecret(slot.wrappedKey, key: kek, context: context) else {
            throw Refusal("unwrap")
        }
        return try SymmetricKey(secret)
    }
}
