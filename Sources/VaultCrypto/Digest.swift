// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL

/// SHA-256, and SHA-512, of public or already sealed bytes: for chains and pins, never for passwords. Spec: FIPS 180-4.
public enum Digest {
    public static let byteCount = 32

    /// - Throws: `CryptoError.libraryFailure`.
    public static func sha256(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        try unsafe digest(of: bytes, EVP_sha256(), byteCount: byteCount)
    }

    /// For vectors of others; no format of ours has it.
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
