// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// What was private where a JSON export comes from is private again, or not there: never an ordinary note.
@Suite struct ImportPrivateTests {
    private static let phrase = "rosebud in the deep snow again"

    /// A vault with an ordinary note and two private ones, one of them with a file, and its export.
    private func exported(to world: VaultWorld, _ name: String = "out.json") throws {
        let from = try VaultWorld()
        let password = try from.write("note-password", "another phrase at the source")
        let secret = try from.new("the cinnabarword\n![file](att:key.bin)", "-t", "keys")
        try from.attach(secret, "key.bin", Array("the vermilionword".utf8))
        let other = try from.new("a second cinnabarword")
        _ = try from.new("# Plain\nan ordinary note")
        for id in [secret, other] {
            try from.require(from.vault("note", "lock", id, "--note-password-file", password))
            try from.require(from.vault("note", "unlock", id, "--note-password-file", password))
        }
        try from.require(from.vault("export", "json", "-o", world.path(name), "--plaintext", "--no-history"))
    }

    /// Private, then locked, as `ls` tells it.
    private func kinds(_ world: VaultWorld) throws -> [[Bool?]] {
        try JSON(world.vault("ls", "--json"))["notes"].array.map { [$0["private"].bool, $0["locked"].bool] }
    }

    @Test func privateNotesOfAnExportArePrivateAgainUnderTheGivenPassword() throws {
        let world = try VaultWorld()
        try exported(to: world)
        let password = try world.write("note-password", Self.phrase)
        let first = try world.imported("json", "out.json", "--note-password-file", password)
        #expect(first.code == 0, "\(first.text) \(first.err)")
        #expect(try world.tally(first) == [3, 0, 0, 1])
        #expect(
            try kinds(world).count { $0 == [true, true] } == 2 && kinds(world).count { $0 == [false, false] } == 1)
        #expect(try world.vault("search", "cinnabarword").text.isEmpty)
        for word in ["cinnabarword", "vermilionword"] { #expect(try !world.vaultHolds(word)) }
        // The same again, with its password and from another place: nothing is doubled.
        try world.system("cp", [world.path("out.json"), world.path("copy.json")])
        #expect(try world.tally(world.imported("json", "copy.json", "--note-password-file", password)) == [0, 0, 3, 0])
        var texts: Set<String> = []
        for note in try JSON(world.vault("ls", "--json"))["notes"].array where note["private"].bool == true {
            let id = try #require(note["id"].string)
            try world.require(world.vault("note", "unlock", id, "--note-password-file", password))
            texts.insert(try world.vault("cat", id).text)
        }
        #expect(texts == ["the cinnabarword\n![file](att:key.bin)", "a second cinnabarword"])
        #expect(try JSON(world.vault("attach", "ls", "the cinnabarword", "--json"))["attachments"].array.count == 1)
        #expect(try world.attachment("the cinnabarword", "key.bin") == Array("the vermilionword".utf8))
        #expect(try world.vault("check").code == 0)
    }

    @Test func withoutAPasswordTheyAreLeftOutAndNamed() throws {
        let world = try VaultWorld()
        try exported(to: world)
        let first = try world.imported("json", "out.json")
        #expect(first.code == 12)
        #expect(try world.tally(first) == [1, 0, 0, 0])
        #expect(try JSON(first)["losses"].array.compactMap { $0["code"].string } == ["noPassword", "noPassword"])
        #expect(try kinds(world) == [[false, false]])
        #expect(world.objectCount == 0)
        let told = try world.vault("import", "json", world.path("out.json"))
        #expect(told.code == 12 && told.err.contains("--note-password-file"), "\(told.err)")
        // With the password they come after all, and the ordinary note is the one that is there.
        let password = try world.write("note-password", Self.phrase)
        #expect(try world.tally(world.imported("json", "out.json", "--note-password-file", password)) == [2, 0, 1, 1])
    }

    @Test func aPasswordForNothingIsRefusedBeforeAnythingIsImported() throws {
        let world = try VaultWorld()
        let from = try VaultWorld()
        _ = try from.new("an ordinary note")
        try from.require(from.vault("export", "json", "-o", world.path("plain.json"), "--plaintext"))
        try world.put("notes/a.md", "a note\n")
        try world.put("empty/.gpg-id", "nobody\n")
        let password = try world.write("note-password", Self.phrase)
        expectRefusal(
            try world.vault("import", "json", world.path("plain.json"), "--note-password-file", password), 2,
            says: "no private note")
        expectRefusal(
            try world.vault("import", "auto", world.path("notes"), "--note-password-file", password), 2,
            says: "markdown")
        expectRefusal(
            try world.vault("import", "pass", world.path("empty"), "--note-password-file", password), 2,
            says: "no private note")
        #expect(try world.vault("ls", "--count").text == "0\n")
    }
}
