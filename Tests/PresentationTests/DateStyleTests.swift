// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import VaultTesting

internal import Foundation
internal import Testing

@testable internal import Dates

struct DateStyleTests {
    /// 2026-11-21T14:03:00Z.
    private let now: Int64 = 1_795_269_780_000

    private func text(_ style: DateStyle, minutesAgo: Int64, offset: Int = 0) -> String {
        style.text(now - minutesAgo * 60_000, offset: offset, now: now, nowOffset: offset)
    }

    @Test func classicIsTimeTodayAndDateElse() {
        #expect(text(.classic, minutesAgo: 0) == "2:03 PM")
        #expect(text(.classic, minutesAgo: 14 * 60) == "12:03 AM")
        #expect(text(.classic, minutesAgo: 2 * 60) == "12:03 PM")
        #expect(text(.classic, minutesAgo: 15 * 60) == "20/11/26")
        // Ten hours further east midnight has passed three minutes ago: what was written an hour ago is yesterday's.
        #expect(text(.classic, minutesAgo: 3, offset: 36_000) == "12:00 AM")
        #expect(text(.classic, minutesAgo: 60, offset: 36_000) == "21/11/26")
        #expect(text(.classic, minutesAgo: 24 * 60 * 365) == "21/11/25")
    }

    @Test func eachMomentHasItsOwnOffset() {
        // Summer time for the moment, winter time now.
        let july: Int64 = 1_783_980_000_000
        #expect(DateStyle.iso.text(july, offset: 7200, now: now, nowOffset: 3600) == "2026-07-14 00:00")
        #expect(DateStyle.iso.text(july, offset: 3600, now: now, nowOffset: 3600) == "2026-07-13 23:00")
    }

    @Test(
        arguments: [
            (0, "just now"), (1, "1 min ago"), (59, "59 min ago"), (60, "1 h ago"), (14 * 60, "14 h ago"),
            (15 * 60, "yesterday"),
            (38 * 60, "yesterday"),
            (39 * 60, "2 days ago"), (6 * 1440, "6 days ago"), (7 * 1440, "1 week ago"), (28 * 1440, "4 weeks ago"),
            (29 * 1440, "2026-10-23 14:03"),
            (-5, "2026-11-21 14:08"),
        ] as [(Int64, String)])
    func relativeCountsCalendarDays(minutesAgo: Int64, expected: String) {
        #expect(text(.relative, minutesAgo: minutesAgo) == expected)
    }

    @Test func rfc3339HasMillisecondsAndUTC() {
        #expect(DateStyle.rfc3339(now) == "2026-11-21T14:03:00.000Z")
        #expect(DateStyle.rfc3339(-1) == "1969-12-31T23:59:59.999Z")
        #expect(DateStyle.rfc3339(951_782_400_007) == "2000-02-29T00:00:00.007Z")
        #expect(DateStyle.rfc3339(.min).hasPrefix("0001-01-01T00:00:00"))
        #expect(DateStyle.rfc3339(.max).hasPrefix("9999-12-31T23:59:59"))
    }

    @Test func extremesDoNotTrap() {
        for style in [DateStyle.classic, .iso, .relative] {
            for moment in [Int64.min, .min + 1, -1, 0, .max] {
                for offset in [Int.min, -86_400, 0, 86_400, .max] {
                    #expect(!style.text(moment, offset: offset, now: now, nowOffset: offset).isEmpty)
                }
                #expect(!style.text(0, offset: 0, now: moment, nowOffset: 0).isEmpty)
            }
        }
    }

    @Test func agreesWithFoundationOnRandomDays() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        var random = SeededGenerator(21)
        for _ in 0..<2000 {
            // Foundation is Julian before 1582.
            let seconds = Int64.random(in: -12_000_000_000...253_402_300_799, using: &random)
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: Double(seconds)))
            let time = CivilTime(milliseconds: seconds * 1000)
            #expect(
                [time.year, time.month, time.day, time.hour, time.minute, time.second] == [
                    parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second,
                ])
        }
    }
}
