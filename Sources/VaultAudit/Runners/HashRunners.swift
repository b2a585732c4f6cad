// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto

/// HKDF and HMAC.
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

    /// Whole tags go through `HMAC.isValid`; shorter ones, which we never write, are compared with the first bytes of
    /// ours.
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
