// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Dates

/// `RFC3339` writes dates as RFC 3339 has them, in UTC with milliseconds: `2024-01-31T10:15:00.250Z`.
enum RFC3339 {
    /// The years 0 to 9999: others have no such text.
    static let times: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// Returns a time as text, in UTC with milliseconds; a time outside `times` becomes the nearest one inside.
    static func text(_ milliseconds: Int64) -> String {
        let time = min(max(milliseconds, times.lowerBound), times.upperBound)
        let ofDay = floorRemainder(time, 86_400_000)
        let (year, month, day) = CivilCalendar.date(ofDay: Int((time - ofDay) / 86_400_000))
        var text: [UInt8] = []
        text.reserveCapacity(24)
        append(Int64(year), 4, &text)
        text.append(UInt8(ascii: "-"))
        append(Int64(month), 2, &text)
        text.append(UInt8(ascii: "-"))
        append(Int64(day), 2, &text)
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
