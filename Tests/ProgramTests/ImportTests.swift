// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

@Suite struct ImportTests {
    @Test func aFolderIsTakenOverAndASecondRunChangesNothing() throws {
        let world = try worldWithFolder()
        let first = try JSON(run(world))
        #expect(first["schema"].int == 1)
        #expect(first["created"].int == 4)
        #expect(first["updated"].int == 0)
        #expect(first["unchanged"].int == 0)
        #expect(first["losses"].array.isEmpty)
        let again = try JSON(run(world))
        #expect(again["created"].int == 0)
        #expect(again["updated"].int == 0)
        #expect(again["unchanged"].int == 4)
        #expect(try world.vault("ls", "--count").text == "4\n")

        let note = try JSON(world.vault("show", "Set by front matter", "--json"))["notes"][0]
        #expect(note["tags"].array.compactMap(\.string).sorted() == ["inline", "one", "two"])
        #expect(note["created"].string?.hasPrefix("2020-02-03T04:05:06") == true)
        #expect(note["notebook"].string == "recipes")
        #expect(note["body"].string?.contains("Text with #inline.") == true)
        #expect(try JSON(world.vault("ls", "--json", "--notebook", "recipes/sweet"))["total"].int == 1)
        #expect(try world.vault("check").code == 0)
    }

    @Test func aChangedFileUpdatesItsNote() throws {
        let world = try worldWithFolder()
        try world.require(run(world))
        let id = try #require(JSON(world.vault("search", "--json", "plainword"))["notes"][0]["id"].string)
        try world.write("notes/plain.txt", "Plain\nplainword and a changed line\n")
        let again = try JSON(run(world))
        #expect(again["updated"].int == 1)
        #expect(again["unchanged"].int == 3)
        #expect(try world.vault("cat", id).text.contains("a changed line"))
        #expect(try world.vault("ls", "--count").text == "4\n")
    }

    @Test func aDryRunChangesNothing() throws {
        let world = try worldWithFolder()
        let told = try JSON(world.require(run(world, "--dry-run")))
        #expect(told["created"].int == 4)
        #expect(told["dryRun"].bool == true)
        #expect(try world.vault("ls", "--count").text == "0\n")
        #expect(try JSON(run(world))["created"].int == 4)
        try world.write("notes/plain.txt", "plainword, changed")
        #expect(try JSON(run(world, "--dry-run"))["updated"].int == 1)
        #expect(try JSON(run(world, "--dry-run"))["updated"].int == 1)
    }

    @Test func whatIsLeftOutIsNamed() throws {
        let world = try worldWithFolder()
        unsafe symlink("/etc/hostname", world.path("notes/link.md"))
        unsafe mkfifo(world.path("notes/pipe.md"), 0o600)
        try world.write("notes/large.md", String(repeating: "x", count: (16 << 20) + 1))
        let report = try run(world)
        #expect(report.code == 12)
        let losses = try JSON(report)["losses"].array
        let codes = Dictionary(losses.map { ($0["path"].string ?? "", $0["code"].string ?? "") }) { first, _ in first }
        #expect(codes["link.md"] == "symbolicLink")
        #expect(codes["pipe.md"] == "notAFile")
        #expect(codes["large.md"] == "fileTooLarge")
        #expect(try JSON(report)["created"].int == 4)
        let told = try world.vault("import", "markdown", world.path("notes"))
        #expect(told.code == 12)
        for name in ["link.md", "pipe.md", "large.md"] { #expect(told.err.contains(name)) }
    }

    @Test func aFolderThatIsNotThereEndsWith5() throws {
        let world = try VaultWorld()
        expectRefusal(try world.vault("import", "markdown", world.path("nowhere")), 5, hint: false)
        expectRefusal(try world.vault("import", "nosuch", world.root), 2, hint: false)
    }

    private func worldWithFolder() throws -> VaultWorld {
        let world = try VaultWorld()
        for folder in ["notes", "notes/recipes", "notes/recipes/sweet", "notes/.obsidian"] {
            try world.makeFolder(folder)
        }
        try world.write("notes/plain.txt", "Plain\nplainword and more\n")
        try world.write("notes/one.md", "# One\n\nThe first.\n")
        try world.write(
            "notes/recipes/soup.md",
            "---\ntitle: Set by front matter\ntags: [one, two]\ncreated: 2020-02-03T04:05:06Z\n---\nText with #inline.\n"
        )
        try world.write("notes/recipes/sweet/cake.markdown", "Cake\n")
        try world.write("notes/.obsidian/hidden.md", "not a note")
        return world
    }

    private func run(_ world: VaultWorld, _ options: String...) throws -> Finished {
        try world.vault(["import", "markdown", world.path("notes"), "--json"] + options)
    }
}
