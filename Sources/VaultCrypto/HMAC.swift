// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL
public import SecretMemory

/// `Hash` names the two hashes that we use, and only under HMAC.
public enum Hash: Sendable {
    case sha256
    case sha512

    public var byteCount: Int { self == .sha256 ? 32 : 64 }
}

/// `HMAC` computes HMAC by OpenSSL. Spec: RFC 2104; vectors: RFC 4231.
public enum HMAC {
    /// Returns the tag of a message in parts.
    ///
    /// - Throws: `CryptoError.libraryFailure`.
    public static func tag(_ key: borrowing SecretBytes, _ message: [UInt8], hash: Hash) throws(CryptoError) -> [UInt8]
    {
        var tag = [UInt8](repeating: 0, count: hash.byteCount)
        let done = unsafe key.withUnsafeBytes { keyBytes in
            unsafe message.withUnsafeBytes { part in
                unsafe tag.withUnsafeMutableBytes { unsafe compute(keyBytes, [part], hash, into: $0) }
            }
        }
        guard done else { throw CryptoError(.libraryFailure) }
        return tag
    }

    /// Returns whether `tag` is the whole tag of `message`, compared in constant time.
    public static func isValid(
        _ tag: [UInt8], _ key: borrowing SecretBytes, _ message: [UInt8], hash: Hash
    ) throws(CryptoError) -> Bool {
        SafeCompare.equal(try self.tag(key, message, hash: hash), tag)
    }

    /// Writes `hash.byteCount` bytes. Contexts are copied from one that has its hash already: finding it by name costs
    /// more than a short message.
    static func compute(
        _ key: UnsafeRawBufferPointer, _ parts: [UnsafeRawBufferPointer], _ hash: Hash,
        into target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        precondition(target.count == hash.byteCount, "an HMAC fills its target exactly")
        guard let context = unsafe EVP_MAC_CTX_dup(prepared(hash).context) else { return false }
        defer { unsafe EVP_MAC_CTX_free(context) }
        // An empty key is legal for HMAC, but OpenSSL takes a null pointer for "no key given".
        let nothing: [UInt8] = [0]
        let started = unsafe nothing.withUnsafeBufferPointer { spare in
            unsafe EVP_MAC_init(
                context, key.count == 0 ? spare.baseAddress : key.bindMemory(to: UInt8.self).baseAddress, key.count, nil
            )
        }
        guard started == 1 else { return false }
        for index in unsafe parts.indices where unsafe parts[index].count > 0 {
            let part = unsafe parts[index]
            guard unsafe EVP_MAC_update(context, part.bindMemory(to: UInt8.self).baseAddress, part.count) == 1 else {
                return false
            }
        }
        var written = 0
        let output = unsafe target.bindMemory(to: UInt8.self).baseAddress
        return unsafe EVP_MAC_final(context, output, &written, target.count) == 1 && written == target.count
    }

    @safe private struct Prepared: @unchecked Sendable {
        let context: OpaquePointer

        init(_ name: String) {
            // Fetched once for the life of the process; failing here means that libcrypto itself is unusable.
            guard let mac = unsafe EVP_MAC_fetch(nil, "HMAC", nil), let fresh = unsafe EVP_MAC_CTX_new(mac) else {
                fatalError("libcrypto has no HMAC")
            }
            // A parameter keeps the pointers that it is given: both texts must outlive the call that reads it.
            var key = Array(OSSL_MAC_PARAM_DIGEST.utf8CString)
            var digest = Array(name.utf8CString)
            let set = unsafe key.withUnsafeMutableBufferPointer { keyText in
                unsafe digest.withUnsafeMutableBufferPointer { text in
                    var parameters = unsafe [
                        OSSL_PARAM_construct_utf8_string(keyText.baseAddress, text.baseAddress, 0),
                        OSSL_PARAM_construct_end(),
                    ]
                    return unsafe EVP_MAC_CTX_set_params(fresh, &parameters)
                }
            }
            guard set == 1 else { fatalError("libcrypto lacks a hash") }
            unsafe context = fresh
        }
    }

    private static let sha256 = Prepared("SHA256")
    private static let sha512 = Prepared("SHA512")
    private static func prepared(_ hash: Hash) -> Prepared { hash == .sha256 ? sha256 : sha512 }
}
