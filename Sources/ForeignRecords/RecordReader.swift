// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Reads numbers and texts from untrusted bytes. It never reads past the end and never reserves memory for a length
/// that the input does not hold.
struct RecordReader {
    private let bytes: [UInt8]
    /// Where the next read begins, in bytes.
    private(set) var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var remaining: Int { bytes.count - offset }

    mutating func u8() throws(RecordError) -> UInt8 { UInt8(truncatingIfNeeded: try number(1)) }
    mutating func u16() throws(RecordError) -> UInt16 { UInt16(truncatingIfNeeded: try number(2)) }
    mutating func u32() throws(RecordError) -> UInt32 { UInt32(truncatingIfNeeded: try number(4)) }
    mutating func u64() throws(RecordError) -> UInt64 { try number(8) }
    mutating func i64() throws(RecordError) -> Int64 { Int64(bitPattern: try number(8)) }

    /// A flag is 0 or 1 and nothing else: one encoding for each value.
    mutating func flag() throws(RecordError) -> Bool {
        let at = offset
        let byte = try u8()
        guard byte <= 1 else { throw RecordError(.notCanonical, offset: at) }
        return byte == 1
    }

    /// Exactly `count` bytes.
    mutating func raw(_ count: Int) throws(RecordError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw RecordError(.truncated, offset: offset) }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    /// Well-formed UTF-8 with its length as UInt32 before it.
    mutating func text(max: Int) throws(RecordError) -> String {
        let at = offset
        let count = Int(try u32())
        guard count <= max else { throw RecordError(.tooLarge, offset: at) }
        guard let text = String(validating: try raw(count), as: UTF8.self) else {
            throw RecordError(.notUTF8, offset: at)
        }
        return text
    }

    mutating func optionalText(max: Int) throws(RecordError) -> String? {
        try flag() ? try text(max: max) : nil
    }

    /// Refuses trailing bytes.
    func end() throws(RecordError) {
        guard remaining == 0 else { throw RecordError(.trailingBytes, offset: offset) }
    }

    private mutating func number(_ count: Int) throws(RecordError) -> UInt64 {
        var value: UInt64 = 0
        for byte in try raw(count) { value = value << 8 | UInt64(byte) }
        return value
    }
}
