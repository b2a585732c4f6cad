// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CZlib
internal import Glibc

/// Wycheproof keeps long ciphertexts compressed.
enum Inflated {
    /// What compresses to almost nothing stops here, in bytes.
    static let byteCountMax = 64 << 20

    /// The content of a whole zlib stream, whose checksum is verified.
    ///
    /// - Throws: `VectorFault` for anything else.
    static func bytes(of stream: [UInt8]) throws -> [UInt8] {
        var byteCount = 1 << 16
        while byteCount <= byteCountMax {
            var target = [UInt8](repeating: 0, count: byteCount)
            var filled = uLongf(byteCount)
            var taken = uLong(stream.count)
            let status = unsafe target.withUnsafeMutableBufferPointer { target in
                unsafe stream.withUnsafeBufferPointer { stream in
                    unsafe uncompress2(target.baseAddress, &filled, stream.baseAddress, &taken)
                }
            }
            if status == Z_OK, taken == uLong(stream.count) { return Array(target.prefix(Int(filled))) }
            guard status == Z_BUF_ERROR, filled == uLongf(byteCount) else { break }
            byteCount *= 8
        }
        throw VectorFault("ct is not a zlib stream, or is too long")
    }
}
