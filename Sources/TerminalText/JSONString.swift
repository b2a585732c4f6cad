// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `JSONString` writes a JSON string (RFC 8259 section 7). All that `SafeText` would show instead is escaped: the text
/// is the same to a parser, and harmless on a terminal. Everything else stays UTF-8.
public enum JSONString {
    /// Writes a text with its quotes.
    public static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var judge = ScalarJudge()
        let scalars = text.unicodeScalars
        for index in scalars.indices {
            let scalar = scalars[index]
            let verdict = judge.verdict(at: index, in: scalars)
            switch scalar {
            case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
            case "\n": bytes += Array("\\n".utf8)
            case "\t": bytes += Array("\\t".utf8)
            case "\r": bytes += Array("\\r".utf8)
            case " "..."~": bytes.append(UInt8(ascii: scalar))
            case _ where verdict != .plain: for unit in UTF16.encode(scalar) ?? .init() { escape(unit, to: &bytes) }
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
