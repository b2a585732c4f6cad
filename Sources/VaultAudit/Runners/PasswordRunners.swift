// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto

/// Argon2id and its PHC strings. Vectors go below the floor of costs to be quick; the ceiling holds for them too.
enum PasswordRunners {
    static func argon2(_ test: VectorTest) throws -> Verdict {
        guard try test.integer("version") == 19, let cost = try cost(test), cost.isBelowCeiling else {
            throw CryptoError(.costOutOfRange)
        }
        let size = try test.integer("size")
        guard (0...1 << 20).contains(size) else { throw CryptoError(.badSize) }
        let made = try Argon2id.insecureDerive(
            password: SecretBytes(array: test.bytes("password")), secret: SecretBytes(array: test.bytes("secret")),
            salt: test.bytes("salt"),
            associatedData: test.bytes("ad"), cost: cost, byteCount: size)
        return try .comparing([("tag", made.array == test.bytes("tag"))])
    }

    static func phc(_ test: VectorTest) throws -> Verdict {
        let text = try test.text("phc")
        let hash = try PasswordHash(parsing: text)
        guard hash.cost.isBelowCeiling else { throw CryptoError(.costOutOfRange) }
        let fits = try hash.insecureVerify(SecretBytes(array: test.bytes("password")))
        return .comparing([
            ("the hash is of another password", fits), ("the string is written differently", hash.encoded == text),
        ])
    }

    private static func cost(_ test: VectorTest) throws -> Argon2Cost? {
        let numbers = try ["memoryKiB", "iterations", "parallelism"].compactMap {
            UInt32(exactly: try test.integer($0))
        }
        guard numbers.count == 3 else { return nil }
        return Argon2Cost(memoryKiB: numbers[0], iterations: numbers[1], parallelism: numbers[2])
    }
}
