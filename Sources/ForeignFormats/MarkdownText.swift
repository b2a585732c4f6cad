// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `MarkdownText` holds a file's bytes as well-formed UTF-8 with LF at the ends of lines and no byte order mark.
///
/// Only what a byte order mark proves is believed; all else that is not UTF-8 is read as Windows-1252, in which every
/// byte means something, and reported.
struct MarkdownText {
    let bytes: [UInt8]

    init(_ content: [UInt8], _ losses: inout MarkdownLosses) {
        let decoded = Self.decode(content, &losses)
        if decoded.contains(0) { losses.add(.containsNUL) }
        bytes = Self.unixLines(decoded)
    }

    private static func decode(_ content: [UInt8], _ losses: inout MarkdownLosses) -> [UInt8] {
        if content.starts(with: [0xFE, 0xFF]) { return utf16(content, bigEndian: true, &losses) }
        if content.starts(with: [0xFF, 0xFE]) { return utf16(content, bigEndian: false, &losses) }
        if String(validating: content, as: UTF8.self) != nil {
            return content.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(content[3...]) : content
        }
        losses.add(.notUTF8)
        return windows1252(content)
    }

    private static func utf16(_ content: [UInt8], bigEndian: Bool, _ losses: inout MarkdownLosses) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(content.count / 2)
        for at in stride(from: 2, to: content.count - 1, by: 2) {
            let (first, second) = (UInt16(content[at]), UInt16(content[at + 1]))
            units.append(bigEndian ? first << 8 | second : second << 8 | first)
        }
        // A half unit at the end cannot be right; a lone surrogate stands for it.
        if content.count % 2 == 1 { units.append(0xD800) }
        if let text = String(validating: units, as: UTF16.self) { return Array(text.utf8) }
        losses.add(.damagedUTF16)
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private static func windows1252(_ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.count + content.count / 4)
        for byte in content {
            let value = (0x80...0x9F).contains(byte) ? upperControls[Int(byte) - 0x80] : UInt16(byte)
            switch value {
            case 0..<0x80: bytes.append(UInt8(truncatingIfNeeded: value))
            case 0x80..<0x800: bytes += [0xC0 | UInt8(truncatingIfNeeded: value >> 6), tail(value)]
            default: bytes += [0xE0 | UInt8(truncatingIfNeeded: value >> 12), tail(value >> 6), tail(value)]
            }
        }
        return bytes
    }

    private static func tail(_ value: UInt16) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: value & 0x3F) }

    private static func unixLines(_ bytes: [UInt8]) -> [UInt8] {
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        guard bytes.contains(carriageReturn) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for at in bytes.indices {
            let isHalf = bytes[at] == carriageReturn && at + 1 < bytes.count && bytes[at + 1] == lineFeed
            if !isHalf { result.append(bytes[at]) }
        }
        return result
    }

    /// What 0x80 to 0x9F mean. Source: WHATWG Encoding Standard, index windows-1252.
    private static let upperControls: [UInt16] = [
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D,
        0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x009D, 0x017E, 0x0178,
    ]
}
