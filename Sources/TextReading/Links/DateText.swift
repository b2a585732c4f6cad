// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `DateText` finds ISO dates, alone or with a time: `2026-11-21`, `2026-11-21T10:00Z`. Source: RFC 3339.
enum DateText {
    private static let byteCount = 10

    static func find(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> DetectedLink? {
        guard let day = day(text, begin, segment) else { return nil }
        let end = timeEnd(text, begin + byteCount, segment) ?? begin + byteCount
        guard endsHere(text, end, segment) else { return nil }
        return DetectedLink(
            kind: .date, range: begin..<end, target: day, label: String(decoding: text[begin..<end], as: UTF8.self))
    }

    /// Returns the day that is written at `begin`, if the calendar has it.
    static func day(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> String? {
        guard segment.upperBound - begin >= byteCount, text[begin + 4] == 0x2D, text[begin + 7] == 0x2D,
            let year = number(text, begin, 4, segment), let month = number(text, begin + 5, 2, segment),
            let day = number(text, begin + 8, 2, segment),
            year > 0, (1...12).contains(month), (1...days(of: month, year)).contains(day)
        else { return nil }
        return String(decoding: text[begin..<(begin + byteCount)], as: UTF8.self)
    }

    private static func number(_ text: [UInt8], _ begin: Int, _ count: Int, _ segment: Range<Int>) -> Int? {
        guard begin + count <= segment.upperBound else { return nil }
        var value = 0
        for byte in text[begin..<(begin + count)] {
            guard ByteClass.isDigit(byte) else { return nil }
            value = value * 10 + Int(byte & 15)
        }
        return value
    }

    /// Returns the end of `T10:00`, then seconds, fraction and zone if there are any.
    private static func timeEnd(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> Int? {
        func holds(_ at: Int, _ mark: UInt8) -> Bool { at < segment.upperBound && text[at] == mark }
        let colon = UInt8(ascii: ":")
        guard begin < segment.upperBound, text[begin] | 0x20 == UInt8(ascii: "t"),
            let hour = number(text, begin + 1, 2, segment), hour < 24,
            holds(begin + 3, colon), let minute = number(text, begin + 4, 2, segment), minute < 60
        else { return nil }
        var at = begin + 6
        if holds(at, colon), let second = number(text, at + 1, 2, segment), second <= 60 {
            at += 3
            if holds(at, UInt8(ascii: ".")), number(text, at + 1, 1, segment) != nil {
                at += 1
                while at < segment.upperBound, ByteClass.isDigit(text[at]) { at += 1 }
            }
        }
        if at < segment.upperBound, text[at] | 0x20 == UInt8(ascii: "z") { return at + 1 }
        guard at < segment.upperBound, "+-".utf8.contains(text[at]), let zone = number(text, at + 1, 2, segment),
            zone < 24
        else { return at }
        if holds(at + 3, colon) { return number(text, at + 4, 2, segment).map { $0 < 60 ? at + 6 : at } ?? at }
        return number(text, at + 3, 2, segment) != nil ? at + 5 : at + 3
    }

    /// Returns whether this is not the beginning of a longer number, name, path or address. Letters of scripts without
    /// spaces may follow.
    private static func endsHere(_ text: [UInt8], _ end: Int, _ segment: Range<Int>) -> Bool {
        guard end < segment.upperBound else { return true }
        let byte = text[end]
        if byte >= 0x80 {
            let scalar = UTF8Decoding.scalar(in: text.span, at: end).scalar
            return !ByteClass.isName(scalar) || ByteClass.isUnspaced(scalar)
        }
        if ByteClass.isWord(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "@") { return false }
        guard "./:+\\".utf8.contains(byte), end + 1 < segment.upperBound else { return true }
        return !ByteClass.isWord(text[end + 1])
    }

    private static func days(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
