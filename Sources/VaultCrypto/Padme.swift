// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Padme` computes Padmé sizes: it rounds a size up so that at most log log of it is told, for at most 12% more bytes.
///
/// Spec: PURBs, PoPETs 2019(4) §4; docs/format.md §4. Vectors: Vectors/padme.json.
public enum Padme {
    /// Smallest padded size, in bytes.
    public static let floorByteCount = 256

    /// Returns the padded size for `byteCount` bytes, at least `floor`; nil when it does not fit an Int.
    ///
    /// - Parameter floor: a power of two, at least 256.
    public static func paddedByteCount(_ byteCount: Int, floor: Int = floorByteCount) -> Int? {
        guard byteCount >= 0 else { return nil }
        guard byteCount > floor else { return floor }
        let exponent = Int.bitWidth - 1 - byteCount.leadingZeroBitCount
        let exponentBits = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = (1 << (exponent - exponentBits)) - 1
        let (sum, overflow) = byteCount.addingReportingOverflow(mask)
        return overflow ? nil : sum & ~mask
    }

    /// Returns content, zeros, and the content's size in the last 8 bytes, big-endian.
    public static func pad(_ content: [UInt8], floor: Int = floorByteCount) -> [UInt8] {
        guard let size = paddedByteCount(content.count + 8, floor: floor) else {
            preconditionFailure("content larger than memory")
        }
        var padded = content
        padded.reserveCapacity(size)
        padded.append(contentsOf: repeatElement(0, count: size - 8 - content.count))
        let count = UInt64(content.count)
        for shift in stride(from: 56, through: 0, by: -8) {
            padded.append(UInt8(truncatingIfNeeded: count >> UInt64(shift)))
        }
        return padded
    }

    /// Gives the content back. There is one padding for each content: any other size or a byte that is not zero is
    /// refused.
    ///
    /// - Throws: `CryptoError.notAuthentic`, because only a program of ours could have sealed it so.
    public static func unpad(_ padded: [UInt8], floor: Int = floorByteCount) throws(CryptoError) -> [UInt8] {
        guard padded.count >= floor else { throw CryptoError(.notAuthentic) }
        let count = padded.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard count <= UInt64(padded.count - 8), paddedByteCount(Int(count) + 8, floor: floor) == padded.count,
            padded[Int(count)..<padded.count - 8].allSatisfy({ $0 == 0 })
        else { throw CryptoError(.notAuthentic) }
        return Array(padded[0..<Int(count)])
    }
}
