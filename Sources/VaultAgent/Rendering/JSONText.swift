// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A JSON value to be written (RFC 8259), in the order given and without white space.
///
/// Control characters, and all that `SafeText` would show instead, are escaped: the text is the same to a parser, and harmless on a
/// terminal. Everything else stays UTF-8.
indirect enum JSONText: Sendable {
    case object([(key: String, value: JSONText)])
    case array([JSONText])
    case string(String)
    case int(Int64)
    case bool(Bool)
    case null

    /// A moment in milliseconds since 1970, UTC, as RFC 3339.
    static func date(_ milliseconds: Int64) -> JSONText { .string(DateStyle.rfc3339(milliseconds)) }

    /// Without a line feed at the end.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    func write(to bytes: inout [UInt8]) {
        switch self {
        case .object(let members):
            Self.write(members, "{", "}", to: &bytes) { member, bytes in
                Self.write(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
        case .array(let elements): Self.write(elements, "[", "]", to: &bytes) { $0.write(to: &$1) }
        case .string(let text): Self.write(text, to: &bytes)
        case .int(let number): bytes += Array(String(number).utf8)
        case .bool(let isTrue): bytes += Array((isTrue ? "true" : "false").utf8)
        case .null: bytes += Array("null".utf8)
        }
    }

    private static func write<Item>(
        _ items: [Item], _ open: Unicode.Scalar, _ close: Unicode.Scalar, to bytes: inout [UInt8], _ body: (Item, inout [UInt8]) -> Void
    ) {
        bytes.append(UInt8(ascii: open))
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            body(item, &bytes)
        }
        bytes.append(UInt8(ascii: close))
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
            case "\n": bytes += Array("\\n".utf8)
            case "\t": bytes += Array("\\t".utf8)
            case "\r": bytes += Array("\\r".utf8)
            case " "..."~": bytes.append(UInt8(ascii: scalar))
            case _ where SafeText.isUnsafe(scalar): for unit in UTF16.encode(scalar) ?? .init() { escape(unit, to: &bytes) }
            default: bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func escape(_ unit: UInt16, to bytes: inout [UInt8]) {
        let digits = String(unit, radix: 16)
        bytes += Array(("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8)
    }
}
