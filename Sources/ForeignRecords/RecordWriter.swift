// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Writes what `RecordReader` reads: big-endian numbers, texts with their length before them.
struct RecordWriter {
    private(set) var bytes: [UInt8] = []

    init(reserving byteCount: Int) { bytes.reserveCapacity(byteCount) }

    mutating func u8(_ value: UInt8) { bytes.append(value) }
    mutating func u16(_ value: UInt16) { number(UInt64(value), byteCount: 2) }
    mutating func u32(_ value: UInt32) { number(UInt64(value), byteCount: 4) }
    mutating func u64(_ value: UInt64) { number(value, byteCount: 8) }
    mutating func i64(_ value: Int64) { number(UInt64(bitPattern: value), byteCount: 8) }
    mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }
    mutating func raw(_ value: some Collection<UInt8>) { bytes.append(contentsOf: value) }

    mutating func text(_ value: String) {
        u32(UInt32(clamping: value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    mutating func optionalText(_ value: String?) {
        flag(value != nil)
        if let value { text(value) }
    }

    mutating func optionalTime(_ value: Int64?) {
        flag(value != nil)
        if let value { i64(value) }
    }

    private mutating func number(_ value: UInt64, byteCount: Int) {
        for shift in stride(from: (byteCount - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }
}
