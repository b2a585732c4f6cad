// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `RecordReader` reads numbers and texts from untrusted bytes. It never reads past the end and never reserves memory
/// for a length that the input does not hold.
package struct RecordReader {
    private let bytes: [UInt8]
    /// Where the next read begins, in bytes.
    package private(set) var offset = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var remaining: Int { bytes.count - offset }

    package mutating func u8() throws(RecordError) -> UInt8 { UInt8(truncatingIfNeeded: try number(1)) }
    package mutating func u16() throws(RecordError) -> UInt16 { UInt16(truncatingIfNeeded: try number(2)) }
    package mutating func u32() throws(RecordError) -> UInt32 { UInt32(truncatingIfNeeded: try number(4)) }
    package mutating func u64() throws(RecordError) -> UInt64 { try number(8) }
    package mutating func i64() throws(RecordError) -> Int64 { Int64(bitPattern: try number(8)) }

    /// Reads a flag, which is 0 or 1 and nothing else: one encoding for each value.
    package mutating func flag() throws(RecordError) -> Bool {
        let at = offset
        let byte = try u8()
        guard byte <= 1 else { throw RecordError(.notCanonical, offset: at) }
        return byte == 1
    }

    /// Reads exactly `count` bytes.
    package mutating func raw(_ count: Int) throws(RecordError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw RecordError(.truncated, offset: offset) }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    /// Reads well-formed UTF-8 with its length as UInt32 before it.
    package mutating func text(max: Int) throws(RecordError) -> String {
        let at = offset
        let count = Int(try u32())
        guard count <= max else { throw RecordError(.tooLarge, offset: at) }
        guard let text = String(validating: try raw(count), as: UTF8.self) else {
            throw RecordError(.notUTF8, offset: at)
        }
        return text
    }

    package mutating func optionalText(max: Int) throws(RecordError) -> String? {
        try flag() ? try text(max: max) : nil
    }

    /// Refuses trailing bytes.
    package func end() throws(RecordError) {
        guard remaining == 0 else { throw RecordError(.trailingBytes, offset: offset) }
    }

    private mutating func number(_ count: Int) throws(RecordError) -> UInt64 {
        var value: UInt64 = 0
        for byte in try raw(count) { value = value << 8 | UInt64(byte) }
        return value
    }
}

/// `RecordWriter` writes what `RecordReader` reads: big-endian numbers, texts with their length before them.
package struct RecordWriter {
    package private(set) var bytes: [UInt8] = []

    package init(reserving byteCount: Int) { bytes.reserveCapacity(byteCount) }

    package mutating func u8(_ value: UInt8) { bytes.append(value) }
    package mutating func u16(_ value: UInt16) { number(UInt64(value), byteCount: 2) }
    package mutating func u32(_ value: UInt32) { number(UInt64(value), byteCount: 4) }
    package mutating func u64(_ value: UInt64) { number(value, byteCount: 8) }
    package mutating func i64(_ value: Int64) { number(UInt64(bitPattern: value), byteCount: 8) }
    package mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }
    package mutating func raw(_ value: some Collection<UInt8>) { bytes.append(contentsOf: value) }

    package mutating func text(_ value: String) {
        u32(UInt32(clamping: value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    package mutating func optionalText(_ value: String?) {
        flag(value != nil)
        if let value { text(value) }
    }

    package mutating func optionalTime(_ value: Int64?) {
        flag(value != nil)
        if let value { i64(value) }
    }

    private mutating func number(_ value: UInt64, byteCount: Int) {
        for shift in stride(from: (byteCount - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }
}

/// `RecordError` tells of bytes between the client and `vault-parse` that are not what they should be. It says where,
/// never what stood there.
public struct RecordError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// The input ends too early.
        public static let truncated = Code(raw: 1)
        /// Bytes are left after the last field.
        public static let trailingBytes = Code(raw: 2)
        /// A length or count above its cap.
        public static let tooLarge = Code(raw: 3)
        public static let notUTF8 = Code(raw: 4)
        /// A second encoding of a value that has only one.
        public static let notCanonical = Code(raw: 5)
        /// A path that is empty, absolute, or leaves its folder.
        public static let badPath = Code(raw: 6)
        /// Made by another release of the other program.
        public static let unknownVersion = Code(raw: 7)
        /// A loss that this program has no sentence for.
        public static let unknownLoss = Code(raw: 8)
        /// A time outside the years 1900 to 2200.
        public static let timeOutOfRange = Code(raw: 9)
    }

    /// Compare this.
    public let code: Code
    /// First bad byte, in bytes from the start of the frame's content.
    public let offset: Int?

    public init(_ code: Code, offset: Int? = nil) {
        self.code = code
        self.offset = offset
    }
}

extension RecordError: CustomStringConvertible {
    /// One line for a person; it carries nothing of the input.
    public var description: String {
        let reason =
            switch code {
            case .truncated: "it ends too early"
            case .trailingBytes: "bytes are left after its end"
            case .tooLarge: "a part of it is larger than allowed"
            case .notUTF8: "a text in it is not UTF-8"
            case .notCanonical: "a value in it is not in its one encoding"
            case .badPath: "its path is empty, absolute or leaves the folder"
            case .unknownVersion: "it comes from another release"
            case .unknownLoss: "it names an unknown loss"
            case .timeOutOfRange: "a time in it is out of range"
            default: "it is malformed"
            }
        guard let offset else { return reason }
        return "\(reason) (at byte \(offset))"
    }
}
