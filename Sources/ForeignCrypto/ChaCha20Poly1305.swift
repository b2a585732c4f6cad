// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL
package import SecretMemory

/// `ChaCha20Poly1305` is ChaCha20-Poly1305 under one key in one direction; the tag follows the ciphertext. Spec: RFC
/// 8439.
///
/// age has no associated data; vectors have.
@safe package final class ChaCha20Poly1305 {
    package static let keyByteCount = 32
    package static let nonceByteCount = 12
    package static let tagByteCount = 16
    private let context: OpaquePointer
    private let isEncrypting: Bool

    package init(key: borrowing SecretBytes, encrypting isEncrypting: Bool) throws(AgeError) {
        precondition(key.byteCount == Self.keyByteCount, "a key of ChaCha20 has 32 bytes")
        guard let fresh = unsafe EVP_CIPHER_CTX_new() else { throw AgeError(.libraryFailure) }
        unsafe context = fresh
        self.isEncrypting = isEncrypting
        let isSet = unsafe key.withUnsafeBytes { bytes in
            let raw = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
            return unsafe EVP_CipherInit_ex2(fresh, EVP_chacha20_poly1305(), raw, nil, isEncrypting ? 1 : 0, nil) == 1
        }
        guard isSet else { throw AgeError(.libraryFailure) }
    }

    /// Frees the context, of which OpenSSL clears the key schedule.
    deinit { unsafe EVP_CIPHER_CTX_free(context) }

    /// Encrypts into `target`, which has 16 bytes more than `plaintext`. The caller vouches that the nonce is used once
    /// under this key.
    package func seal(
        nonce: [UInt8], associatedData: [UInt8] = [], _ plaintext: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) throws(AgeError) {
        precondition(isEncrypting && nonce.count == Self.nonceByteCount, "a nonce of 12 bytes, and the right direction")
        precondition(target.count == plaintext.count + Self.tagByteCount, "the tag needs its place")
        let output = unsafe target.bindMemory(to: UInt8.self).baseAddress
        var written: Int32 = 0
        guard unsafe EVP_EncryptInit_ex2(context, nil, nil, nonce, nil) == 1, bind(associatedData),
            unsafe plaintext.count == 0
                || EVP_EncryptUpdate(
                    context, output, &written, plaintext.bindMemory(to: UInt8.self).baseAddress, Int32(plaintext.count))
                    == 1,
            finish(),
            unsafe EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagByteCount), target.baseAddress! + plaintext.count) == 1
        else { throw AgeError(.libraryFailure) }
    }

    /// Decrypts into `target`, which has 16 bytes less than `sealed`, and says whether the tag fits; if not, `target`
    /// is wiped.
    package func open(
        nonce: [UInt8], associatedData: [UInt8] = [], _ sealed: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        precondition(
            !isEncrypting && nonce.count == Self.nonceByteCount, "a nonce of 12 bytes, and the right direction")
        precondition(sealed.count == target.count + Self.tagByteCount, "the tag needs its place")
        let tag = unsafe UnsafeMutableRawPointer(mutating: sealed.baseAddress! + target.count)
        let output = unsafe target.bindMemory(to: UInt8.self).baseAddress
        var written: Int32 = 0
        let isAuthentic =
            unsafe EVP_DecryptInit_ex2(context, nil, nil, nonce, nil) == 1 && bind(associatedData)
            && (target.count == 0
                || EVP_DecryptUpdate(
                    context, output, &written, sealed.bindMemory(to: UInt8.self).baseAddress, Int32(target.count)) == 1)
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagByteCount), tag) == 1
            && finish()
        if !isAuthentic, let base = target.baseAddress { unsafe OPENSSL_cleanse(base, target.count) }
        return isAuthentic
    }

    private func bind(_ associatedData: [UInt8]) -> Bool {
        var written: Int32 = 0
        return unsafe associatedData.isEmpty
            || EVP_CipherUpdate(context, nil, &written, associatedData, Int32(associatedData.count)) == 1
    }

    private func finish() -> Bool {
        var spare: UInt64 = 0
        var written: Int32 = 0
        return unsafe withUnsafeMutableBytes(of: &spare) { raw in
            unsafe EVP_CipherFinal_ex(context, raw.bindMemory(to: UInt8.self).baseAddress, &written) == 1
        }
    }
}
