// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL
internal import SecretMemory

/// `XAES256GCM` seals and opens with AES-256-GCM with a 24-byte random nonce, for index pages: each page is sealed
/// under a key of its own, derived from half of the nonce.
///
/// It does not commit to its key; the keyslot's and the manifest's commitments do that before any page is read. One
/// object for one thread. Spec: c2sp.org/XAES-256-GCM; vectors: Vectors/xaes_256_gcm.json.
@safe public final class XAES256GCM {
    public static let nonceByteCount = 24
    public static let tagByteCount = 16
    private let block: OpaquePointer
    private let gcm: AESGCM
    /// K1 of the specification, 16 bytes, then room for one derived key, 32 bytes.
    private var scratch: SecretBytes
    private static let cipher = Cipher("AES-256-ECB")

    /// Sets up AES with the key, from which each nonce's own key is derived.
    ///
    /// - Throws: `CryptoError.libraryFailure`.
    public init(_ key: SymmetricKey) throws(CryptoError) {
        gcm = try AESGCM()
        scratch = SecretBytes(zeroes: 16 + 32)
        guard let fresh = unsafe EVP_CIPHER_CTX_new() else { throw CryptoError(.libraryFailure) }
        unsafe block = fresh
        let keyed = unsafe key.secret.withUnsafeBytes { raw in
            unsafe EVP_EncryptInit_ex2(fresh, Self.cipher.pointer, raw.bytes, nil, nil) == 1
                && EVP_CIPHER_CTX_set_padding(fresh, 0) == 1
        }
        guard keyed, prepareK1() else { throw CryptoError(.libraryFailure) }
    }

    deinit { unsafe EVP_CIPHER_CTX_free(block) }

    /// Seals `plaintext` into `target` (the same size).
    ///
    /// - Parameters:
    ///   - nonce: 24 bytes. Random, so that it never repeats: 2^80 seals for a collision chance of 2^-32.
    ///   - tag: 16 bytes, written.
    /// - Throws: `CryptoError.badSize`, `.libraryFailure`.
    public func seal(
        nonce: UnsafeRawBufferPointer, associatedData: UnsafeRawBufferPointer, _ plaintext: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer, tag: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        try unsafe deriveKey(nonce)
        try unsafe scratch.withUnsafeBytes { raw throws(CryptoError) in
            try unsafe gcm.seal(
                key: UnsafeRawBufferPointer(rebasing: raw[16..<48]),
                nonce: UnsafeRawBufferPointer(rebasing: nonce[12..<24]),
                associatedData: associatedData, plaintext, into: target, tag: tag)
        }
    }

    /// Opens what `seal` made; on failure `target` is wiped.
    ///
    /// - Throws: `CryptoError.notAuthentic`, `.badSize`.
    public func open(
        nonce: UnsafeRawBufferPointer, associatedData: UnsafeRawBufferPointer, _ ciphertext: UnsafeRawBufferPointer,
        tag: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        try unsafe deriveKey(nonce)
        try unsafe scratch.withUnsafeBytes { raw throws(CryptoError) in
            try unsafe gcm.open(
                key: UnsafeRawBufferPointer(rebasing: raw[16..<48]),
                nonce: UnsafeRawBufferPointer(rebasing: nonce[12..<24]),
                associatedData: associatedData, ciphertext, tag: tag, into: target)
        }
    }

    /// Computes K1 = the CMAC subkey: AES(0) doubled in GF(2^128). Spec: steps 1 and 2.
    private func prepareK1() -> Bool {
        let block = unsafe block
        return unsafe scratch.withUnsafeMutableBytes { raw in
            var written: Int32 = 0
            guard unsafe EVP_EncryptUpdate(block, raw.bytes, &written, raw.bytes, 16) == 1 else { return false }
            let carry = unsafe raw[0] >> 7
            for index in 0..<16 {
                let next = unsafe index < 15 ? raw[index + 1] >> 7 : 0
                unsafe raw[index] = raw[index] << 1 | next
            }
            unsafe raw[15] ^= carry * 0b1000_0111
            return true
        }
    }

    /// Computes Kx = AES(M1 ^ K1) || AES(M2 ^ K1), Mi = 0 || i || 'X' || 0 || nonce[0..<12]. Spec: steps 3 to 5.
    private func deriveKey(_ nonce: UnsafeRawBufferPointer) throws(CryptoError) {
        guard nonce.count == Self.nonceByteCount else { throw CryptoError(.badSize) }
        let block = unsafe block
        let derived = unsafe scratch.withUnsafeMutableBytes { raw in
            for half in 0..<2 {
                let base = 16 + 16 * half
                for index in 0..<4 { unsafe raw[base + index] = raw[index] }
                unsafe raw[base + 1] ^= UInt8(half + 1)
                unsafe raw[base + 2] ^= 0x58
                for index in 0..<12 { unsafe raw[base + 4 + index] = raw[4 + index] ^ nonce[index] }
            }
            var written: Int32 = 0
            let target = unsafe raw.bytes.map { unsafe $0 + 16 }
            return unsafe EVP_EncryptUpdate(block, target, &written, target, 32) == 1
        }
        guard derived else { throw CryptoError(.libraryFailure) }
    }
}
