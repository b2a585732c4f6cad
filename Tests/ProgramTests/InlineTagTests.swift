// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

/// Tags that stand in a text, beside those that were set.
@Suite struct InlineTagTests {
    private func tags(_ world: VaultWorld, _ note: String) throws -> [String] {
        try JSON(world.vault("show", note, "--json"))["notes"][0]["tags"].array.compactMap(\.string).sorted()
    }

    @Test func tagsInATextAreTheNotes() throws {
        let world = try VaultWorld()
        let note = try world.new("Buy milk #food and #home", "-t", "set")
        #expect(try tags(world, note) == ["food", "home", "set"])
        #expect(try world.vault("ls", "-t", "food", "--count").text == "1\n")
        try world.require(world.vault("append", note, "#more of it"))
        #expect(try tags(world, note) == ["food", "home", "more", "set"])
        try world.require(world.vault("replace", note, "-", input: Array("Buy bread #food".utf8)))
        #expect(try tags(world, note) == ["food", "home", "more", "set"], "what may have been set by hand stays")
        try world.require(world.vault("untag", note, "food"))
        try world.require(world.vault("append", note, "and salt"))
        #expect(try tags(world, note) == ["home", "more", "set"], "what was taken off by hand stays off")
        try world.require(world.vault("undo"))
        try world.require(world.vault("undo"))
        #expect(try tags(world, note) == ["food", "home", "more", "set"])
    }

    @Test func aPieceOfAPasswordIsNoTag() throws {
        let world = try VaultWorld()
        for number in 1...8 { try world.require(world.vault("generate", "entry \(number)")) }
        #expect(try JSON(world.vault("tag", "ls", "--json"))["tags"].array.map { $0["name"].string } == ["secret"])
    }

    @Test func withoutTheSettingATextIsAText() throws {
        let world = try VaultWorld()
        world.environment["XDG_CONFIG_HOME"] = world.path("home/config")
        try world.require(world.vault("config", "set", "tags.inline", "off"))
        #expect(try tags(world, world.new("Buy milk #food")) == [])
    }

    @Test func wordsBehindTheTextAreTags() throws {
        let world = try VaultWorld()
        let note = try world.require(world.vault("new", "buy", "milk", "and", "1", "+1", "bread", "+food", "+home/x"))
            .id
        #expect(try tags(world, note) == ["food", "home/x"])
        #expect(try world.vault("cat", note).text.hasPrefix("buy milk and 1 +1 bread"))
        let quoted = try world.new("milk +food")
        #expect(try tags(world, quoted) == [])
        let alone = try world.require(world.vault("new", "+food")).id
        #expect(try world.vault("cat", alone).text.hasPrefix("+food"))
    }
}
