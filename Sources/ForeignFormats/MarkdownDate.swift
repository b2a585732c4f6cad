// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `MarkdownDate` reads the dates that note programs write: ISO 8601 and YAML's timestamp, with or without time and
/// zone.
///
/// `2024-01-31`, `2024-1-31 9:05`, `2024-01-31T10:15:00.250+01:00`, `20240131T101500Z`. Programs that write UTC
/// everywhere are read so; what a person's clock showed is read in `LocalZone.current`. Sources: ISO 8601-1:2019,
/// yaml.org/type/timestamp.html.
struct MarkdownDate {
    private static let byteCountMax = 64
    private var rest: ArraySlice<UInt8>

    /// Reads a date of a program that means UTC where it names no zone.
    ///
    /// - Returns: milliseconds since 1970; nil if it is no such date or lies outside the years 1900 to 2200.
    static func milliseconds(_ text: String) -> Int64? {
        guard let date = parse(text) else { return nil }
        return inRange(date.seconds * 1000 + date.fraction)
    }

    /// Reads a date that a clock on a wall or a wrist showed, where it names no zone.
    ///
    /// - Returns: also whether it named none.
    static func local(_ text: String) -> (milliseconds: Int64, isLocal: Bool)? {
        guard let date = parse(text) else { return nil }
        let seconds = date.hasZone ? date.seconds : LocalZone.current.instant(clock: date.seconds)
        return inRange(seconds * 1000 + date.fraction).map { ($0, !date.hasZone) }
    }

    private static func inRange(_ time: Int64) -> Int64? { ParsedNote.times.contains(time) ? time : nil }

    /// Reads a date, whether or not it names a zone.
    ///
    /// - Returns: seconds since 1970, of the clock where it names no zone.
    private static func parse(_ text: String) -> (seconds: Int64, fraction: Int64, hasZone: Bool)? {
        var bytes = Array(text.utf8.prefix(byteCountMax + 1))[...]
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        guard bytes.count <= byteCountMax else { return nil }
        var date = MarkdownDate(rest: bytes.drop(while: isBlank))
        guard let days = date.day() else { return nil }
        var seconds: Int64 = 0
        var fraction: Int64 = 0
        var hasZone = false
        if !date.rest.isEmpty {
            guard let time = date.time() else { return nil }
            _ = date.skipBlanks()
            hasZone = !date.rest.isEmpty
            guard let offset = hasZone ? date.zone() : 0 else { return nil }
            seconds = time.seconds - offset
            fraction = time.milliseconds
        }
        guard date.rest.isEmpty else { return nil }
        return (days * 86_400 + seconds, fraction, hasZone)
    }

    /// Reads a day, as days since 1970.
    private mutating func day() -> Int64? {
        guard let year = digits(4...4), (1900...2200).contains(year) else { return nil }
        let isExtended = skip("-")
        guard let month = digits(isExtended ? 1...2 : 2...2), (1...12).contains(month) else { return nil }
        if isExtended, !skip("-") { return nil }
        guard let day = digits(isExtended ? 1...2 : 2...2) else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day >= 1, day <= lengths[Int(month) - 1] else { return nil }
        let before = year - 1
        let daysBeforeYear = before * 365 + before / 4 - before / 100 + before / 400
        // 719,162 days lie between 0001-01-01 and 1970-01-01.
        return daysBeforeYear - 719_162 + lengths[..<(Int(month) - 1)].reduce(0, +) + day - 1
    }

    private mutating func time() -> (seconds: Int64, milliseconds: Int64)? {
        guard skip("T") || skip("t") || skipBlanks() else { return nil }
        guard let hour = digits(1...2), hour <= 23 else { return nil }
        let isExtended = skip(":")
        guard let minute = digits(2...2), minute <= 59 else { return nil }
        var second: Int64 = 0
        var milliseconds: Int64 = 0
        if isExtended ? skip(":") : startsWithDigit {
            // 60 is a leap second: the same instant as the next minute's 0.
            guard let value = digits(2...2), value <= 60 else { return nil }
            second = value
            if skip(".") || skip(",") { milliseconds = fraction() }
        }
        return (hour * 3600 + minute * 60 + second, milliseconds)
    }

    /// Reads digits after the decimal sign; what lies beyond milliseconds is dropped.
    private mutating func fraction() -> Int64 {
        let digits = rest.prefix(while: Self.isDigit)
        rest = rest.dropFirst(digits.count)
        return (0..<3).reduce(0) { value, at in
            value * 10 + (at < digits.count ? Int64(digits[digits.startIndex + at] - UInt8(ascii: "0")) : 0)
        }
    }

    /// Reads a zone, as seconds east of UTC.
    private mutating func zone() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = digits(1...2), hours <= 15 else { return nil }
        var minutes: Int64 = 0
        if skip(":") || startsWithDigit {
            guard let value = digits(2...2), value <= 59 else { return nil }
            minutes = value
        }
        let offset = hours * 3600 + minutes * 60
        return isWest ? -offset : offset
    }

    private mutating func digits(_ counts: ClosedRange<Int>) -> Int64? {
        let digits = rest.prefix(counts.upperBound).prefix(while: Self.isDigit)
        guard counts.contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func skipBlanks() -> Bool {
        let count = rest.prefix(while: Self.isBlank).count
        rest = rest.dropFirst(count)
        return count > 0
    }

    private var startsWithDigit: Bool { rest.first.map(Self.isDigit) ?? false }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

/// `LocalZone` is the time zone for dates that do not name one.
///
/// A parser opens no file, so its caller brings the rules as a function. A time that the clock showed twice is the
/// first of the two; one that it skipped is read with the offset before the change, so that 02:30 becomes 03:30.
/// Spec: docs/cli.md §7.
public struct LocalZone: Sendable {
    /// UTC where nobody said another one.
    @TaskLocal public static var current = LocalZone { _ in 0 }

    private static let daySeconds: Int64 = 86_400
    private let offset: @Sendable (Int64) -> Int64

    /// Makes a zone of its rules.
    ///
    /// - Parameter offset: seconds east of UTC at an instant, in seconds since 1970.
    public init(_ offset: @escaping @Sendable (Int64) -> Int64) { self.offset = offset }

    /// Returns the instant at which the clock shows a time.
    ///
    /// - Parameter clock: what it shows, as if it stood in UTC; in seconds since 1970.
    fileprivate func instant(clock: Int64) -> Int64 {
        // No clock is changed twice within two days.
        let before = offset(clock - Self.daySeconds)
        let first = clock - before
        guard offset(first) != before else { return first }
        let after = offset(clock + Self.daySeconds)
        let second = clock - after
        return offset(second) == after ? second : first
    }
}
