// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL

/// SHA-256 of many small blocks, one after the other: the algorithm is looked up once, and no call allocates. One
/// thread at a time. Spec: FIPS 180-4.
@safe public final class BlockDigest {
    private let context: OpaquePointer
    private let kind: OpaquePointer

    /// - Throws: `CryptoError.libraryFailure`.
    public init() throws(CryptoError) {
        guard let kind = unsafe EVP_MD_fetch(nil, "SHA256", nil) else { throw CryptoError(.libraryFailure) }
        guard let context = unsafe EVP_MD_CTX_new() else {
            unsafe EVP_MD_free(kind)
            throw CryptoError(.libraryFailure)
        }
        unsafe self.kind = kind
        unsafe self.context = context
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
        unsafe EVP_MD_free(kind)
    }

    /// Writes the digest of two pieces, as if they were one.
    ///
    /// - Parameter target: 32 bytes.
    /// - Returns: false when the library refuses; the target is not written then.
    public func digest(
        _ head: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard target.count == Digest.byteCount else { return false }
        return unsafe EVP_DigestInit_ex2(context, kind, nil) == 1
            && EVP_DigestUpdate(context, head.baseAddress, head.count) == 1
            && EVP_DigestUpdate(context, body.baseAddress, body.count) == 1
            && EVP_DigestFinal_ex(context, target.bytes, nil) == 1
    }
}
