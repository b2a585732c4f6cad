// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultClient

struct TimeSpanTests {
    @Test func unitsAreSecondsMinutesHoursAndDays() {
        #expect(TimeSpan.seconds("90s") == 90)
        #expect(TimeSpan.seconds("15m") == 900)
        #expect(TimeSpan.seconds("8h") == 28800)
        #expect(TimeSpan.seconds("2d") == 172_800)
    }

    @Test(arguments: ["", "15", "m", "0m", "-1m", "+1m", "1.5h", "1 h", "١m", "9999999999d", "366d", "1h30m", "15M"])
    func everythingElseIsRefused(_ text: String) {
        #expect(TimeSpan.seconds(text) == nil)
    }

    @Test func kdfTargetsAreUpToAMinute() {
        #expect(TimeSpan.kdfTarget("1s") == 1000)
        #expect(TimeSpan.kdfTarget("500ms") == 500)
        #expect(TimeSpan.kdfTarget("0") == 0)
        #expect(TimeSpan.kdfTarget("60s") == 60_000)
        #expect(TimeSpan.kdfTarget("61s") == nil)
        #expect(TimeSpan.kdfTarget("1") == nil)
        #expect(TimeSpan.kdfTarget("1m") == nil)
    }

    @Test func theLargestExactUnitDescribesATime() {
        #expect(TimeSpan.description(seconds: 900) == "15 min")
        #expect(TimeSpan.description(seconds: 28_800) == "8 h")
        #expect(TimeSpan.description(seconds: 172_800) == "2 d")
        #expect(TimeSpan.description(seconds: 90) == "90 s")
    }
}
