// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto
internal import VaultFormat

/// `HeaderRunner` opens a vault's header with one credential, step by step. Spec: docs/format.md §5.
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

    /// Returns what a header's credential leads to, where no test says which slot is meant: the slots of its kind are
    /// tried in turn.
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

    /// Checks floor and ceiling; this machine's memory is left out, so that the answer is the same everywhere.
    private static func isCostAcceptable(_ slot: Keyslot) -> Bool {
        let cost = Argon2Cost(memoryKiB: slot.memoryKiB, iterations: slot.iterations, parallelism: slot.parallelism)
        return !slot.kind.usesArgon2 || cost.isAcceptable(memoryByteCount: .max)
    }

    /// Returns the key-encryption key of the test's credential; nil when it has none and its `kek` is taken as it is.
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

/// `KeyFileRunners` tests key files, and the keys that a password derives with one. Spec: docs/format.md §6.
enum KeyFileRunners {
    static func keyFile(_ test: VectorTest) throws -> Verdict {
        let file = try test.bytes("file")
        let key = try secret(of: file)
        guard test.has("key") else { return .accepted }
        return try .comparing([
            ("key", key.array == test.bytes("key")),
            ("file, written again", Array(KeyFile.text(key).array.prefix(file.count)) == file),
        ])
    }

    static func kek(_ test: VectorTest) throws -> Verdict {
        let cost = try Argon2Cost(
            memoryKiB: test.number("memoryKiB"), iterations: test.number("iterations"),
            parallelism: test.number("parallelism"))
        return try .comparing([("kek", derivedKey(test, salt: test.bytes("salt"), cost: cost) == test.bytes("kek"))])
    }

    /// Returns the key-encryption key of the test's password, with its key file if it has one.
    fileprivate static func derivedKey(_ test: VectorTest, salt: [UInt8], cost: Argon2Cost) throws -> [UInt8] {
        let password = try SecretBytes(array: test.bytes("password"))
        guard test.has("keyFile") else {
            return try Argon2id.deriveKey(password: password, salt: salt, cost: cost, memoryByteCount: .max)
                .duplicateSecret().array
        }
        let key = try secret(of: Array(test.text("keyFile").utf8))
        return try Argon2id.deriveKey(password: password, secret: key, salt: salt, cost: cost, memoryByteCount: .max)
            .duplicateSecret().array
    }

    private static func secret(of file: [UInt8]) throws -> SecretBytes {
        guard let key = KeyFile.parse(SecretBytes(array: file)) else { throw Refusal("keyFile") }
        return key
    }
}

/// `RecoveryText` reads a recovery key as typed, read from the specification alone: what vault itself does lies in a
/// module that needs a database.
///
/// Spec: docs/format.md §6.
private enum RecoveryText {
    private static let keyCharacterCount = 32
    private static let checkCharacterCount = 4

    /// Returns the key's 20 bytes; nil for foreign characters, another length or a checksum that does not fit.
    static func parse(_ text: String) throws -> [UInt8]? {
        var digits: [UInt8] = []
        for character in text.utf8 where character != 0x20 && character != 0x2D {
            guard let digit = Base32.value(of: alike(character)) else { return nil }
            digits.append(digit)
        }
        guard digits.count == keyCharacterCount + checkCharacterCount else { return nil }
        let key = packed(digits[0..<keyCharacterCount])
        let tag = try HMAC.tag(SecretBytes(array: key), Array("vault/v1 recovery checksum".utf8), hash: .sha256)
        let bits = tag.flatMap { byte in (0..<8).map { byte >> UInt8(7 - $0) & 1 } }
        let check = (0..<checkCharacterCount).map { at in bits[at * 5..<at * 5 + 5].reduce(0) { $0 << 1 | $1 } }
        return Array(digits[keyCharacterCount...]) == check ? key : nil
    }

    private static func packed(_ digits: ArraySlice<UInt8>) -> [UInt8] {
        let bits = digits.flatMap { digit in (0..<5).map { digit >> UInt8(4 - $0) & 1 } }
        return stride(from: 0, to: bits.count, by: 8).map { at in bits[at..<at + 8].reduce(0) { $0 << 1 | $1 } }
    }

    /// Returns the character that a typed one stands for: 0, 1 and 8 are no base32; a person who typed them meant o, i
    /// and b.
    private static func alike(_ character: UInt8) -> UInt8 {
        switch character {
        case 0x30: 0x6F
        case 0x31: 0x69
        case 0x38: 0x62
        default: character
        }
    }
}
