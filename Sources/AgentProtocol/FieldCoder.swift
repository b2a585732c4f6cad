// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// A `FieldCoder` goes through the fields of a request, to write them or to read them. Limits count only while reading.
///
/// Numbers are big-endian; texts and byte strings have their length as UInt32 before them. Spec: docs/agent-protocol.md
/// §2.
public protocol FieldCoder {
    var isReading: Bool { get }
    mutating func u8(_ value: inout UInt8) throws(FormatError)
    mutating func u32(_ value: inout UInt32) throws(FormatError)
    mutating func u64(_ value: inout UInt64) throws(FormatError)
    mutating func i64(_ value: inout Int64) throws(FormatError)
    mutating func flag(_ value: inout Bool) throws(FormatError)
    mutating func text(_ value: inout String, max: Int) throws(FormatError)
    mutating func bytes(_ value: inout [UInt8], max: Int) throws(FormatError)
    /// Writes or reads what names a note: an identifier's prefix, a title or a part of it, a row of the last list, `-`.
    mutating func note(_ value: inout String) throws(FormatError)
    /// Returns what is wrong with the bytes that were just read.
    func refusal(_ code: FormatError.Code) -> FormatError
}

extension FieldCoder {
    /// The longest reference to a note and the longest name, in bytes.
    public static var referenceMax: Int { 4096 }
    /// The most notes, tags or other texts of one request.
    public static var countMax: UInt32 { 10_000 }

    public mutating func note(_ value: inout String) throws(FormatError) { try text(&value, max: Self.referenceMax) }

    /// Writes or reads a title, or the name of something.
    public mutating func reference(_ value: inout String) throws(FormatError) {
        try text(&value, max: Self.referenceMax)
    }

    /// Writes or reads a value with a byte for each of its cases.
    public mutating func code<Value: RawRepresentable>(_ value: inout Value) throws(FormatError)
    where Value.RawValue == UInt8 {
        var raw = value.rawValue
        try u8(&raw)
        guard let read = Value(rawValue: raw) else { throw refusal(.unknownKind) }
        value = read
    }

    /// Writes or reads a flag, and the value if it is there.
    public mutating func optional<Value>(
        _ value: inout Value?, else empty: Value, _ body: (inout Self, inout Value) throws(FormatError) -> Void
    ) throws(FormatError) {
        var isThere = value != nil
        try flag(&isThere)
        guard isThere else { return value = nil }
        var inner = value ?? empty
        try body(&self, &inner)
        value = inner
    }

    public mutating func optionalText(_ value: inout String?, max: Int) throws(FormatError) {
        try optional(&value, else: "") { (fields, text) throws(FormatError) in try fields.text(&text, max: max) }
    }

    /// Writes or reads how many there are, then each. Memory is taken as each is read, not because a number announces
    /// it.
    public mutating func list<Value>(
        _ values: inout [Value], max: UInt32 = Self.countMax, else empty: Value,
        _ body: (inout Self, inout Value) throws(FormatError) -> Void
    ) throws(FormatError) {
        var count = UInt32(clamping: values.count)
        try u32(&count)
        guard !isReading || count <= max else { throw refusal(.tooLarge) }
        guard isReading else {
            // A coder that puts other values in their places has them here.
            for index in values.indices { try body(&self, &values[index]) }
            return
        }
        values = []
        for _ in 0..<count {
            var value = empty
            try body(&self, &value)
            values.append(value)
        }
    }

    public mutating func notes(_ values: inout [String]) throws(FormatError) {
        try list(&values, else: "") { (fields, text) throws(FormatError) in try fields.note(&text) }
    }

    public mutating func references(_ values: inout [String]) throws(FormatError) {
        try list(&values, else: "") { (fields, text) throws(FormatError) in try fields.reference(&text) }
    }
}

struct FieldWriter: FieldCoder {
    private(set) var writer: ByteWriter
    init(_ writer: ByteWriter) { self.writer = writer }

    var isReading: Bool { false }
    mutating func u8(_ value: inout UInt8) { writer.u8(value) }
    mutating func u32(_ value: inout UInt32) { writer.u32(value) }
    mutating func u64(_ value: inout UInt64) { writer.u64(value) }
    mutating func i64(_ value: inout Int64) { writer.i64(value) }
    mutating func flag(_ value: inout Bool) { writer.flag(value) }
    mutating func text(_ value: inout String, max: Int) { writer.text(value) }
    mutating func bytes(_ value: inout [UInt8], max: Int) { writer.lengthPrefixed(value) }
    func refusal(_ code: FormatError.Code) -> FormatError { preconditionFailure("a value of ours has a byte of ours") }
}

struct FieldReader: FieldCoder {
    private(set) var reader: ByteReader
    init(_ reader: ByteReader) { self.reader = reader }

    var isReading: Bool { true }
    mutating func u8(_ value: inout UInt8) throws(FormatError) { value = try reader.u8() }
    mutating func u32(_ value: inout UInt32) throws(FormatError) { value = try reader.u32() }
    mutating func u64(_ value: inout UInt64) throws(FormatError) { value = try reader.u64() }
    mutating func i64(_ value: inout Int64) throws(FormatError) { value = try reader.i64() }
    mutating func flag(_ value: inout Bool) throws(FormatError) { value = try reader.flag() }
    mutating func text(_ value: inout String, max: Int) throws(FormatError) { value = try reader.text(max: max) }
    mutating func bytes(_ value: inout [UInt8], max: Int) throws(FormatError) {
        value = try reader.lengthPrefixed(max: max)
    }
    func refusal(_ code: FormatError.Code) -> FormatError { FormatError(code, offset: reader.offset) }
}
