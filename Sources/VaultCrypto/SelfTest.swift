// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory

/// `SelfTest` tests one known answer for each primitive; it runs in the agent before the first key is derived: a
/// library that does not do what its specification says must not touch a vault.
public enum SelfTest {
    /// Compares what each primitive computes with the known answer.
    ///
    /// - Throws: `CryptoError.selfTestFailed`.
    public static func run() throws(CryptoError) {
        guard try hmac(), try hkdf(), try xaes(), try cobblestone(), try argon2id() else {
            throw CryptoError(.selfTestFailed)
        }
    }

    /// Tests RFC 4231 test case 1.
    private static func hmac() throws(CryptoError) -> Bool {
        let expected: [UInt8] = [
            0x87, 0xaa, 0x7c, 0xde, 0xa5, 0xef, 0x61, 0x9d, 0x4f, 0xf0, 0xb4, 0x24, 0x1a, 0x1d, 0x6c, 0xb0,
        ]
        let tag = try HMAC.tag(secret(0x0b, 20), Array("Hi There".utf8), hash: .sha512)
        return tag.starts(with: expected)
    }

    /// Tests RFC 5869 A.1.
    private static func hkdf() throws(CryptoError) -> Bool {
        let prk = try HKDF.extract(salt: Array(0x00...0x0c), input: secret(0x0b, 22), hash: .sha256)
        let okm = try HKDF.expand(prk, info: Array(0xf0...0xf9), byteCount: 42, hash: .sha256)
        let expected: [UInt8] = [
            0x3c, 0xb2, 0x5f, 0x25, 0xfa, 0xac, 0xd5, 0x7a, 0x90, 0x43, 0x4f, 0x64, 0xd0, 0x36, 0x2f, 0x2a,
        ]
        return unsafe okm.withUnsafeBytes { unsafe $0.starts(with: expected) }
    }

    /// Tests the first vector of c2sp.org/XAES-256-GCM, sealed, opened, and refused with one bit changed.
    private static func xaes() throws(CryptoError) -> Bool {
        let cipher = try XAES256GCM(SymmetricKey(secret(0x01, 32)))
        let text = Array("XAES-256-GCM".utf8)
        var sealed = [UInt8](repeating: 0, count: 12)
        var tag = [UInt8](repeating: 0, count: 16)
        let nonce = Array("ABCDEFGHIJKLMNOPQRSTUVWX".utf8)
        try run(cipher, nonce, text, &sealed, &tag)
        let expected: [UInt8] = [0xce, 0x54, 0x6e, 0xf6, 0x3c, 0x9c, 0xc6, 0x07, 0x65, 0x92, 0x36, 0x09]
        guard sealed == expected, try opens(cipher, nonce, sealed, tag) else { return false }
        tag[15] ^= 1
        return try !opens(cipher, nonce, sealed, tag)
    }

