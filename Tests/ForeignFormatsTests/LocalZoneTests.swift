// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import Foundation
import ParserProtocol
import Testing

/// Dates that name no zone are what a clock showed where they were written.
struct LocalZoneTests {
    private func zone(_ name: String) throws -> LocalZone {
        let zone = try #require(TimeZone(identifier: name))
        return LocalZone { Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0)))) }
    }

    private func milliseconds(_ utc: String) throws -> Int64 {
        Int64(try Date(utc, strategy: .iso8601).timeIntervalSince1970) * 1000
    }

    @Test(arguments: [
        ("UTC", "2026-01-31 09:00", "2026-01-31T09:00:00Z"),
        ("Europe/Berlin", "2026-01-31 09:00", "2026-01-31T08:00:00Z"),
        ("Europe/Berlin", "2026-07-01 00:30", "2026-06-30T22:30:00Z"),
        ("Pacific/Auckland", "2026-01-31 09:00", "2026-01-30T20:00:00Z"),
        // Skipped by the clock: read with the offset before.
        ("Europe/Berlin", "2026-03-29 02:30", "2026-03-29T01:30:00Z"),
        ("America/New_York", "2026-03-08 02:15", "2026-03-08T07:15:00Z"),
        ("Pacific/Auckland", "2026-09-27 02:30", "2026-09-26T14:30:00Z"),
        ("Pacific/Apia", "2011-12-30 12:00", "2011-12-30T22:00:00Z"),
        // Shown twice: the first time counts.
        ("Europe/Berlin", "2026-10-25 02:30", "2026-10-25T00:30:00Z"),
        ("America/New_York", "2026-11-01 01:15", "2026-11-01T05:15:00Z"),
        // On both sides of a change.
        ("Europe/Berlin", "2026-03-29 01:59", "2026-03-29T00:59:00Z"),
        ("Europe/Berlin", "2026-03-29 03:00", "2026-03-29T01:00:00Z"),
        ("Europe/Berlin", "2026-10-25 03:00", "2026-10-25T02:00:00Z"),
        ("Europe/Berlin", "2026-10-25 01:59", "2026-10-24T23:59:00Z"),
    ])
    func aDateWithoutAZoneIsReadWhereItWasWritten(name: String, written: String, utc: String) throws {
        let expected = try milliseconds(utc)
        let day = written.split(separator: " ")
        let json = #"{"entries":[{"title":"T","body":"B","date":"\#(day[0])","time":"\#(day[1])"}]}"#
        let enex = "<en-export><note><title>T</title><created>\(day[0])T\(day[1])</created></note></en-export>"
        try LocalZone.$current.withValue(zone(name)) {
            for (format, source) in [
                (ImportFormat.jrnl, ("d.txt", "[\(written)] T\nb\n")), (.jrnl, ("d.json", json)),
                (.enex, ("d.enex", enex)),
                (.markdown, ("d.md", "---\ncreated: \(written)\n---\nb\n")),
                (.obsidian, ("d.md", "---\ncreated: \(written)\n---\nb\n")),
            ] {
                let note = try #require(Imported(format, MemorySource([source])).notes.first)
                #expect(note.created == expected, "\(format)")
                #expect(note.flags == .createdWithoutZone, "\(format)")
            }
        }
    }

    @Test func aDayAloneBeginsAtMidnightThere() throws {
        try LocalZone.$current.withValue(zone("America/New_York")) {
            let note = try #require(
                Imported(.markdown, MemorySource([("d.md", "---\ndate: 2026-07-01\nupdated: 2026-07-02\n---\nb\n")]))
                    .notes.first)
            #expect(
                try note.created == milliseconds("2026-07-01T04:00:00Z")
                    && note.updated == milliseconds("2026-07-02T04:00:00Z"))
            #expect(note.flags == [.createdWithoutZone, .updatedWithoutZone])
        }
    }

    @Test func aDateWithAZoneIsTheSameEverywhere() throws {
        try LocalZone.$current.withValue(zone("Pacific/Auckland")) {
            let text = "---\ncreated: 2026-01-31 09:00 Z\nupdated: 2026-01-31T09:00:00+02:00\n---\nb\n"
            let note = try #require(Imported(.markdown, MemorySource([("d.md", text)])).notes.first)
            #expect(
                try note.created == milliseconds("2026-01-31T09:00:00Z")
                    && note.updated == milliseconds("2026-01-31T07:00:00Z"))
            #expect(note.flags.isEmpty)
        }
    }

    @Test func aDateAtTheEndsOfTheYearsIsJudgedAsAnInstant() throws {
        try LocalZone.$current.withValue(LocalZone { _ in 14 * 3600 }) {
            let note = try #require(
                Imported(.markdown, MemorySource([("d.md", "---\ncreated: 1900-01-01 00:00\n---\nb\n")])).notes.first)
            #expect(note.created == nil && codes(note) == [.unreadableDate])
        }
    }
}
