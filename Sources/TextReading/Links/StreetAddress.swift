// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `StreetAddress` finds addresses of houses, from their number: `12 Main Street, Springfield` and `Hauptstr. 12, 12345
/// Berlin`. What leads to a map is a `geo:` URI without a place of its own, with the address as its query (RFC 5870;
/// `q` as map programs take it).
enum StreetAddress {
    /// Bytes that are looked at on either side of a number.
    private static let reach = 96
    private static let wordCountMax = 4
    /// What may have a full stop behind it that belongs to it.
    private static let short: Set<String> = ["st", "ave", "rd", "ln", "dr", "blvd", "ct", "sq", "pl", "hwy"]
    private static let streets: Set<String> = [
        "street", "st", "avenue", "ave", "road", "rd", "lane", "ln", "drive", "dr", "boulevard", "blvd", "court", "ct",
        "square", "sq", "place", "pl", "terrace", "highway", "hwy", "parkway", "crescent", "close",
    ]
    private static let endings = [
        "straße", "strasse", "str.", "weg", "platz", "allee", "gasse", "damm", "ufer", "ring",
    ]

    /// - Parameters:
    ///   - begin: where the number begins.
    ///   - floor: no link reaches back behind it.
    static func find(_ text: [UInt8], _ begin: Int, from floor: Int, _ segment: Range<Int>) -> DetectedLink? {
        var end = begin
        while end < segment.upperBound, end - begin < 6, ByteClass.isDigit(text[end]) { end += 1 }
        guard (1...5).contains(end - begin) else { return nil }
        // A letter of the house: 12a.
        if end < segment.upperBound, (0x61...0x66).contains(text[end] | 0x20), !isWord(text, end + 1, segment) {
            end += 1
        }
        guard !isWord(text, end, segment) else { return nil }
        return behind(text, begin, end, segment) ?? before(text, begin, end, floor, segment)
    }

    private static func isWord(_ text: [UInt8], _ at: Int, _ segment: Range<Int>) -> Bool {
        at < segment.upperBound && (ByteClass.isWord(text[at]) || text[at] >= 0x80)
    }

    /// `12 Main Street`, with a town behind a comma.
    private static func behind(
        _ text: [UInt8], _ begin: Int, _ number: Int, _ segment: Range<Int>
    ) -> DetectedLink? {
        let limit = min(number + reach, segment.upperBound)
        var at = number
        for count in 0...wordCountMax {
            guard at < limit, text[at] == 0x20, let word = capital(text, at + 1, limit) else { return nil }
            at = word.end
            if count > 0, streets.contains(word.text.lowercased()) {
                if at < limit, text[at] == 0x2E, short.contains(word.text.lowercased()) { at += 1 }
                return link(text, begin..<town(text, at, limit))
            }
        }
        return nil
    }

    /// `Hauptstraße 12`, with a postcode and a town behind a comma.
    private static func before(
        _ text: [UInt8], _ begin: Int, _ number: Int, _ floor: Int, _ segment: Range<Int>
    ) -> DetectedLink? {
        guard begin - 1 >= floor, text[begin - 1] == 0x20 else { return nil }
        var first = begin - 1
        while first > floor, begin - first < reach, text[first - 1] > 0x20, text[first - 1] != 0x2C { first -= 1 }
        let word = String(decoding: text[first..<begin - 1], as: UTF8.self).lowercased()
        guard word.utf8.count > 5, endings.contains(where: { word.hasSuffix($0) }), text[first] < 0x61 else {
            return nil
        }
        return link(text, first..<town(text, number, min(number + reach, segment.upperBound)))
    }

    /// Returns where a town ends that stands behind a comma: `, Springfield`, `, 12345 Berlin`, `, Springfield, IL
    /// 62704`.
    private static func town(_ text: [UInt8], _ begin: Int, _ limit: Int) -> Int {
        var end = begin
        for _ in 0..<2 {
            guard end + 2 < limit, text[end] == 0x2C, text[end + 1] == 0x20 else { return end }
            var at = end + 2
            var found = end
            for _ in 0..<wordCountMax {
                if let word = capital(text, at, limit) {
                    (at, found) = (word.end, word.end)
                } else {
                    var digits = at
                    while digits < limit, ByteClass.isDigit(text[digits]) { digits += 1 }
                    guard (4...5).contains(digits - at) else { break }
                    (at, found) = (digits, digits)
                }
                guard at + 1 < limit, text[at] == 0x20 else { break }
                at += 1
            }
            guard found > end else { return end }
            end = found
        }
        return end
    }

    /// Returns a word with a capital letter at its beginning.
    private static func capital(_ text: [UInt8], _ begin: Int, _ limit: Int) -> (text: String, end: Int)? {
        guard begin < limit, (0x41...0x5A).contains(text[begin]) || text[begin] == 0xC3 else { return nil }
        var end = begin
        while end < limit, ByteClass.isWord(text[end]) && text[end] != 0x5F || text[end] >= 0x80 { end += 1 }
        // One that goes on behind what is looked at would be cut in its middle.
        guard end < limit || end == text.count else { return nil }
        return (String(decoding: text[begin..<end], as: UTF8.self), end)
    }

    private static func link(_ text: [UInt8], _ range: Range<Int>) -> DetectedLink {
        var target = "geo:0,0?q="
        for byte in text[range] {
            let isPlain = byte < 0x80 && (ByteClass.isWord(byte) || byte == 0x2D || byte == 0x2E)
            if isPlain {
                target.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                target +=
                    "%" + String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
            }
        }
        return DetectedLink(
            kind: .address, range: range, target: target, label: String(decoding: text[range], as: UTF8.self))
    }
}
