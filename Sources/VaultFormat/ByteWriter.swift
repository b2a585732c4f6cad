// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ByteWriter` writes what `ByteReader` reads: big-endian numbers, byte strings with their length as UInt32 before
/// them.
public struct ByteWriter: Sendable {
    public private(set) var bytes: [UInt8] = []

    public init(reserving byteCount: Int = 64) { bytes.reserveCapacity(byteCount) }

    public mutating func u8(_ value: UInt8) { bytes.append(value) }
    public mutating func u16(_ value: UInt16) { number(UInt64(value), byteCount: 2) }
    public mutating func u32(_ value: UInt32) { number(UInt64(value), byteCount: 4) }
    public mutating func u64(_ value: UInt64) { number(value, byteCount: 8) }
    public mutating func i64(_ value: Int64) { number(UInt64(bitPattern: value), byteCount: 8) }
    public mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }
    public mutating func raw(_ value: some Sequence<UInt8>) { bytes.append(contentsOf: value) }

    public mutating func lengthPrefixed(_ value: some Collection<UInt8>) {
        precondition(value.count <= Int(UInt32.max), "a byte string is at most 4 GiB")
        u32(UInt32(value.count))
        bytes.append(contentsOf: value)
    }
    public mutating func text(_ value: String) { lengthPrefixed(value.utf8) }

    private mutating func number(_ value: UInt64, byteCount: Int) {
        for shift in stride(from: (byteCount - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }
}
