// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CZlib
internal import Glibc
internal import SecretMemory
internal import VaultCrypto

/// `ChunkedRunner` tests Cobblestone-256, in the three forms of Vectors/README.md.
enum ChunkedRunner {
    /// Longer messages are not made, in bytes.
    private static let messageByteCountMax = 1 << 28

    static func chunked(_ test: VectorTest) throws -> Verdict {
        if test.has("salt") { return try known(test) }
        let sealed: [UInt8]
        if test.has("base") {
            sealed = try SealedEdit.apply(test.list("edit"), to: seal(test.base()).sealed)
        } else {
            sealed = try test.bytes("ct")
        }
        _ = try open(sealed, test)
        return .accepted
    }

    private static func known(_ test: VectorTest) throws -> Verdict {
        let (message, sealed) = try seal(test)
        let matches =
            try test.has("ct")
            ? sealed == test.bytes("ct") : Digest.sha256(sealed) == test.bytes("ctSha256")
        let commitment = try Array(sealed[24..<Cobblestone.prefixByteCount]) == test.bytes("commitment")
        return try .comparing([
            ("commitment", commitment), ("ct", matches), ("msg", open(sealed, test) == message),
            ("the predicted size", Cobblestone.sealedByteCount(message.count) == sealed.count),
        ])
    }

    private static func seal(_ test: VectorTest) throws -> (message: [UInt8], sealed: [UInt8]) {
        let message = try message(test)
        let key = try key(test)
        let (context, salt) = (try test.bytes("context"), try test.bytes("salt"))
        let sealed = try unsafe message.withUnsafeBytes { raw in
            try unsafe Cobblestone().seal(raw, key: key, context: context, salt: salt)
        }
        return (message, sealed)
    }

    private static func open(_ sealed: [UInt8], _ test: VectorTest) throws -> [UInt8] {
        try Cobblestone().open(sealed, key: key(test), context: test.bytes("context"))
    }

    private static func key(_ test: VectorTest) throws -> SymmetricKey {
        try SymmetricKey(SecretBytes(array: test.bytes("key")))
    }

    private static func message(_ test: VectorTest) throws -> [UInt8] {
        guard test.has("msgSize") else { return try test.bytes("msg") }
        let size = try test.integer("msgSize")
        guard (0...messageByteCountMax).contains(size) else { throw VectorFault("msgSize is out of range") }
        return (0..<size).map { UInt8(truncatingIfNeeded: 7 * $0 + size) }
    }
}

/// `ForeignChunkedRunner` tests chunked encryption in Wycheproof's own schema, `c2sp_chunked_encryption_schema.json`.
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

/// Wycheproof keeps long ciphertexts compressed.
private enum Inflated {
    /// What compresses to almost nothing stops here, in bytes.
    static let byteCountMax = 64 << 20

    /// Returns the content of a whole zlib stream, whose checksum is verified.
    ///
    /// - Throws: `VectorFault` for anything else.
    static func bytes(of stream: [UInt8]) throws -> [UInt8] {
        var byteCount = 1 << 16
        while byteCount <= byteCountMax {
            var target = [UInt8](repeating: 0, count: byteCount)
            var filled = uLongf(byteCount)
            var taken = uLong(stream.count)
            let status = unsafe target.withUnsafeMutableBufferPointer { target in
                unsafe stream.withUnsafeBufferPointer { stream in
                    unsafe uncompress2(target.baseAddress, &filled, stream.baseAddress, &taken)
                }
            }
            if status == Z_OK, taken == uLong(stream.count) { return Array(target.prefix(Int(filled))) }
            guard status == Z_BUF_ERROR, filled == uLongf(byteCount) else { break }
            byteCount *= 8
        }
        throw VectorFault("ct is not a zlib stream, or is too long")
    }
}
