// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A JSON text as a value. Source: RFC 8259; strict, but for a lone surrogate, which becomes U+FFFD.
enum JSONValue: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// - Returns: nil unless all of it is one value, nested at most 64 deep.
    static func parse(_ bytes: [UInt8]) -> JSONValue? {
        var parser = JSONParser(bytes)
        return parser.document()
    }

    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var items: [JSONValue] {
        guard case .array(let items) = self else { return [] }
        return items
    }

    var isTrue: Bool { self == .bool(true) }
}

/// Reads JSON from untrusted bytes, each byte once.
private struct JSONParser {
    private static let depthMax = 64
    private static let valueCountMax = 2_000_000

    private let bytes: [UInt8]
    private var at = 0
    private var valueCount = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() -> JSONValue? {
        guard let value = value(depth: 0) else { return nil }
        skipSpace()
        return at == bytes.count ? value : nil
    }

    private mutating func value(depth: Int) -> JSONValue? {
        valueCount += 1
        guard depth <= Self.depthMax, valueCount <= Self.valueCountMax else { return nil }
        skipSpace()
        guard at < bytes.count else { return nil }
        switch bytes[at] {
        case UInt8(ascii: "{"): return object(depth)
        case UInt8(ascii: "["): return array(depth)
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return take("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func object(_ depth: Int) -> JSONValue? {
        at += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if skip("}") { return .object(members) }
        while true {
            skipSpace()
            guard at < bytes.count, bytes[at] == UInt8(ascii: "\""), let key = string() else { return nil }
            skipSpace()
            guard skip(":"), let value = value(depth: depth + 1) else { return nil }
            // The first of two counts: a second one cannot hide behind it.
            if members[key] == nil { members[key] = value }
            skipSpace()
            if skip("}") { return .object(members) }
            guard skip(",") else { return nil }
        }
    }

    private mutating func array(_ depth: Int) -> JSONValue? {
        at += 1
        var items: [JSONValue] = []
        skipSpace()
        if skip("]") { return .array(items) }
        while true {
            guard let value = value(depth: depth + 1) else { return nil }
            items.append(value)
            skipSpace()
            if skip("]") { return .array(items) }
            guard skip(",") else { return nil }
        }
    }

    private mutating func string() -> String? {
        at += 1
        var text: [UInt8] = []
        while at < bytes.count {
            let start = at
            while at < bytes.count, bytes[at] != UInt8(ascii: "\""), bytes[at] != UInt8(ascii: "\\"), bytes[at] >= 0x20
            { at += 1 }
            text += bytes[start..<at]
            guard at < bytes.count else { return nil }
            switch bytes[at] {
            case UInt8(ascii: "\""):
                at += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = escape() else { return nil }
                text += escaped
            default: return nil
            }
        }
        return nil
    }

    private mutating func escape() -> [UInt8]? {
        guard at + 1 < bytes.count else { return nil }
        let sign = bytes[at + 1]
        at += 2
        switch sign {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [sign]
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "u"):
            guard let first = unit() else { return nil }
            if first & 0xFC00 == 0xD800, at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
                bytes[at + 1] == UInt8(ascii: "u")
            {
                let place = at
                at += 2
                guard let second = unit() else { return nil }
                if second & 0xFC00 == 0xDC00 { return Array(String(decoding: [first, second], as: UTF16.self).utf8) }
                at = place
            }
            return Array(String(decoding: [first], as: UTF16.self).utf8)
        default: return nil
        }
    }

    private mutating func unit() -> UInt16? {
        guard at + 4 <= bytes.count, bytes[at..<(at + 4)].allSatisfy(MarkdownLinks.isHexadecimal) else { return nil }
        defer { at += 4 }
        return UInt16(String(decoding: bytes[at..<(at + 4)], as: UTF8.self), radix: 16)
    }

    private mutating func number() -> JSONValue? {
        let start = at
        while at < bytes.count, at - start < 64, "+-.0123456789eE".utf8.contains(bytes[at]) { at += 1 }
        guard let number = Double(String(decoding: bytes[start..<at], as: UTF8.self)), number.isFinite else {
            return nil
        }
        return .number(number)
    }

    private mutating func skipSpace() {
        while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 9 || bytes[at] == 10 || bytes[at] == 13 { at += 1 }
    }

    private mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard at < bytes.count, UInt32(bytes[at]) == sign.value else { return false }
        at += 1
        return true
    }

    private mutating func take(_ word: String) -> Bool {
        guard bytes[at...].starts(with: word.utf8) else { return false }
        at += word.utf8.count
        return true
    }
}
