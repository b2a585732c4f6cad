// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto

/// Key files, and the keys that a password derives with one. Spec: docs/format.md §6.
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

    /// The key-encryption key of the test's password, with its key file if it has one.
    static func derivedKey(_ test: VectorTest, salt: [UInt8], cost: Argon2Cost) throws -> [UInt8] {
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
