// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SearchText

/// Makes text from a note, a name or an error harmless on a terminal: whatever could act instead of being read is shown instead.
///
/// | in the text | shown as |
/// |---|---|
/// | C0 controls, DEL | their control pictures, `␀` to `␟` and `␡` (so ESC, CSI, OSC and DCS in seven bits) |
/// | C1 controls, U+2028, U+2029, BiDi controls, invisible operators, annotations, tags | `<U+9B>`, `<U+202E>` |
/// | bytes that are not UTF-8 (so C1 in eight bits) | U+FFFD |
///
/// The zero-width joiner stays: it makes emoji. Safe text comes out as it went in. Test: attack G01.
enum SafeText {
    enum Layout {
        /// Line feeds and tabs become spaces.
        case singleLine
        /// Line feeds and tabs stay; a carriage return before a line feed is dropped.
        case multiline
    }

    static func safe(_ text: [UInt8], _ layout: Layout) -> [UInt8] {
        let start = plainCount(text.span, layout)
        if start == text.count { return text }
        var result = Array(text[..<start])
        result.reserveCapacity(text.count + 16)
        var offset = start
        while offset < text.count {
            let (scalar, byteCount) = UTF8Decoding.scalar(in: text.span, at: offset)
            let next = offset + byteCount < text.count ? text[offset + byteCount] : 0
            append(scalar, before: next, layout, to: &result)
            offset += byteCount
        }
        return result
    }

    /// A title, name or snippet for one line.
    static func singleLine(_ text: String) -> String { String(decoding: safe(Array(text.utf8), .singleLine), as: UTF8.self) }

    /// Whether a scalar may act on a terminal or on the order of what stands around it.
    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        case 0x2028...0x2029, 0x2060...0x2065, 0x206A...0x206F, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
        default: false
        }
    }

    private static func append(_ scalar: Unicode.Scalar, before next: UInt8, _ layout: Layout, to result: inout [UInt8]) {
        switch scalar {
        case "\r" where next == 0x0A: return
        case "\n", "\t": result.append(layout == .multiline ? UInt8(ascii: scalar) : 0x20)
        case "\0"..."\u{1F}": result += [0xE2, 0x90, 0x80 + UInt8(ascii: scalar)]
        case "\u{7F}": result += [0xE2, 0x90, 0xA1]
        case _ where isUnsafe(scalar): result += Array("<U+\(String(scalar.value, radix: 16, uppercase: true))>".utf8)
        default: result.append(contentsOf: UTF8.encode(scalar) ?? .init())
        }
    }

    /// How many bytes at the start are printable ASCII, or stay in this layout: most text is nothing else.
    private static func plainCount(_ text: Span<UInt8>, _ layout: Layout) -> Int {
        for offset in 0..<text.count {
            let byte = text[offset]
            if byte &- 0x20 < 0x5F { continue }
            guard layout == .multiline, byte == 0x0A || byte == 0x09 else { return offset }
        }
        return text.count
    }
}
