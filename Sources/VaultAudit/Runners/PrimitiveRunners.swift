// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignCrypto
internal import SecretMemory
internal import VaultCrypto

/// `HashRunners` tests HKDF and HMAC.
enum HashRunners {
    static func hkdf(_ test: VectorTest) throws -> Verdict {
        guard let hash = test.hash else { return .skipped(foreignHash) }
        let key = try HKDF.extract(salt: test.bytes("salt"), input: SecretBytes(array: test.bytes("ikm")), hash: hash)
        let output = try HKDF.expand(key, info: test.bytes("info"), byteCount: test.integer("size"), hash: hash)
        // Wycheproof's own files have no PRK.
        let extracted = try !test.has("prk") || key.array == test.bytes("prk")
        return try .comparing([("prk", extracted), ("okm", output.array == test.bytes("okm"))])
    }

    static func hkdfExpand(_ test: VectorTest) throws -> Verdict {
        guard let hash = test.hash else { return .skipped(foreignHash) }
        let output = try HKDF.expand(
            SecretBytes(array: test.bytes("prk")), info: test.bytes("info"), byteCount: test.integer("size"), hash: hash
        )
        return try .comparing([("okm", output.array == test.bytes("okm"))])
    }

    /// Runs a test of HMAC. Whole tags go through `HMAC.isValid`; shorter ones, which we never write, are compared with
    /// the first bytes of ours.
    static func mac(_ test: VectorTest) throws -> Verdict {
        guard let hash = test.hash else { return .skipped(foreignHash) }
        let (key, message, tag) = (try test.bytes("key"), try test.bytes("msg"), try test.bytes("tag"))
        let byteCount = try test.groupSize("tagSize") / 8
        guard (1...hash.byteCount).contains(byteCount) else { throw VectorFault("tagSize is out of range") }
        if byteCount == hash.byteCount {
            return try HMAC.isValid(tag, SecretBytes(array: key), message, hash: hash) ? .accepted : .differs("tag")
        }
        let made = try HMAC.tag(SecretBytes(array: key), message, hash: hash)
        return SafeCompare.equal(Array(made[0..<byteCount]), tag) ? .accepted : .differs("tag")
    }

    private static let foreignHash = "neither SHA-256 nor SHA-512"
}

/// `PasswordRunners` tests Argon2id and its PHC strings. Vectors go below the floor of costs to be quick; the ceiling
/// holds for them too.
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

/// `ExchangeRunner` tests X25519, which age files use, in Wycheproof's own schema, `xdh_comp_schema_v1.json`.
enum ExchangeRunner {
    static func exchange(_ test: VectorTest) throws -> Verdict {
        guard test.group["curve"]?.text == "curve25519" else { return .skipped("another curve than X25519 has") }
        let (mine, point, shared) = (try test.bytes("private"), try test.bytes("public"), try test.bytes("shared"))
        guard mine.count == X25519.byteCount, point.count == X25519.byteCount else {
            return .refused(stage: nil, error: nil, cause: .size)
        }
        do {
            let secret = SecretBytes(array: mine)
            guard let found = try X25519.sharedSecret(secret, with: point) else {
                return .refused(stage: nil, error: nil, cause: .zeroSharedSecret)
            }
            return .comparing([("shared", found.array == shared)])
        } catch {
            throw VectorFault("libcrypto cannot compute it")
        }
    }
}

extension VectorTest {
    /// The result that our use of the primitive demands.
    ///
    /// Wycheproof leaves points on the twist, points that are not canonical and points of low order to the protocol
    /// ("acceptable"). RFC 7748 computes with the first two, so their shared secret must come out; age forbids a shared
    /// secret of zeros, which depends on no secret.
    var demanded: String {
        get throws {
            let result = try text("result")
            guard result == "acceptable", type == "XdhComp" else { return result }
            return try bytes("shared").allSatisfy { $0 == 0 } ? "invalid" : "valid"
        }
    }
}

/// `PadmeRunner` tests Padmé sizes.
enum PadmeRunner {
    static func padme(_ test: VectorTest) throws -> Verdict {
        guard let padded = Padme.paddedByteCount(try test.integer("size")) else { throw CryptoError(.badSize) }
        guard test.has("paddedSize") else { return .accepted }
        return try .comparing([("paddedSize", padded == test.integer("paddedSize"))])
    }
}
