// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignCrypto
internal import SecretMemory
internal import VaultCrypto

/// ChaCha20-Poly1305, which age files use, on arrays.
enum ForeignAead {
    /// - Throws: `CryptoError`: `badSize`, which the wrapper's callers vouch for.
    static func seal(key: [UInt8], nonce: [UInt8], associatedData: [UInt8], _ message: [UInt8]) throws -> (
        ciphertext: [UInt8], tag: [UInt8]
    ) {
        var sealed = [UInt8](repeating: 0, count: message.count + ChaCha20Poly1305.tagByteCount)
        let cipher = try cipher(key, nonce, encrypting: true)
        do {
            try unsafe message.withUnsafeBytes { text in
                try unsafe sealed.withUnsafeMutableBytes { target in
                    try unsafe cipher.seal(nonce: nonce, associatedData: associatedData, text, into: target)
                }
            }
        } catch { throw CryptoError(.libraryFailure) }
        return (
            Array(sealed.dropLast(ChaCha20Poly1305.tagByteCount)), Array(sealed.suffix(ChaCha20Poly1305.tagByteCount))
        )
    }

    /// - Throws: `CryptoError`: `badSize`, `notAuthentic`.
    static func open(
        key: [UInt8], nonce: [UInt8], associatedData: [UInt8], _ ciphertext: [UInt8], tag: [UInt8],
        into plaintext: inout [UInt8]
    ) throws {
        guard tag.count == ChaCha20Poly1305.tagByteCount else { throw CryptoError(.badSize) }
        let cipher = try cipher(key, nonce, encrypting: false)
        let isAuthentic = unsafe (ciphertext + tag).withUnsafeBytes { sealed in
            unsafe plaintext.withUnsafeMutableBytes { target in
                unsafe cipher.open(nonce: nonce, associatedData: associatedData, sealed, into: target)
            }
        }
        guard isAuthentic else { throw CryptoError(.notAuthentic) }
    }

    private static func cipher(_ key: [UInt8], _ nonce: [UInt8], encrypting: Bool) throws -> ChaCha20Poly1305 {
        guard key.count == ChaCha20Poly1305.keyByteCount, nonce.count == ChaCha20Poly1305.nonceByteCount else {
            throw CryptoError(.badSize)
        }
        guard let cipher = try? ChaCha20Poly1305(key: SecretBytes(array: key), encrypting: encrypting) else {
            throw CryptoError(.libraryFailure)
        }
        return cipher
    }
}
