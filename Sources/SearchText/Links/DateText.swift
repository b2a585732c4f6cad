// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// ISO dates, alone or with a time: `2026-11-21`, `2026-11-21T10:00Z`. Source: RFC 3339.
enum DateText {
    static func find(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> DetectedLink? {
        guard let (year, month, day) = date(text, begin, segment), (1...12).contains(month), (1...days(of: month, year)).contains(day) else {
            return nil
        }
        var end = begin + 10
        if let time = timeEnd(text, end, segment) { end = time }
        guard endsHere(text, end, segment) else { return nil }
        let label = String(decoding: text[begin..<end], as: UTF8.self)
        return DetectedLink(kind: .date, range: begin..<end, target: String(label.prefix(10)), label: label)
    }

    private static func date(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> (Int, Int, Int)? {
        guard segment.upperBound - begin >= 10, text[begin + 4] == 0x2D, text[begin + 7] == 0x2D else { return nil }
        guard let year = number(text, begin, 4), let month = number(text, begin + 5, 2), let day = number(text, begin + 8, 2), year > 0 else {
            return nil
        }
        return (year, month, day)
    }

    private static func number(_ text: [UInt8], _ begin: Int, _ count: Int) -> Int? {
        guard begin + count <= text.count, text[begin..<begin + count].allSatisfy(ByteClass.isDigit) else { return nil }
        return text[begin..<begin + count].reduce(0) { $0 * 10 + Int($1 & 15) }
    }

    /// `T10:00`, then seconds, fraction and zone if there are any.
    private static func timeEnd(_ text: [UInt8], _ begin: Int, _ segment: Range<Int>) -> Int? {
        guard begin + 6 <= segment.upperBound, text[begin] == UInt8(ascii: "T"), let hour = number(text, begin + 1, 2), hour < 24,
            text[begin + 3] == UInt8(ascii: ":"), let minute = number(text, begin + 4, 2), minute < 60
        else { return nil }
        var at = begin + 6
        if at + 3 <= segment.upperBound, text[at] == UInt8(ascii: ":"), number(text, at + 1, 2) != nil { at += 3 }
        if at + 2 <= segment.upperBound, text[at] == UInt8(ascii: "."), ByteClass.isDigit(text[at + 1]) {
            at += 1
            while at < segment.upperBound, ByteClass.isDigit(text[at]) { at += 1 }
        }
        if at < segment.upperBound, text[at] == UInt8(ascii: "Z") { return at + 1 }
        if at + 6 <= segment.upperBound, "+-".utf8.contains(text[at]), number(text, at + 1, 2) != nil, text[at + 3] == UInt8(ascii: ":"),
            number(text, at + 4, 2) != nil
        {
            return at + 6
        }
        return at
    }

    /// Not the beginning of a longer number, name or path.
    private static func endsHere(_ text: [UInt8], _ end: Int, _ segment: Range<Int>) -> Bool {
        guard end < segment.upperBound else { return true }
        if ByteClass.isWord(text[end]) { return text[end] >= 0x80 }
        guard "-./:".utf8.contains(text[end]), end + 1 < segment.upperBound else { return true }
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
