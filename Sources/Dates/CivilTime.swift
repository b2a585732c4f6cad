// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `CivilTime` is a moment as a calendar shows it in one time zone.
public struct CivilTime: Equatable {
    /// The years 1 to 9999: what RFC 3339 can write. Moments outside are moved to the nearest end.
    private static let secondsMin: Int64 = -62_135_596_800
    private static let secondsMax: Int64 = 253_402_300_799

    /// Days since 1970-01-01.
    public let dayNumber: Int
    public let year: Int
    public let month: Int
    public let day: Int
    public let hour: Int
    public let minute: Int
    public let second: Int
    public let millisecond: Int

    /// Makes the time that a clock with an offset shows at a moment.
    ///
    /// - Parameters:
    ///   - milliseconds: since 1970, UTC.
    ///   - offset: the zone's seconds east of UTC at that moment; at most a day counts.
    public init(milliseconds: Int64, offset: Int = 0) {
        let (whole, rest) = Self.divided(milliseconds, by: 1000)
        let shift = Int64(min(max(offset, -86_400), 86_400))
        let seconds = min(max(whole, Self.secondsMin - shift), Self.secondsMax - shift) + shift
        let (days, secondOfDay) = Self.divided(min(max(seconds, Self.secondsMin), Self.secondsMax), by: 86_400)
        dayNumber = Int(days)
        (year, month, day) = CivilCalendar.date(ofDay: Int(days))
        hour = Int(secondOfDay) / 3600
        minute = Int(secondOfDay) % 3600 / 60
        second = Int(secondOfDay) % 60
        millisecond = Int(rest)
    }

    private static func divided(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension CivilTime {
    /// Makes noon of a day; nil for a day that the calendar does not have.
    public init?(_ day: CivilDay) {
        let dayNumber = CivilCalendar.dayNumber(day.year, day.month, day.day)
        self.init(milliseconds: Int64(dayNumber) * 86_400_000 + 43_200_000)
        guard self.year == day.year, self.month == day.month, self.day == day.day else { return nil }
    }
}

/// `CivilDay` is a day of the calendar, without a time zone.
public struct CivilDay: Equatable, Sendable {
    public let year: Int
    public let month: Int
    public let day: Int

    /// Reads a day such as "2026-11-21"; nil if the text is not a valid day.
    public init?(iso text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3,
            zip(parts, [4, 2, 2]).allSatisfy({
                $0.utf8.count == $1 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
            }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), year >= 1,
            (1...12).contains(month),
            (1...Self.days(of: month, year)).contains(day)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Reads what a person calls a day, seen from `today`: nothing, "today", "yesterday", "tomorrow", or as above.
    public init?(_ text: String, today: CivilTime) {
        let day: CivilTime
        switch text.lowercased() {
        case "", "today": day = today
        case "yesterday": day = CivilTime(milliseconds: Int64(today.dayNumber - 1) * 86_400_000)
        case "tomorrow": day = CivilTime(milliseconds: Int64(today.dayNumber + 1) * 86_400_000)
        default:
            self.init(iso: text)
            return
        }
        self.init(day)
    }

    public init(_ time: CivilTime) { (year, month, day) = (time.year, time.month, time.day) }

    public var iso: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }

    private static func days(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
