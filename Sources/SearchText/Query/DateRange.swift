// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Dates

/// `DateRange` reads the spans of time that a person names: `2026`, `2026-11`, `2026-11-21`, `today`, `yesterday`,
/// `7d`, with `>`, `>=`, `<`, `<=`, `=` before them, or `A..B`.
enum DateRange {
    /// Returns the span that a text names, in milliseconds since 1970, UTC, the end not included; nil if it is not a
    /// date.
    static func parse(_ text: String, _ clock: QueryClock) -> Range<Int64>? {
        if let dots = text.range(of: "..") { return between(text[..<dots.lowerBound], text[dots.upperBound...], clock) }
        let marks = [">=", "<=", ">", "<", "="]
        let mark = marks.first { text.hasPrefix($0) } ?? ""
        guard let span = span(text.dropFirst(mark.count), clock) else { return nil }
        return switch mark {
        case ">": span.upperBound..<Int64.max
        case ">=": span.lowerBound..<Int64.max
        case "<": Int64.min..<span.lowerBound
        case "<=": Int64.min..<span.upperBound
        default: span
        }
    }

    /// Returns the span from one day to another, with both days in it; either end may be left open.
    private static func between(_ from: Substring, _ to: Substring, _ clock: QueryClock) -> Range<Int64>? {
        let begin = from.isEmpty ? Int64.min : span(from, clock)?.lowerBound
        let end = to.isEmpty ? Int64.max : span(to, clock)?.upperBound
        guard let begin, let end, !(from.isEmpty && to.isEmpty) else { return nil }
        return begin..<max(begin, end)
    }

    private static func span(_ text: Substring, _ clock: QueryClock) -> Range<Int64>? {
        let today = dayNumber(of: clock.now, clock)
        switch text.lowercased() {
        case "today": return day(today, clock)..<day(today + 1, clock)
        case "yesterday": return day(today - 1, clock)..<day(today, clock)
        default: break
        }
        if let unit = text.last, let days = ["d": 1, "w": 7, "m": 30, "y": 365][unit], let count = Int(text.dropLast()),
            (1...100_000).contains(count)
        {
            return day(today - days * count, clock)..<Int64.max
        }
        return calendar(text, clock)
    }

    /// Reads a year, a month or a day.
    private static func calendar(_ text: Substring, _ clock: QueryClock) -> Range<Int64>? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count),
            zip(parts, [4, 2, 2]).allSatisfy({
                $0.utf8.count == $1 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
            })
        else { return nil }
        let numbers = parts.compactMap { Int($0) }
        let (year, month) = (numbers[0], numbers.count > 1 ? numbers[1] : 1)
        guard year >= 1, (1...12).contains(month) else { return nil }
        let monthStart = CivilCalendar.dayNumber(year, month, 1)
        let nextMonth =
            month == 12 ? CivilCalendar.dayNumber(year + 1, 1, 1) : CivilCalendar.dayNumber(year, month + 1, 1)
        switch numbers.count {
        case 1: return day(monthStart, clock)..<day(CivilCalendar.dayNumber(year + 1, 1, 1), clock)
        case 2: return day(monthStart, clock)..<day(nextMonth, clock)
        default:
            guard numbers[2] >= 1, monthStart + numbers[2] <= nextMonth else { return nil }
            return day(monthStart + numbers[2] - 1, clock)..<day(monthStart + numbers[2], clock)
        }
    }

    private static func dayNumber(of moment: Int64, _ clock: QueryClock) -> Int {
        let local = moment + Int64(clock.offset(moment)) * 1000
        return Int((local - ((local % 86_400_000) + 86_400_000) % 86_400_000) / 86_400_000)
    }

    /// Returns when a day begins where the reader is. The clocks may be changed on that very day, so it is asked twice.
    private static func day(_ number: Int, _ clock: QueryClock) -> Int64 {
        let utc = Int64(number) * 86_400_000
        let first = utc - Int64(clock.offset(utc)) * 1000
        return utc - Int64(clock.offset(first)) * 1000
    }
}

extension String {
    /// Returns the first place of a mark of ASCII characters.
    fileprivate func range(of mark: String) -> Range<String.Index>? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(mark) { return index..<self.index(index, offsetBy: mark.count) }
            index = self.index(after: index)
        }
        return nil
    }
}
