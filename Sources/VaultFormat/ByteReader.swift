// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ByteReader` reads numbers and byte strings from untrusted bytes. It never reads past the end and never reserves
/// memory for a length that the input does not hold.
///
/// Numbers are big-endian. A byte string is its length as UInt32, then its bytes.
public struct ByteReader: Sendable {
    private let bytes: [UInt8]
    /// Where the next read begins, in bytes.
    public private(set) var offset = 0

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Bytes that are left.
    public var remaining: Int { bytes.count - offset }

    public mutating func u8() throws(FormatError) -> UInt8 {
        try need(1)
        defer { offset += 1 }
        return bytes[offset]
    }
    public mutating func u16() throws(FormatError) -> UInt16 { UInt16(try number(2)) }
    public mutating func u32() throws(FormatError) -> UInt32 { UInt32(try number(4)) }
    public mutating func u64() throws(FormatError) -> UInt64 { try number(8) }
    public mutating func i64() throws(FormatError) -> Int64 { Int64(bitPattern: try number(8)) }

    /// Reads a flag, which is 0 or 1 and nothing else: one encoding for each value.
    public mutating func flag() throws(FormatError) -> Bool {
        let at = offset
        let byte = try u8()
        guard byte <= 1 else { throw FormatError(.notCanonical, offset: at) }
        return byte == 1
    }

    /// Reads exactly `count` bytes.
    public mutating func bytes(_ count: Int) throws(FormatError) -> [UInt8] {
        try need(count)
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    /// Reads a byte string with its length before it.
    public mutating func lengthPrefixed(max: Int) throws(FormatError) -> [UInt8] {
        try bytes(length(max: max))
    }

    /// Reads well-formed UTF-8 with its length before it.
    public mutating func text(max: Int) throws(FormatError) -> String {
        let at = offset
        let count = try length(max: max)
        // No array between them: a list is hundreds of short texts.
        guard let text = try? UTF8Span(validating: bytes[offset..<offset + count].span) else {
            throw FormatError(.notUTF8, offset: at)
        }
        offset += count
        return String(copying: text)
    }

    /// Refuses trailing bytes.
    public func end() throws(FormatError) {
        guard remaining == 0 else { throw FormatError(.trailingBytes, offset: offset) }
    }

    private func need(_ count: Int) throws(FormatError) {
        guard count >= 0, count <= remaining else { throw FormatError(.truncated, offset: offset) }
    }

    /// Reads a length that the rest of the bytes has room for.
    private mutating func length(max: Int) throws(FormatError) -> Int {
        let at = offset
        let count = Int(try u32())
        guard count <= max else { throw FormatError(.tooLarge, offset: at, length: (count, max)) }
        try need(count)
        return count
    }

    private mutating func number(_ count: Int) throws(FormatError) -> UInt64 {
        try need(count)
        var value: UInt64 = 0
        for index in offset..<offset + count { value = value << 8 | UInt64(bytes[index]) }
        offset += count
        return value
    }
}
