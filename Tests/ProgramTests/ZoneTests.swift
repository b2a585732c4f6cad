// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// Dates are shown in the zone that a search and a daily note mean.
@Suite struct ZoneTests {
    /// The minute that a list shows for a note, and what a clock shows then in a zone.
    private func shownAndExpected(_ world: VaultWorld, _ zone: TimeZone) throws -> (shown: String, expected: String) {
        let note = try JSON(world.vault("ls", "--json"))["notes"][0]
        let text = try #require(note["updated"].string)
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let moment = try Date(text, strategy: format)
        let clock = DateFormatter()
        (clock.locale, clock.timeZone, clock.dateFormat) = (Locale(identifier: "en_US_POSIX"), zone, "yyyy-MM-dd HH:mm")
        let fields = try world.require(world.vault("ls")).text.split(separator: "\t")
        return (String(fields[1]), clock.string(from: moment))
    }

    @Test(arguments: [
        ("Asia/Kathmandu", "Asia/Kathmandu"), (":Asia/Kathmandu", "Asia/Kathmandu"),
        ("/usr/share/zoneinfo/Asia/Kathmandu", "Asia/Kathmandu"),
        ("UTC", "UTC"), ("", "UTC"), ("UTC0", "UTC"),
    ])
    func aZoneOfTheDatabaseCountsForWhatIsShownAndWhatIsMeant(variable: String, name: String) throws {
        let world = try VaultWorld()
        world.environment["TZ"] = variable
        _ = try world.new("a note of today")
        let zone = try #require(TimeZone(identifier: name))
        let (shown, expected) = try shownAndExpected(world, zone)
        #expect(shown == expected)
        let day = shown.prefix(10)
        #expect(try JSON(world.vault("search", "--json", "created:\(day)"))["notes"].array.count == 1, "\(day)")
        try world.require(world.vault("daily", input: Array("a line".utf8)))
        #expect(try world.require(world.vault("ls", "-b", "Daily")).text.contains("\t\(day)\n"), "\(day)")
    }

    /// Rules that only the C library reads would be shown in one zone and meant in another.
    @Test(arguments: ["Nowhere/Else", "GMT+3"]) func anyOtherValueMeansTheSystemsZone(variable: String) throws {
        let world = try VaultWorld()
        _ = try world.new("a note of today")
        world.environment["TZ"] = nil
        let without = try world.require(world.vault("ls")).text
        world.environment["TZ"] = variable
        #expect(try world.require(world.vault("ls")).text == without)
    }
}
