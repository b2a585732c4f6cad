// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL
public import SecretMemory

/// `HKDF` derives keys by HKDF over HMAC, written once for both hashes. Spec: RFC 5869; vectors: Vectors/hkdf_*.json.
public enum HKDF {
    /// Computes PRK = HMAC(salt, input).
    ///
    /// - Returns: as many bytes as the hash has.
    /// - Throws: `CryptoError.libraryFailure`.
    public static func extract(
        salt: [UInt8], input: borrowing SecretBytes, hash: Hash
    ) throws(CryptoError) -> SecretBytes {
        try unsafe SecretBytes(byteCount: hash.byteCount) { output throws(CryptoError) in
            let done = unsafe salt.withUnsafeBytes { key in
                unsafe input.withUnsafeBytes { unsafe HMAC.compute(key, [$0], hash, into: output) }
            }
            guard done else { throw CryptoError(.libraryFailure) }
        }
    }

    /// Returns output keying material of `byteCount` bytes.
    ///
    /// - Parameter byteCount: 1 to 255 times the hash's size, in bytes.
    /// - Throws: `CryptoError.badSize`, `.libraryFailure`.
    public static func expand(
        _ key: borrowing SecretBytes, info: [UInt8], byteCount: Int, hash: Hash
    ) throws(CryptoError) -> SecretBytes {
        guard byteCount >= 1, byteCount <= 255 * hash.byteCount else { throw CryptoError(.badSize) }
        return try unsafe SecretBytes(byteCount: byteCount) { output throws(CryptoError) in
            let done = unsafe key.withUnsafeBytes { unsafe expand($0, info: info, hash: hash, into: output) }
            guard done else { throw CryptoError(.libraryFailure) }
        }
    }

    /// Computes T(i) = HMAC(key, T(i-1) || info || i), one after another into `output`.
    static func expand(
        _ key: UnsafeRawBufferPointer, info: [UInt8], hash: Hash, into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { block in
            // The block holds key material: OPENSSL_cleanse because a plain loop may be optimised away.
            defer { unsafe OPENSSL_cleanse(block.baseAddress, block.count) }
            let previous = unsafe UnsafeMutableRawBufferPointer(rebasing: block[0..<hash.byteCount])
            var done = 0
            var counter: UInt8 = 0
            while done < output.count {
                counter += 1
                let made = unsafe info.withUnsafeBytes { infoBytes in
                    unsafe withUnsafeBytes(of: counter) { number in
                        let chained =
                            unsafe counter == 1
                            ? UnsafeRawBufferPointer(start: nil, count: 0) : UnsafeRawBufferPointer(previous)
                        return unsafe HMAC.compute(key, [chained, infoBytes, number], hash, into: previous)
                    }
                }
                guard made else { return false }
                let count = min(hash.byteCount, output.count - done)
                unsafe (output.baseAddress! + done).copyMemory(from: previous.baseAddress!, byteCount: count)
                done += count
            }
            return true
        }
    }
}
