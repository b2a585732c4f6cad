// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto

/// Chunked encryption in Wycheproof's own schema, `c2sp_chunked_encryption_schema.json`.
///
/// Spec: doc/c2sp_chunked_encryption.md of C2SP/wycheproof.
enum ForeignChunkedRunner {
    static func chunked(_ test: VectorTest) throws -> Verdict {
        guard test.group["aead"]?.text == "AEAD_AES_256_GCM", test.group["sha"]?.text == "SHA-512" else {
            return .skipped("another AEAD or hash than Cobblestone-256 has")
        }
        let (sealed, context) = (try Inflated.bytes(of: test.bytes("ct")), try test.bytes("ctx"))
        let key = try SymmetricKey(SecretBytes(array: test.bytes("key")))
        let message = try Cobblestone().open(sealed, key: key, context: context)
        let salt = Array(sealed.prefix(Cobblestone.saltByteCount))
        let again = try unsafe message.withUnsafeBytes { raw in
            try unsafe Cobblestone().seal(raw, key: key, context: context, salt: salt)
        }
        return try .comparing([
            ("msgLength", message.count == test.integer("msgLength")),
            ("msgSha512", Digest.sha512(message) == test.bytes("msgSha512")),
            ("ct, sealed again with its salt", again == sealed),
        ])
    }
}
