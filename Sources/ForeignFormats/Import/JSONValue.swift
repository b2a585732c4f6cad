// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `JSONValue` is a JSON text as a value. Source: RFC 8259; strict, but for a lone surrogate, which becomes U+FFFD.
enum JSONValue: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    private static let valueCountMax = 2_000_000

    /// Reads a JSON text as one value.
    ///
    /// - Returns: nil unless all of it is one value, nested at most 64 deep.
    static func parse(_ bytes: [UInt8]) -> JSONValue? {
        let stream = JSONStream(BytesSource(bytes))
        var left = valueCountMax
        guard let value = try? stream.value(depth: 0, left: &left), (try? stream.end()) != nil else { return nil }
        return value
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

extension JSONStream {
    /// Reads the next value, with all that is in it. The first of two members of one name counts: a second one cannot
    /// hide behind it.
    ///
    /// - Parameter left: how many values there may be.
    fileprivate func value(depth: Int, left: inout Int) throws(ImportFailure) -> JSONValue {
        left -= 1
        guard depth <= Self.depthMax, left >= 0 else { throw Self.malformed }
        switch try next() {
        case UInt8(ascii: "{"):
            var members: [String: JSONValue] = [:]
            try open("{")
            while let name = try wholeKey() {
                let value = try value(depth: depth + 1, left: &left)
                if members[name] == nil { members[name] = value }
            }
            return .object(members)
        case UInt8(ascii: "["):
            var items: [JSONValue] = []
            try open("[")
            while try element() { items.append(try value(depth: depth + 1, left: &left)) }
            return .array(items)
        case UInt8(ascii: "\""): return .string(try text(max: .max)?.string ?? "")
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try bool() == true)
        case UInt8(ascii: "n"):
            try skipValue()
            return .null
        default:
            guard let number = Double(String(decoding: try numeral(), as: UTF8.self)), number.isFinite else {
                throw Self.malformed
            }
            return .number(number)
        }
    }
}

/// `BytesSource` gives bytes that are in memory, as a file with one piece.
private final class BytesSource: EntrySource {
    private var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    let isCutShort = false
    func nextEntry() -> SourceEntry? { nil }
    func rewind() {}
    func readPiece() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}
