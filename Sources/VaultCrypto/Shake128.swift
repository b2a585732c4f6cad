// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL

/// `Shake128` computes SHAKE-128 by OpenSSL. It serves the accumulated vectors of c2sp.org/XAES-256-GCM and nothing
/// else: no path of a vault leads here.
///
/// Spec: FIPS 202 §6.2.
@safe package final class Shake128 {
    private let context: OpaquePointer

    package init() throws(CryptoError) {
        guard let fresh = unsafe EVP_MD_CTX_new() else { throw CryptoError(.libraryFailure) }
        unsafe context = fresh
        guard unsafe EVP_DigestInit_ex2(fresh, EVP_shake128(), nil) == 1 else { throw CryptoError(.libraryFailure) }
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Adds bytes to what is hashed.
    package func absorb(_ bytes: [UInt8]) throws(CryptoError) {
        let done = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
        guard done == 1 else { throw CryptoError(.libraryFailure) }
    }

    /// Ends the hash with `byteCount` bytes of output; the object is of no use afterwards.
    package func finish(byteCount: Int) throws(CryptoError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: byteCount)
        let done = unsafe output.withUnsafeMutableBytes { unsafe EVP_DigestFinalXOF(context, $0.bytes, $0.count) }
        guard done == 1 else { throw CryptoError(.libraryFailure) }
        return output
    }

    /// Returns the first `byteCount` bytes of the stream that belongs to the empty string.
    ///
    /// In one piece because OpenSSL before 3.3 cannot go on with a stream that it has begun.
    package static func stream(byteCount: Int) throws(CryptoError) -> [UInt8] {
        try Shake128().finish(byteCount: byteCount)
    }
}
