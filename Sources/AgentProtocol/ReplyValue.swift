// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// A `ReplyValue` is what an agent answers to an operation: a value that any front end presents in its own way.
///
/// An answer may come in several values of one type, each in frames of its own. Spec: docs/agent-protocol.md §2.
public protocol ReplyValue: Sendable, Equatable {
    /// Makes one with empty fields, to be read into.
    init()
    /// Writes or reads the fields in the order of the wire, as `Operation.code` does.
    ///
    /// - Throws: `FormatError` while reading. Writing never throws.
    mutating func code(_ fields: inout some FieldCoder) throws(FormatError)
}

extension ReplyValue {
    /// The payload of a reply, which `Frame` may spread over several frames.
    public var encoded: [UInt8] {
        var fields = FieldWriter(ByteWriter())
        var copy = self
        do throws(FormatError) { try copy.code(&fields) } catch { preconditionFailure("writing never throws") }
        return fields.writer.bytes
    }

    /// Reads the bytes that `encoded` makes.
    ///
    /// - Throws: `FormatError` for anything that `encoded` does not make.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        self.init()
        var fields = FieldReader(ByteReader(bytes))
        try code(&fields)
        let reader = fields.reader
        try reader.end()
    }
}

/// `NoReply` is the answer of an operation that only succeeds or fails.
public struct NoReply: ReplyValue {
    public init() {}
    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {}
}

extension FieldCoder {
    /// Writes or reads a text of an answer, of any length that its frames allow.
    public mutating func text(_ value: inout String) throws(FormatError) {
        try text(&value, max: Frame.replyByteCountMax)
    }

    /// Writes or reads anything that is counted, as 64 bits; at most 2^53.
    public mutating func count(_ value: inout Int) throws(FormatError) {
        var raw = UInt64(clamping: value)
        try u64(&raw)
        // Nothing is counted that far, and sums of such numbers cannot overflow.
        guard !isReading || raw <= 1 << 53 else { throw refusal(.tooLarge) }
        value = Int(clamping: raw)
    }

    public mutating func optionalCount(_ value: inout Int?) throws(FormatError) {
        try optional(&value, else: 0) { (fields, count) throws(FormatError) in try fields.count(&count) }
    }

    public mutating func optionalMoment(_ value: inout Int64?) throws(FormatError) {
        try optional(&value, else: 0) { (fields, moment) throws(FormatError) in try fields.i64(&moment) }
    }

    public mutating func texts(_ values: inout [String]) throws(FormatError) {
        try list(&values, max: .max, else: "") { (fields, text) throws(FormatError) in try fields.text(&text) }
    }

    /// Writes or reads values that are replies, or parts of one.
    public mutating func values<Value: ReplyValue>(_ values: inout [Value]) throws(FormatError) {
        try list(&values, max: .max, else: Value()) { (fields, value) throws(FormatError) in try value.code(&fields) }
    }

    /// Writes or reads ranges of bytes in a text.
    public mutating func ranges(_ values: inout [Range<Int>]) throws(FormatError) {
        try list(&values, max: .max, else: 0..<0) { (fields, range) throws(FormatError) in
            var (lower, upper) = (range.lowerBound, range.upperBound)
            try fields.count(&lower)
            try fields.count(&upper)
            guard lower <= upper else { throw fields.refusal(.notCanonical) }
            range = lower..<upper
        }
    }
}
