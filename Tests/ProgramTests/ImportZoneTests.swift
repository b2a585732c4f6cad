// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// A diary's days stay its days, wherever it was written: counted in the source by its names and words, and in the
/// vault by its dates.
@Suite struct ImportZoneTests {
    private static let days = [
        ("2026-01-31", "23:30"), ("2026-03-29", "02:30"), ("2026-07-01", "00:10"), ("2026-10-25", "02:30"),
        ("2026-11-01", "01:30"),
        ("2026-12-31", "23:59"),
    ]

    private func world(_ zone: String?) throws -> VaultWorld {
        let world = try VaultWorld(unlocked: false)
        world.environment["TZ"] = zone
        try world.unlock()
        return world
    }

    /// The day of a note's creation on a clock of this zone.
    private func created(_ world: VaultWorld, in zone: String) throws -> [String: String] {
        var found: [String: String] = [:]
        let format = DateFormatter()
        (format.locale, format.timeZone, format.dateFormat) = (
            Locale(identifier: "en_US_POSIX"), TimeZone(identifier: zone), "yyyy-MM-dd HH:mm"
        )
        for note in try JSON(world.vault("ls", "--json"))["notes"].array {
            let time = try #require(note["created"].string)
            let parser = ISO8601DateFormatter()
            parser.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
            let date = try #require(parser.date(from: time) ?? ISO8601DateFormatter().date(from: time))
            found[try #require(note["title"].string)] = format.string(from: date)
        }
        return found
    }

    @Test(arguments: ["UTC", "Europe/Berlin", "America/New_York", "Pacific/Auckland"])
    func theDaysOfADiaryStayWhatTheyAre(zone: String) throws {
        let world = try world(zone)
        for (day, time) in Self.days {
            try world.put("diary/\(day.replacing("-", with: "/")).txt", "[\(day) \(time)] Day \(day)\nwords\n")
        }
        let told = try world.vault("import", "jrnl", world.path("diary"))
        #expect(
            told.code == 0 && told.text.contains("\(Self.days.count) dates have no time zone: read as \(zone)\n"),
            "\(told.text) \(told.err)")
        let created = try created(world, in: zone)
        #expect(created.count == Self.days.count)
        for (day, time) in Self.days {
            let seen = try #require(created["Day \(day)"])
            #expect(seen.hasPrefix(day), "\(zone): \(day) became \(seen)")
            // Only a time that no clock showed there may move, and not by more than the clock did.
            if seen != "\(day) \(time)" {
                #expect(zone == "Europe/Berlin" && day == "2026-03-29" && seen.hasSuffix("03:30"), "\(zone): \(seen)")
            }
            #expect(
                try JSON(world.vault("search", "--json", "created:\(day)"))["notes"].array.map { $0["title"].string }
                    == ["Day \(day)"])
        }
        // The same entries as jrnl's own JSON, and as front matter.
        let entries = Self.days.map {
            #"{"title":"J \#($0.0)","body":"b","date":"\#($0.0)","time":"\#($0.1)","tags":[],"starred":false}"#
        }
        try world.put("journal.json", #"{"tags":{},"entries":[\#(entries.joined(separator: ","))]}"#)
        let json = try world.imported("jrnl", "journal.json")
        #expect(try JSON(json)["timeZone"].string == zone && JSON(json)["datesWithoutZone"].int == Self.days.count)
        for (day, time) in Self.days {
            try world.put("notes/\(day).md", "---\ntitle: M \(day)\ncreated: \(day) \(time)\n---\ntext\n")
        }
        #expect(try JSON(world.imported("markdown", "notes"))["datesWithoutZone"].int == Self.days.count)
        let all = try self.created(world, in: zone)
        for (day, _) in Self.days {
            #expect(all["J \(day)"] == created["Day \(day)"] && all["M \(day)"] == created["Day \(day)"])
        }
    }

    @Test func theOptionOutranksTheEnvironment() throws {
        let world = try world("America/New_York")
        try world.put("journal.txt", "[2026-01-31 09:00] T\nbody\n")
        let told = try world.imported(
            "jrnl", "journal.txt", "--timezone", "+05:30", "--report", world.path("report.json"))
        #expect(try JSON(told)["timeZone"].string == "+05:30")
        #expect(try world.note("T")["created"].string?.hasPrefix("2026-01-31T03:30") == true)
        let report = try JSON(text: String(contentsOfFile: world.path("report.json"), encoding: .utf8))
        #expect(report["timeZone"].string == "+05:30" && report["datesWithoutZone"].int == 1)
        for (zone, hour) in [("-0330", "12:30"), ("Z", "09:00"), ("Europe/Berlin", "08:00")] {
            try world.require(world.imported("jrnl", "journal.txt", "--timezone=\(zone)"))
            #expect(try world.note("T")["created"].string?.hasPrefix("2026-01-31T\(hour)") == true, "\(zone)")
        }
        // What names a zone needs none.
        try world.put("notes/a.md", "---\ncreated: 2026-01-31T09:00:00Z\n---\nx\n")
        #expect(try JSON(world.imported("markdown", "notes", "--timezone", "+05:30"))["datesWithoutZone"].int == 0)
    }

    @Test(arguments: ["Europe/Nowhere", "../../etc/passwd", "+25:00", "+5", "/etc/passwd"])
    func aZoneThatIsNoneIsRefused(zone: String) throws {
        let world = try VaultWorld()
        try world.put("journal.txt", "[2026-01-31 09:00] T\nbody\n")
        expectRefusal(
            try world.vault("import", "jrnl", world.path("journal.txt"), "--timezone=\(zone)"), 2, says: "time zone")
        #expect(try world.vault("ls", "--count").text == "0\n")
    }

    @Test func anEnvironmentThatNamesNoZoneIsNotTakenForUTC() throws {
        let world = try VaultWorld()
        try world.put("journal.txt", "[2026-01-31 09:00] T\nbody\n")
        world.environment["TZ"] = "Europe/Nowhere"
        expectRefusal(try world.vault("import", "jrnl", world.path("journal.txt")), 2, says: "TZ")
        world.environment["TZ"] = "CET-1CEST,M3.5.0,M10.5.0/3"
        #expect(try JSON(world.imported("jrnl", "journal.txt"))["timeZone"].string == "CET-1CEST,M3.5.0,M10.5.0/3")
        #expect(try world.note("T")["created"].string?.hasPrefix("2026-01-31T08:00") == true)
        world.environment["TZ"] = nil
        #expect(try JSON(world.imported("jrnl", "journal.txt"))["timeZone"].string?.isEmpty == false)
    }
}
