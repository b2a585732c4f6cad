// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A moment as a calendar shows it in one time zone.
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

    /// - Parameters:
    ///   - milliseconds: since 1970, UTC.
    ///   - offset: the zone's seconds east of UTC at that moment; at most a day counts.
    public init(milliseconds: Int64, offset: Int = 0) {
        let (whole, rest) = Self.divided(milliseconds, by: 1000)
        let shift = Int64(min(max(offset, -86_400), 86_400))
        let seconds = min(max(whole, Self.secondsMin - shift), Self.secondsMax - shift) + shift
        let (days, secondOfDay) = Self.divided(min(max(seconds, Self.secondsMin), Self.secondsMax), by: 86_400)
        dayNumber = Int(days)
        (year, month, day) = Self.date(ofDay: Int(days))
        hour = Int(secondOfDay) / 3600
        minute = Int(secondOfDay) % 3600 / 60
        second = Int(secondOfDay) % 60
        millisecond = Int(rest)
    }

    private static func divided(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// The proleptic Gregorian date. Years are counted from March, so that the leap day is the last of its year; 400 of
    /// them have 146,097 days. Method: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", days to civil.
    private static func date(ofDay dayNumber: Int) -> (year: Int, month: Int, day: Int) {
        // 0000-03-01 is 719,468 days before 1970; days of year 1 are all after it, so nothing here is negative.
        let days = dayNumber + 719_468
        let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }
}

extension CivilTime {
    /// Noon of a day. Method: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", days from civil.
    public init?(_ day: CivilDay) {
        let year = day.month <= 2 ? day.year - 1 : day.year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (day.month + (day.month > 2 ? -3 : 9)) + 2) / 5 + day.day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let dayNumber = era * 146_097 + dayOfEra - 719_468
        self.init(milliseconds: Int64(dayNumber) * 86_400_000 + 43_200_000)
        guard self.year == day.year, self.month == day.month, self.day == day.day else { return nil }
    }
}
