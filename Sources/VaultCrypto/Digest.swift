// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL

/// `Digest` computes SHA-256 and SHA-512 of public or already sealed bytes: for chains and pins, never for passwords.
/// Spec: FIPS 180-4.
public enum Digest {
    public static let byteCount = 32

    /// Returns the SHA-256 of bytes.
    ///
    /// - Throws: `CryptoError.libraryFailure`.
    public static func sha256(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        try unsafe digest(of: bytes, EVP_sha256(), byteCount: byteCount)
    }

    /// Returns the SHA-512 of bytes: only for others' test vectors, none of our formats uses it.
    ///
    /// - Throws: `CryptoError.libraryFailure`.
    public static func sha512(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        try unsafe digest(of: bytes, EVP_sha512(), byteCount: 64)
    }

    private static func digest(of bytes: [UInt8], _ kind: OpaquePointer?, byteCount: Int) throws(CryptoError) -> [UInt8]
    {
        var digest = [UInt8](repeating: 0, count: byteCount)
        let done = unsafe bytes.withUnsafeBytes { input in
            unsafe digest.withUnsafeMutableBytes { output in
                unsafe EVP_Digest(input.baseAddress, input.count, output.bytes, nil, kind, nil)
            }
        }
        guard done == 1 else { throw CryptoError(.libraryFailure) }
        return digest
    }
}

/// `RunningDigest` computes SHA-256 of content that comes in pieces, to tell whether two contents are the same. It is
/// kept in memory and never written. Spec: FIPS 180-4.
@safe public final class RunningDigest {
    private let context: OpaquePointer

    /// Begins an empty digest.
    ///
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

    /// Returns the digest; the object cannot be used afterwards.
    public func finish() throws(CryptoError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Digest.byteCount)
        let done = unsafe digest.withUnsafeMutableBytes { unsafe EVP_DigestFinal_ex(context, $0.bytes, nil) }
        guard done == 1 else { throw CryptoError(.libraryFailure) }
        return digest
    }
}

/// `BlockDigest` computes SHA-256 of many small blocks, one after the other: the algorithm is looked up once, and no
/// call allocates. One thread at a time. Spec: FIPS 180-4.
@safe public final class BlockDigest {
    private let context: OpaquePointer
    private let kind: OpaquePointer

    /// Looks the algorithm up, once for all blocks.
    ///
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
