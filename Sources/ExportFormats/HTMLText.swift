// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Text that is nothing but text to a browser, between tags and in quoted attributes alike.
enum HTMLText {
    static func append(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) {
        for byte in bytes { append(byte, to: &text) }
    }

    static func append(_ byte: UInt8, to text: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "<"): text += "&lt;".utf8
        case UInt8(ascii: ">"): text += "&gt;".utf8
        case UInt8(ascii: "&"): text += "&amp;".utf8
        case UInt8(ascii: "\""): text += "&quot;".utf8
        case UInt8(ascii: "'"): text += "&#39;".utf8
        case UInt8(ascii: "\n"), UInt8(ascii: "\t"): text.append(byte)
        // No HTML has these, not even escaped.
        case 0..<0x20, 0x7F: text += "\u{FFFD}".utf8
        default: text.append(byte)
        }
    }

    static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 16)
        for byte in text.utf8 { append(byte, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
