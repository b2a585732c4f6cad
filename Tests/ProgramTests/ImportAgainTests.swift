// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// The next export of the same program, wherever it lies and whatever it is called: its notes are known again.
@Suite struct ImportAgainTests {
    private func joplin(_ world: VaultWorld, _ folder: String, text: String = "one") throws {
        let (a, b, resource) = (
            String(repeating: "a", count: 32), String(repeating: "b", count: 32), String(repeating: "e", count: 32)
        )
        try world.put(
            "\(folder)/\(a).md", "Trip\n\n\(text) ![map](:/\(resource)) and [plan](:/\(b))\n\nid: \(a)\ntype_: 1")
        try world.put("\(folder)/\(b).md", "Plan\n\npack\n\nid: \(b)\ntype_: 1")
        try world.put(
            "\(folder)/\(resource).md", "map.png\n\nid: \(resource)\nmime: image/png\nfile_extension: png\ntype_: 4")
        try world.put("\(folder)/resources/\(resource).png", Array("the map".utf8))
    }

    private func backup(_ text: String) -> String {
        """
        {"version":"004","items":[{"uuid":"11111111-1111-4111-8111-111111111111","content_type":"Note",
        "created_at":"2020-01-02T03:04:05.000Z","updated_at":"2021-01-01T00:00:00.000Z",
        "content":{"title":"T","text":"\(text)","references":[],"appData":{}}}]}
        """
    }

    @Test func aNoteOfJoplinIsOneNoteInEveryExport() throws {
        let world = try VaultWorld()
        try joplin(world, "raw")
        try world.system("tar", ["-C", world.path("raw"), "--format=ustar", "-cf", world.path("monday.jex"), "."])
        #expect(try world.tally(world.imported("joplin", "monday.jex")) == [2, 0, 0, 1])
        // The next day's file has another name, and the folder says the same.
        try joplin(world, "raw", text: "two")
        try world.system("tar", ["-C", world.path("raw"), "--format=ustar", "-cf", world.path("tuesday.jex"), "."])
        #expect(try world.tally(world.imported("joplin", "tuesday.jex")) == [0, 1, 1, 0])
        #expect(try world.tally(world.imported("joplin", "raw")) == [0, 0, 2, 0])
        try world.system("mv", [world.path("raw"), world.path("moved")])
        #expect(try world.tally(world.imported("joplin", "moved")) == [0, 0, 2, 0])
        #expect(try world.vault("ls", "--count").text == "2\n")
        #expect(try world.vault("cat", "Trip").text == "two ![map](att:map.png) and [[Plan|plan]]")
    }

    @Test func anImportSaysWhichLockedNotesItCouldNotCompareAndKnowsThemOnceTheyAreOpen() throws {
        let world = try VaultWorld()
        try joplin(world, "raw")
        let password = try world.write("note-password", "a phrase of its own for one note")
        #expect(try world.tally(world.imported("joplin", "raw")) == [2, 0, 0, 1])
        try world.require(world.vault("note", "lock", "Plan", "--note-password-file", password))
        let dry = try world.imported("joplin", "raw", "--dry-run")
        #expect(try JSON(dry)["notCompared"].int == 1)
        #expect(try JSON(dry)["created"].int == 1)
        let told = try world.vault("import", "joplin", world.path("raw"), "--dry-run")
        #expect(
            told.err.contains("a private note is locked and could not be compared")
                && told.err.contains("vault note unlock ID"), "\(told.err)")
        let locked = try #require(
            try JSON(world.vault("ls", "--json"))["notes"].array.first { $0["locked"].bool == true }?["id"].string)
        try world.require(world.vault("note", "unlock", locked, "--note-password-file", password))
        let again = try world.imported("joplin", "raw")
        #expect(try world.tally(again) == [0, 0, 2, 0])
        #expect(try JSON(again)["notCompared"].int == 0)
    }

    @Test func aNoteOfStandardNotesIsOneNoteInEveryBackup() throws {
        let world = try VaultWorld()
        try world.put("Standard Notes Backup - Mon.txt", backup("first"))
        #expect(try world.tally(world.imported("standardnotes", "Standard Notes Backup - Mon.txt")) == [1, 0, 0, 0])
        try world.put("zip/Standard Notes Backup and Import File.txt", backup("second"))
        try world.system(
            "python3",
            [
                "-m", "zipfile", "-c", world.path("tue.zip"),
                world.path("zip") + "/Standard Notes Backup and Import File.txt",
            ])
        #expect(try world.tally(world.imported("standardnotes", "tue.zip")) == [0, 1, 0, 0])
        #expect(try world.vault("cat", "T").text == "second")
        #expect(try world.vault("ls", "--count").text == "1\n")
    }

    @Test func aVaultsOwnNotesAreKnownInItsNextExportAndInItself() throws {
        let (from, world) = (try VaultWorld(), try VaultWorld())
        let id = try from.new("# One\nfirst text")
        _ = try from.new("# Two\nsee [[One]]")
        try from.require(from.vault("export", "json", "-o", world.path("monday.json"), "--plaintext", "--no-history"))
        try from.require(from.vault("append", id, "and more"))
        try from.require(from.vault("export", "json", "-o", world.path("tuesday"), "--plaintext", "--no-history"))
        #expect(try world.tally(world.imported("json", "monday.json")) == [2, 0, 0, 0])
        #expect(try world.tally(world.imported("json", "tuesday")) == [0, 1, 1, 0])
        #expect(try world.vault("ls", "--count").text == "2\n")
        // Where they come from they are themselves.
        #expect(try from.tally(from.vault("import", "json", world.path("tuesday"), "--json")) == [0, 0, 2, 0])
        #expect(try from.tally(from.vault("import", "json", world.path("monday.json"), "--json")) == [0, 1, 1, 0])
        #expect(try from.vault("cat", id).text == "# One\nfirst text")
        try from.require(from.vault("undo"))
        #expect(try from.vault("cat", id).text.contains("and more"))
        #expect(try from.vault("ls", "--count").text == "2\n")
    }

    @Test func whereThereIsNoIDThePlaceTellsNotesApart() throws {
        let world = try VaultWorld()
        for folder in ["one", "two"] {
            try world.put("\(folder)/journal.txt", "[2020-01-02 03:04] T\nbody of \(folder)\n")
        }
        #expect(try world.tally(world.imported("jrnl", "one/journal.txt")) == [1, 0, 0, 0])
        #expect(try world.tally(world.imported("jrnl", "two/journal.txt")) == [1, 0, 0, 0])
        #expect(try world.tally(world.imported("jrnl", "one/journal.txt")) == [0, 0, 1, 0])
    }
}
