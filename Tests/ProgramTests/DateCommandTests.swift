// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

/// The day on which a note was made, given later; and dates as a locale has them.
@Suite struct DateCommandTests {
    @Test func aNoteGetsAnotherDay() throws {
        let world = try VaultWorld()
        let note = try world.new("Something")
        let before = try JSON(world.vault("show", note, "--json"))["notes"][0]
        try world.require(world.vault("date", note, "2020-02-29"))
        let after = try JSON(world.vault("show", note, "--json"))["notes"][0]
        #expect(after["created"].string?.hasPrefix("2020-02-29T") == true)
        #expect(after["updated"].string == before["updated"].string, "its place in the list stays")
        #expect(try world.vault("ls", "--filter", "created:<2021-01-01", "--count").text == "1\n")
        try world.require(world.vault("undo"))
        #expect(try JSON(world.vault("show", note, "--json"))["notes"][0]["created"].string == before["created"].string)
        #expect(try world.vault("date", note, "tomorrowish").code == 2)
        #expect(try world.vault("date", "nothing", "today").code == 5)
    }

    @Test func datesAreAsTheLocaleHasThem() throws {
        let world = try VaultWorld()
        let note = try world.new("Something")
        try world.require(world.vault("date", note, "2020-02-28"))
        world.environment["LC_ALL"] = "C.UTF-8"
        let shown = try world.vault("ls", "--date-style", "locale", "--sort", "created").text
        #expect(shown.contains("/"), "\(shown)")
    }
}
