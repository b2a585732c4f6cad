// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Dates
internal import TerminalText

/// `JSONText` is a JSON value to be written (RFC 8259), in the order given and without white space.
///
/// Texts are harmless on a terminal: `JSONString`.
public indirect enum JSONText: Sendable {
    case object([(key: String, value: JSONText)])
    case array([JSONText])
    case string(String)
    case int(Int64)
    case bool(Bool)
    case null

    /// Returns a moment in milliseconds since 1970, UTC, as RFC 3339.
    public static func date(_ milliseconds: Int64) -> JSONText { .string(DateStyle.rfc3339(milliseconds)) }

    /// The text as bytes, without a line feed at the end.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    public func write(to bytes: inout [UInt8]) {
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

    /// Returns a string with its quotes.
    public static func quoted(_ text: String) -> String {
        String(decoding: JSONText.string(text).encoded, as: UTF8.self)
    }

    /// Returns `"text"` or `null`.
    public static func quotedOrNull(_ text: String?) -> String { text.map(quoted) ?? "null" }

    private static func write<Item>(
        _ items: [Item], _ open: Unicode.Scalar, _ close: Unicode.Scalar, to bytes: inout [UInt8],
        _ body: (Item, inout [UInt8]) -> Void
    ) {
        bytes.append(UInt8(ascii: open))
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            body(item, &bytes)
        }
        bytes.append(UInt8(ascii: close))
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) { JSONString.write(text, to: &bytes) }
}
