// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL

/// SHA-256 of content that comes in pieces, to tell whether two contents are the same. It is kept in memory and never
/// written. Spec: FIPS 180-4.
@safe public final class RunningDigest {
    private let context: OpaquePointer

    /// - Throws: `CryptoError.libraryFailure`.
    public init() throws(CryptoError) {
        guard let fresh = unsafe EVP_MD_CTX_new() else { throw CryptoError(.libraryFailure) }
        unsafe context = fresh
        guard unsafe EVP_DigestInit_ex2(fresh, EVP_sha256(), nil) == 1 else { throw CryptoError(.libraryFailure) }
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    public func add(_ bytes: UnsafeRawBufferPointer) throws(CryptoError) {
        guard unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
            throw CryptoError(.libraryFailure)
        }
    }

    /// Ends it; the object is of no use afterwards.
    public func finish() throws(CryptoError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Digest.byteCount)
        let done = unsafe digest.withUnsafeMutableBytes { unsafe EVP_DigestFinal_ex(context, $0.bytes, nil) }
        guard done == 1 else { throw CryptoError(.libraryFailure) }
        return digest
    }
}