    /// Tests the second vector of Vectors/cobblestone_256.json, one byte, opened; and refused with one bit changed.
    private static func cobblestone() throws(CryptoError) -> Bool {
        let key: [UInt8] = [
            0xe9, 0xad, 0x84, 0xb1, 0xb2, 0x6a, 0xac, 0xca, 0x8e, 0xa5, 0x2b, 0x91, 0x1c, 0x81, 0xcd, 0xbb, 0x83, 0x11,
            0x34, 0x1d,
            0x7f, 0x9d, 0x6b, 0xa1, 0x30, 0x4f, 0x19, 0xef, 0xbf, 0x3a, 0x24, 0x5c,
        ]
        var sealed: [UInt8] = [
            0xb2, 0x4f, 0x59, 0x23, 0xc8, 0x33, 0x94, 0x2d, 0x62, 0x92, 0x36, 0x42, 0xce, 0x3a, 0x3e, 0x11, 0xf2, 0x3c,
            0xe5, 0x70,
            0x16, 0x68, 0xe8, 0x4c, 0xfc, 0x9a, 0xd2, 0x62, 0x5e, 0x55, 0x71, 0xbe, 0x59, 0x5e, 0x59, 0xc8, 0xe3, 0x19,
            0xdd, 0xf0,
            0x48, 0xe1, 0xe6, 0x42, 0x3b, 0x2c, 0x13, 0xb5, 0x69, 0x27, 0x5b, 0x1b, 0xe3, 0xeb, 0x46, 0x44, 0x8b, 0xd3,
            0xbb, 0x68,
            0x77, 0x34, 0x2d, 0xc9, 0xcf, 0x4d, 0x4b, 0xa9, 0x01, 0x36, 0xe6, 0x93, 0x89,
        ]
        let vectorKey = try SymmetricKey(unsafe SecretBytes(byteCount: 32) { unsafe $0.copyBytes(from: key) })
        let engine = try Cobblestone()
        let context = Array("vault example context".utf8)
        guard try engine.open(sealed, key: vectorKey, context: context) == [4] else { return false }
        sealed[sealed.count - 1] ^= 1
        return (try? engine.open(sealed, key: vectorKey, context: context)) == nil
    }

    /// Tests RFC 9106 §5.3.
    private static func argon2id() throws(CryptoError) -> Bool {
        let tag = try Argon2id.insecureDerive(
            password: Self.secret(1, 32), secret: Self.secret(3, 8), salt: [UInt8](repeating: 2, count: 16),
            associatedData: [UInt8](repeating: 4, count: 12),
            cost: Argon2Cost(memoryKiB: 32, iterations: 3, parallelism: 4),
            byteCount: 32)
        let expected: [UInt8] = [
            0x0d, 0x64, 0x0d, 0xf5, 0x8d, 0x78, 0x76, 0x6c, 0x08, 0xc0, 0x37, 0xa3, 0x4a, 0x8b, 0x53, 0xc9,
        ]
        return unsafe tag.withUnsafeBytes { unsafe $0.starts(with: expected) }
    }

    private static func secret(_ byte: UInt8, _ count: Int) -> SecretBytes {
        unsafe SecretBytes(byteCount: count) { unsafe $0.initializeMemory(as: UInt8.self, repeating: byte) }
    }

    private static func run(
        _ cipher: XAES256GCM, _ nonce: [UInt8], _ text: [UInt8], _ sealed: inout [UInt8], _ tag: inout [UInt8]
    ) throws(CryptoError) {
        try unsafe nonce.withUnsafeBufferPointer { nonce throws(CryptoError) in
            try unsafe text.withUnsafeBufferPointer { text throws(CryptoError) in
                try unsafe sealed.withUnsafeMutableBufferPointer { sealed throws(CryptoError) in
                    try unsafe tag.withUnsafeMutableBufferPointer { tag throws(CryptoError) in
                        try unsafe cipher.seal(
                            nonce: UnsafeRawBufferPointer(nonce),
                            associatedData: UnsafeRawBufferPointer(start: nil, count: 0),
                            UnsafeRawBufferPointer(text), into: UnsafeMutableRawBufferPointer(sealed),
                            tag: UnsafeMutableRawBufferPointer(tag))
                    }
                }
            }
        }
    }

    private static func opens(
        _ cipher: XAES256GCM, _ nonce: [UInt8], _ sealed: [UInt8], _ tag: [UInt8]
    ) throws(CryptoError) -> Bool {
        var text = [UInt8](repeating: 0, count: sealed.count)
        unsafe nonce.withUnsafeBytes { nonce in
            unsafe sealed.withUnsafeBytes { sealed in
                unsafe tag.withUnsafeBytes { tag in
                    unsafe text.withUnsafeMutableBytes { text in
                        try? unsafe cipher.open(
                            nonce: nonce, associatedData: UnsafeRawBufferPointer(start: nil, count: 0), sealed,
                            tag: tag, into: text)
                    }
                }
            }
        }
        return text == Array("XAES-256-GCM".utf8)
    }
}
