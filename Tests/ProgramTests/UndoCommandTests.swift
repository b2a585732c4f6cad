// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// `undo` and `redo` as they are typed, and earlier revisions read.
@Suite struct UndoCommandTests {
    private let world: VaultWorld

    init() throws { world = try VaultWorld() }

    private func live() throws -> Int? { try JSON(world.vault("ls", "--json"))["total"].int }
    private func text(_ note: String) throws -> String { try world.require(world.vault("cat", note)).text }

    @Test func anUndoThatTakesNotesOutOfTheListNeedsAYes() throws {
        _ = try world.new("Ideas for the garden")
        for options in [[], ["--no-input"]] {
            let refused = try world.vault(["undo"] + options)
            expectRefusal(refused, 3, hint: true)
            #expect(refused.err.contains("would undo: new note \"Ideas for the garden\" ("))
            #expect(refused.err.contains("1 note would leave the list"))
            #expect(refused.err.contains("vault undo --yes"))
            #expect(try live() == 1)
        }
        let done = try world.require(world.vault("undo", "--yes"))
        #expect(done.text.hasPrefix("undid: new note \"Ideas for the garden\" ("))
        #expect(try live() == 0)
    }

    @Test func moreThanTenChangesAreNotUndoneWithoutAYes() throws {
        let note = try world.new("line 0")
        for number in 1...12 { try world.require(world.vault("append", note, "--", "line \(number)")) }
        let refused = try world.vault("undo", "-n", "12")
        expectRefusal(refused, 3)
        #expect(refused.errorLines.filter { $0.hasPrefix("would undo: append of \"line 0\" (") }.count == 12)
        #expect(refused.err.contains("vault undo -n 12 --yes"))
        #expect(try text(note).split(separator: "\n").count == 13)
        #expect(try world.require(world.vault("undo", "-n", "10")).lines.count == 10, "ten are undone as before")
        #expect(try text(note) == "line 0\nline 1\nline 2")
        let all = try world.vault("undo", "-n", "500")
        expectRefusal(all, 3)
        #expect(all.err.contains("1 note would leave the list"))
        #expect(try live() == 1, "nothing went to the trash")
    }

    @Test func aPersonSaysYesOrNo() throws {
        let note = try world.new("Ideas")
        let no = try world.terminal("undo")
        try no.answer("Undo this? [y/N] ", "n")
        #expect(try no.finish() == 10)
        #expect(no.transcript.contains("nothing was undone"))
        #expect(try live() == 1)
        let yes = try world.terminal("undo")
        try yes.wait(for: "would undo: new note \"Ideas\"")
        try yes.answer("Undo this? [y/N] ", "y")
        #expect(try yes.finish() == 0)
        #expect(yes.transcript.contains("undid: new note \"Ideas\""))
        #expect(try live() == 0)
        #expect(try JSON(world.require(world.vault("redo", "--json")))["redone"][0]["notes"][0].string == note)
    }

    @Test func whatIsWrittenWhileAPersonThinksIsNotUndone() throws {
        _ = try world.new("Ideas")
        let session = try world.terminal("undo")
        try session.wait(for: "Undo this? [y/N] ")
        let other = try world.new("written meanwhile")
        try session.type("y\r")
        #expect(try session.finish() == 7)
        #expect(session.transcript.contains("something was changed meanwhile; nothing was undone"))
        #expect(try live() == 2 && text(other) == "written meanwhile")
    }

    @Test func redoBringsBackStepByStepUntilSomethingElseIsWritten() throws {
        let note = try world.new("one")
        for word in ["two", "three"] { try world.require(world.vault("replace", note, "--", word)) }
        try world.require(world.vault("undo", "-n", "2"))
        #expect(try text(note) == "one")
        #expect(try world.require(world.vault("redo")).text.hasPrefix("redid: replace of \"two\" ("))
        #expect(try text(note) == "two")
        try world.require(world.vault("lock"))
        try world.unlock()
        try world.require(world.vault("redo"))
        #expect(try text(note) == "three")
        expectRefusal(try world.vault("redo"), 5, says: "there is nothing to redo")
        try world.require(world.vault("undo", "-n", "2"))
        #expect(try world.require(world.vault("redo", "-n", "5")).lines.count == 2)
        try world.require(world.vault("undo"))
        try world.require(world.vault("tag", note, "new"))
        expectRefusal(try world.vault("redo"), 5, says: "there is nothing to redo")
        #expect(try text(note) == "two")
        expectRefusal(try world.vault("redo", "-n", "0"), 2)
    }

    @Test func noTitleOfALockedPrivateNoteIsTold() throws {
        let password = try world.write("note password", "umbrella kettle orchard")
        let note = try world.require(
            world.vault(
                "new", "--private", "--title", "secret plan", "--note-password-file", password, "--", "secret text")
        ).id
        try world.require(world.vault("note", "lock", note))
        let asked = try world.vault("undo")
        expectRefusal(asked, 3)
        #expect(asked.err.contains("would undo: new private note \(note.prefix(4))"), "\(asked.err)")
        #expect(!asked.err.contains("secret"))
        let tried = try world.vault("undo", "--yes")
        #expect(!(tried.text + tried.err).contains("secret"))
    }

    @Test func aTitleDoesNotDriveTheTerminal() throws {
        let note = try world.new("x", "--title", "a\u{1B}]0;owned\u{07}b\u{202E}c")
        try world.require(world.vault("append", note, "--", "more"))
        let shown = try world.shown("undo")
        #expect(shown.hasPrefix("undid: append of \"a"))
        #expect(!shown.contains("\u{1B}]") && !shown.contains("\u{07}") && !shown.contains("\u{202E}"))
    }

    @Test func anEarlierRevisionIsReadByItsNumber() throws {
        let note = try world.new("one")
        for word in ["two", "three"] { try world.require(world.vault("replace", note, "--", word)) }
        let short = String(note.prefix(8))
        for words in [[short, "@2"], [short + "@2"]] {
            #expect(try world.require(world.vault(["cat"] + words)).text == "one")
            #expect(try world.require(world.vault(["show"] + words)).text == "one")
            let shown = try JSON(world.require(world.vault(["show", "--json"] + words)))["notes"]
            #expect(shown.array.count == 1 && shown[0]["body"].string == "one" && shown[0]["id"].string == note)
            #expect(
                try shown[0]["revision"].string
                    == JSON(world.vault("history", note, "--json"))["revisions"][2]["id"].string)
        }
        #expect(try world.require(world.vault("cat", short, "@2", "@1", short)).text == "onetwothree")
        #expect(try world.shown("show", short, "@1").contains("@1"))
        for words in [[short, "@3"], [short + "@3"]] {
            let missing = try world.vault(["cat"] + words)
            expectRefusal(missing, 5, says: "this note has no revision @3: its oldest is @2")
            expectRefusal(try world.vault(["show"] + words), 5, says: "this note has no revision @3")
        }
        expectRefusal(try world.vault("cat", "@2"), 5)
        // A name with a mark is a name.
        let named = try world.new("mail", "--title", "me@3")
        #expect(try world.require(world.vault("cat", "me@3")).text == "mail")
        #expect(try world.require(world.vault("cat", "me@3@0")).text == "mail")
        #expect(try world.require(world.vault("cat", named + "@0")).text == "mail")
    }
}
