// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL

/// `AESGCM` seals and opens with AES-256-GCM with a 32-byte key, a 12-byte nonce and a 16-byte tag, and no other sizes.
///
/// The building block of `Cobblestone` and `XAES256GCM`; nothing else calls it, because alone it commits to no key and
/// sees no truncation. One context for one thread. Spec: NIST SP 800-38D; vectors: Vectors/aes_256_gcm_nist.json.
@safe package final class AESGCM {
    package static let nonceByteCount = 12
    package static let tagByteCount = 16
    private let context: OpaquePointer
    /// The key that a call without one goes on with; nil when the context holds none, or one of a single call.
    private var held: HeldKey?
    private var heldCount: UInt64 = 0
    private static let cipher = Cipher("AES-256-GCM")

    package init() throws(CryptoError) {
        guard let fresh = unsafe EVP_CIPHER_CTX_new() else { throw CryptoError(.libraryFailure) }
        unsafe context = fresh
    }

    deinit { unsafe EVP_CIPHER_CTX_free(context) }

    /// Encrypts `plaintext` into `target` (the same size) and writes 16 bytes of tag.
    ///
    /// The caller vouches that this nonce is used once under this key.
    package func seal(
        key: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer, associatedData: UnsafeRawBufferPointer,
        _ plaintext: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
        tag: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard key.count == 32 else { throw CryptoError(.badSize) }
        held = nil
        try unsafe encrypt(key.bytes, nonce, associatedData, plaintext, into: target, tag: tag)
    }

    /// Decrypts into `target` if the tag fits.
    ///
    /// OpenSSL takes tags of one byte and hands out plaintext before it has checked the tag: so the tag's size is
    /// compared first, and `target` is wiped when the tag does not fit (ThreatModel C01, C02).
    ///
    /// - Throws: `CryptoError.notAuthentic`, `.badSize` for a caller's mistake.
    package func open(
        key: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer, associatedData: UnsafeRawBufferPointer,
        _ ciphertext: UnsafeRawBufferPointer, tag: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard key.count == 32 else { throw CryptoError(.badSize) }
        held = nil
        try unsafe decrypt(key.bytes, nonce, associatedData, ciphertext, tag: tag, into: target)
    }

    /// Puts a key into the context for many calls in one direction: its schedule is made once, and a nonce alone costs
    /// a third of both.
    ///
    /// - Throws: `CryptoError.badSize`, `.libraryFailure`.
    package func hold(_ key: UnsafeRawBufferPointer, encrypting isEncrypting: Bool) throws(CryptoError) -> HeldKey {
        guard key.count == 32 else { throw CryptoError(.badSize) }
        held = nil
        let isSet =
            unsafe isEncrypting
            ? EVP_EncryptInit_ex2(context, Self.cipher.pointer, key.bytes, nil, nil) == 1
            : EVP_DecryptInit_ex2(context, Self.cipher.pointer, key.bytes, nil, nil) == 1
        guard isSet else { throw CryptoError(.libraryFailure) }
        heldCount += 1
        let fresh = HeldKey(number: heldCount, isEncrypting: isEncrypting)
        held = fresh
        return fresh
    }

    /// Returns whether the context still holds this key.
    package func holds(_ key: HeldKey) -> Bool { key == held }

    /// Seals as above, under the key that is held and without associated data.
    ///
    /// - Throws: `CryptoError.badSize` also when the context holds another key by now.
    package func seal(
        _ key: HeldKey, nonce: UnsafeRawBufferPointer, _ plaintext: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer,
        tag: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard key.isEncrypting, holds(key) else { throw CryptoError(.badSize) }
        try unsafe encrypt(nil, nonce, UnsafeRawBufferPointer(start: nil, count: 0), plaintext, into: target, tag: tag)
    }

    /// Opens as above, under the key that is held and without associated data.
    ///
    /// - Throws: `CryptoError.notAuthentic`; `.badSize` also when the context holds another key by now.
    package func open(
        _ key: HeldKey, nonce: UnsafeRawBufferPointer, _ ciphertext: UnsafeRawBufferPointer,
        tag: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard !key.isEncrypting, holds(key) else { throw CryptoError(.badSize) }
        try unsafe decrypt(nil, nonce, UnsafeRawBufferPointer(start: nil, count: 0), ciphertext, tag: tag, into: target)
    }

    /// Encrypts a plaintext into a target of the same size, and writes the tag.
    ///
    /// - Parameter key: 32 bytes, or nil for the one that is held.
    private func encrypt(
        _ key: UnsafePointer<UInt8>?, _ nonce: UnsafeRawBufferPointer, _ associatedData: UnsafeRawBufferPointer,
        _ plaintext: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
        tag: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard nonce.count == Self.nonceByteCount, tag.count == Self.tagByteCount,
            target.count == plaintext.count, plaintext.count <= Int(Int32.max)
        else { throw CryptoError(.badSize) }
        let cipher = unsafe key == nil ? nil : Self.cipher.pointer
        var written: Int32 = 0
        guard
            unsafe EVP_EncryptInit_ex2(context, cipher, key, nonce.bytes, nil) == 1,
            unsafe associatedData.count == 0
                || EVP_EncryptUpdate(context, nil, &written, associatedData.bytes, Int32(associatedData.count)) == 1,
            unsafe plaintext.count == 0
                || EVP_EncryptUpdate(context, target.bytes, &written, plaintext.bytes, Int32(plaintext.count)) == 1,
            finish(encrypting: true),
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag.baseAddress) == 1
        else { throw CryptoError(.libraryFailure) }
    }

    /// Decrypts a ciphertext into a target of the same size, which is wiped unless the tag fits.
    ///
    /// - Parameter key: 32 bytes, or nil for the one that is held.
    private func decrypt(
        _ key: UnsafePointer<UInt8>?, _ nonce: UnsafeRawBufferPointer, _ associatedData: UnsafeRawBufferPointer,
        _ ciphertext: UnsafeRawBufferPointer, tag: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard nonce.count == Self.nonceByteCount, tag.count == Self.tagByteCount,
            target.count == ciphertext.count, ciphertext.count <= Int(Int32.max)
        else { throw CryptoError(.badSize) }
        let cipher = unsafe key == nil ? nil : Self.cipher.pointer
        var written: Int32 = 0
        let authentic =
            unsafe EVP_DecryptInit_ex2(context, cipher, key, nonce.bytes, nil) == 1
            && (associatedData.count == 0
                || EVP_DecryptUpdate(context, nil, &written, associatedData.bytes, Int32(associatedData.count)) == 1)
            && (ciphertext.count == 0
                || EVP_DecryptUpdate(context, target.bytes, &written, ciphertext.bytes, Int32(ciphertext.count)) == 1)
            && EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_SET_TAG, 16, UnsafeMutableRawPointer(mutating: tag.baseAddress)) == 1
            && finish(encrypting: false)
        guard authentic else {
            unsafe OPENSSL_cleanse(target.baseAddress, target.count)
            throw CryptoError(.notAuthentic)
        }
    }

    private func finish(encrypting: Bool) -> Bool {
        var spare: (UInt64, UInt64) = (0, 0)
        var written: Int32 = 0
        return unsafe withUnsafeMutableBytes(of: &spare) { raw in
            unsafe encrypting
                ? EVP_EncryptFinal_ex(context, raw.bytes, &written) == 1
                : EVP_DecryptFinal_ex(context, raw.bytes, &written) == 1
        }
    }
}

/// `Cipher` is a cipher fetched once: fetching by name at each use costs more than a small page.
@safe struct Cipher: @unchecked Sendable {
    let pointer: OpaquePointer
    init(_ name: String) {
        guard let fetched = unsafe EVP_CIPHER_fetch(nil, name, nil) else { fatalError("libcrypto lacks a cipher") }
        unsafe pointer = fetched
    }
}

extension UnsafeRawBufferPointer {
    var bytes: UnsafePointer<UInt8>? { unsafe bindMemory(to: UInt8.self).baseAddress }
}
extension UnsafeMutableRawBufferPointer {
    var bytes: UnsafeMutablePointer<UInt8>? { unsafe bindMemory(to: UInt8.self).baseAddress }
}
