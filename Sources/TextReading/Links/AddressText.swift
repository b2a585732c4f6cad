// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `AddressText` tells where an address ends in running text, and how it is written in ASCII.
enum AddressText {
    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
    private static let opening = Array("([{".utf8)
    private static let closing = Array(")]}".utf8)

    /// Returns the end of path, query and fragment from `at` on.
    ///
    /// Brackets are kept in pairs; one that was opened before the address ends it, and so does the quote that stands
    /// before it. Marks at its end belong to the sentence, but for an address in `<…>`, which is taken as it is.
    ///
    /// - Parameter begin: where the address begins: what stands before it says how it ends.
    static func end(_ text: [UInt8], from at: Int, begin: Int, _ segment: Range<Int>) -> Int {
        let before = begin > segment.lowerBound ? text[begin - 1] : 0
        if before == UInt8(ascii: "<") {
            let end = run(text, from: at, segment, until: 0, isPaired: false)
            if end < segment.upperBound, text[end] == UInt8(ascii: ">") { return end }
        }
        let quote = before == UInt8(ascii: "'") ? before : 0
        return trimmed(text, at, run(text, from: at, segment, until: quote, isPaired: true))
    }

    private static func run(_ text: [UInt8], from begin: Int, _ segment: Range<Int>, until quote: UInt8, isPaired: Bool)
        -> Int
    {
        var at = begin
        var depth = [0, 0, 0]
        while at < segment.upperBound {
            let byte = text[at]
            if byte >= 0x80 {
                let (scalar, byteCount) = UTF8Decoding.scalar(in: text.span, at: at)
                guard ByteClass.isPath(scalar) else { break }
                at += byteCount
                continue
            }
            if byte <= 0x20 || byte == 0x7F || byte == quote || "<>\"`\\|".utf8.contains(byte) { break }
            if isPaired {
                if byte == UInt8(ascii: "["), at + 1 < segment.upperBound, text[at + 1] == byte { break }
                if let index = opening.firstIndex(of: byte) { depth[index] += 1 }
                if let index = closing.firstIndex(of: byte) {
                    guard depth[index] > 0 else { break }
                    depth[index] -= 1
                }
            }
            at += 1
        }
        return at
    }

    /// Cuts off the same marks as GitHub's autolinks, opening brackets, quotes and joiners.
    private static func trimmed(_ text: [UInt8], _ begin: Int, _ end: Int) -> Int {
        var end = end
        while end > begin {
            let byte = text[end - 1]
            if byte < 0x80 {
                guard ".,;:!?'*_~([{".utf8.contains(byte) else { break }
                end -= 1
            } else {
                let (scalar, start) = UTF8Decoding.scalar(in: text.span, before: end)
                guard [0x200C, 0x200D, 0xB7, 0x2010, 0x2011, 0x2013, 0x2019].contains(scalar.value) else { break }
                end = start
            }
        }
        return end
    }

    /// Returns path, query and fragment in the characters of RFC 3986; all others in percent, a lone `%` too.
    static func encoded(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var isInFragment = false
        for index in bytes.indices {
            let byte = bytes[index]
            var isKept = ByteClass.isAlphanumeric(byte) || "-._~:/?@!$&'()*+,;=".utf8.contains(byte)
            if byte == UInt8(ascii: "%") {
                isKept =
                    index + 2 < bytes.endIndex && ByteClass.isHexadecimal(bytes[index + 1])
                    && ByteClass.isHexadecimal(bytes[index + 2])
            } else if byte == UInt8(ascii: "#"), !isInFragment {
                isInFragment = true
                isKept = true
            }
            if isKept {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
