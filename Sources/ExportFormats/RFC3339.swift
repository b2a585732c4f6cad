// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Dates as RFC 3339 has them, in UTC with milliseconds: `2024-01-31T10:15:00.250Z`.
enum RFC3339 {
    /// The years 0 to 9999: others have no such text.
    static let times: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// A time outside `times` becomes the nearest one inside.
    static func text(_ milliseconds: Int64) -> String {
        let time = min(max(milliseconds, times.lowerBound), times.upperBound)
        let ofDay = floorRemainder(time, 86_400_000)
        let (year, month, day) = civil((time - ofDay) / 86_400_000)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        append(year, 4, &text)
        text.append(UInt8(ascii: "-"))
        append(month, 2, &text)
        text.append(UInt8(ascii: "-"))
        append(day, 2, &text)
        text.append(UInt8(ascii: "T"))
        append(ofDay / 3_600_000, 2, &text)
        text.append(UInt8(ascii: ":"))
        append(ofDay / 60_000 % 60, 2, &text)
        text.append(UInt8(ascii: ":"))
        append(ofDay / 1000 % 60, 2, &text)
        text.append(UInt8(ascii: "."))
        append(ofDay % 1000, 3, &text)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// The proleptic Gregorian date of a day counted from 1970. A year begins in March here, so that a leap day is its
    /// last one.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468  // from 0000-03-01
        let dayOfEra = floorRemainder(shifted, 146_097)
        let era = (shifted - dayOfEra) / 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func floorRemainder(_ value: Int64, _ divisor: Int64) -> Int64 {
        let remainder = value % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }

    private static func append(_ value: Int64, _ digitCount: Int, _ text: inout [UInt8]) {
        if digitCount > 3 { text.append(digit(value / 1000)) }
        if digitCount > 2 { text.append(digit(value / 100)) }
        text.append(digit(value / 10))
        text.append(digit(value))
    }

    private static func digit(_ value: Int64) -> UInt8 { UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10) }
}
