// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL
package import SecretMemory
internal import VaultCrypto

/// `X25519` calls X25519 of OpenSSL. Spec: RFC 7748, section 5.
package enum X25519 {
    package static let byteCount = 32

    /// Returns the public point of a secret.
    static func publicPoint(of secret: borrowing SecretBytes) throws(AgeError) -> [UInt8] {
        let key = try privateKey(secret)
        var point = [UInt8](repeating: 0, count: byteCount)
        var written = byteCount
        guard unsafe EVP_PKEY_get_raw_public_key(key.pointer, &point, &written) == 1, written == byteCount else {
            throw AgeError(.libraryFailure)
        }
        return point
    }

    /// Returns what both sides compute, or nil when it is all zero: then it depends on no secret, and RFC 7748 and age
    /// forbid it.
    ///
    /// - Parameter point: 32 bytes of the other side.
    package static func sharedSecret(_ secret: borrowing SecretBytes, with point: [UInt8]) throws(AgeError)
        -> SecretBytes?
    {
        let mine = try privateKey(secret)
        guard point.count == byteCount,
            let other = unsafe EVP_PKEY_new_raw_public_key_ex(nil, "X25519", nil, point, byteCount)
        else {
            throw AgeError(.libraryFailure)
        }
        let theirs = unsafe Key(other)
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, mine.pointer, nil) else {
            throw AgeError(.libraryFailure)
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_derive_init(context) == 1, unsafe EVP_PKEY_derive_set_peer(context, theirs.pointer) == 1
        else {
            throw AgeError(.libraryFailure)
        }
        var isDerived = false
        let shared = unsafe SecretBytes(byteCount: byteCount) { target in
            var written = target.count
            // OpenSSL refuses an all-zero result here; it is looked at below anyway.
            isDerived =
                unsafe EVP_PKEY_derive(context, target.bindMemory(to: UInt8.self).baseAddress, &written) == 1
                && written == byteCount
        }
        guard isDerived, !isZero(shared) else { return nil }
        return shared
    }

    private static func isZero(_ secret: borrowing SecretBytes) -> Bool {
        let zero = [UInt8](repeating: 0, count: byteCount)
        return unsafe secret.withUnsafeBytes { one in unsafe zero.withUnsafeBytes { unsafe SafeCompare.equal(one, $0) }
        }
    }

    private static func privateKey(_ secret: borrowing SecretBytes) throws(AgeError) -> Key {
        let made = unsafe secret.withUnsafeBytes { bytes in
            unsafe EVP_PKEY_new_raw_private_key_ex(
                nil, "X25519", nil, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
        }
        guard let made = unsafe made else { throw AgeError(.libraryFailure) }
        return unsafe Key(made)
    }

    /// `Key` owns a key of OpenSSL and frees it; OpenSSL clears private bytes as it does.
    @safe private final class Key {
        let pointer: OpaquePointer
        init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }
        deinit { unsafe EVP_PKEY_free(pointer) }
    }
}
