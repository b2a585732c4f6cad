// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// `vault tui` in a terminal of tmux's, at three sizes: Tests/ProgramTests/Screens.
@Suite struct ScreenTests {
    struct Size: CustomTestStringConvertible {
        let columns: Int
        let rows: Int
        var testDescription: String { "\(columns)x\(rows)" }
    }
    static let sizes = [Size(columns: 80, rows: 24), Size(columns: 120, rows: 40), Size(columns: 40, rows: 24)]
    private static let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Screens/"

    private func makeNotes(_ world: VaultWorld) throws {
        for number in 1...60 { _ = try world.new("Note number \(number)\nSome words of \(number).", "-t", "work") }
        _ = try world.new(
            """
            Shopping for the week

            Milk and bread, and a line that is far too long for a narrow pane, so that it has to go on below.
            - [ ] eggs
            \twide: 日本語のテキスト, 🙂 and é
            a control: \u{1B}[31mred
            """, "-t", "home")
        _ = try world.new("Plans\nA pinned note.")
        _ = try world.vault("pin", "Plans")
    }

    /// Compares a screen with the one that was kept: `VAULT_TRANSCRIPTS=update` writes it anew.
    private func expect(_ screen: String, _ name: String, _ size: Size) throws {
        // The time of day is not the test's.
        let masked = screen.replacing(/[ 1][0-9]:[0-9]{2} [AP]M/, with: "12:00 PM")
        let path = Self.folder + "\(size.testDescription)-\(name).txt"
        if Programs.text(of: "VAULT_TRANSCRIPTS") == "update" {
            try Data(masked.utf8).write(to: URL(fileURLWithPath: path))
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == masked, "\(name)")
    }

    @Test(arguments: sizes) func theScreenShowsWhatItShowed(size: Size) throws {
        let world = try VaultWorld()
        try makeNotes(world)
        let screen = try TmuxScreen(world, ["tui"], columns: size.columns, rows: size.rows)
        try expect(screen.wait(for: "A pinned note."), "list", size)
        try screen.keys("j")
        try expect(screen.wait(for: "[ ] eggs"), "next", size)
        try screen.keys("Enter")
        try expect(screen.wait(for: "Esc list"), "reading", size)
        try screen.keys("Escape", "G")
        try expect(screen.wait(for: "Some words of 1."), "last", size)
        try screen.keys("/")
        try screen.type("number 59")
        try screen.wait(for: "1 found")
        try expect(screen.wait(for: "Some words of 59."), "search", size)
        try screen.keys("C-u")
        try screen.type("tag:")
        try expect(screen.wait(for: "tag:"), "query", size)
        try screen.keys("Escape")
        try screen.wait(for: "62 notes")
        try screen.keys("?")
        try expect(screen.wait(for: "next or previous note"), "keys", size)
        try screen.keys("q", "q")
        try screen.wait(for: "ended with 0")
    }

    @Test func whatIsDoneThereIsDone() throws {
        let world = try VaultWorld()
        try makeNotes(world)
        world.environment["EDITOR"] = "nano"
        let screen = try TmuxScreen(world, ["tui"], columns: 120, rows: 30)
        try screen.wait(for: "A pinned note.")
        // Tags, a title, a notebook.
        try screen.keys("j", "t")
        try screen.type("+shop -home")
        try screen.keys("Enter")
        try screen.wait(for: "#shop")
        try screen.keys("m")
        try screen.type("lists")
        try screen.keys("Enter")
        try screen.wait(for: "lists #shop")
        let shown = try JSON(world.vault("search", "eggs", "--json"))["notes"][0]
        #expect(shown["tags"][0].string == "shop" && shown["notebook"].string == "lists")
        // Deleted and taken back.
        try screen.keys("d")
        try screen.wait(for: "moved to the trash")
        #expect(try world.vault("ls", "--count").text == "61\n")
        try screen.keys("T")
        try screen.wait(for: "1 trash")
        try screen.keys("T", "u")
        try screen.wait(for: "taken back")
        #expect(try world.vault("ls", "--count").text == "62\n")
        // A new note in the editor is the one that is selected.
        try screen.keys("n")
        try screen.wait(for: "GNU nano")
        try screen.type("Written there")
        try screen.keys("C-o", "Enter", "C-x")
        try screen.wait(for: "63 notes")
        #expect(try world.vault("cat", "Written there").text.hasPrefix("Written there"))
        try screen.keys("e")
        try screen.wait(for: "GNU nano")
        try screen.type("more ")
        try screen.keys("C-o", "Enter", "C-x")
        try screen.wait(for: "more Written there")
        try screen.keys("q")
        try screen.wait(for: "ended with 0")
    }

    /// What came above the selected note since it was drawn does not move a key to another note.
    @Test func aNoteFromElsewhereMovesNoKeyToAnotherNote() throws {
        let world = try VaultWorld()
        for name in ["one", "two", "three"] { _ = try world.new("Note \(name)") }
        let screen = try TmuxScreen(world, ["tui"], columns: 100, rows: 12)
        try screen.wait(for: "Note one")
        try screen.keys("j")
        _ = try world.new("From elsewhere")
        try screen.wait(for: "From elsewhere")
        try screen.keys("d")
        try screen.wait(for: "moved to the trash")
        #expect(try world.vault("trash", "ls").text.contains("Note two"))
    }

    @Test func aPrivateNoteIsReadWithItsPassword() throws {
        let world = try VaultWorld()
        let note = try world.new("Diary\nwhat nobody reads")
        let secret = try world.write("secret", "a word for the diary")
        try world.require(world.vault("note", "lock", note, "--note-password-file", secret))
        let screen = try TmuxScreen(world, ["tui"], columns: 100, rows: 12)
        let closed = try screen.wait(for: "a private note: Enter asks for its password")
        #expect(!closed.contains("nobody reads"))
        try screen.keys("Enter")
        try screen.wait(for: "assword")
        try screen.type("a word for the diary")
        try screen.keys("Enter")
        try screen.wait(for: "what nobody reads")
    }

    /// The screen is empty at once when the vault is locked from elsewhere, and asks; a lock of its own leaves.
    @Test func aLockClearsTheScreen() throws {
        let world = try VaultWorld()
        _ = try world.new("Something\nthat is not to be seen")
        let screen = try TmuxScreen(world, ["tui"], columns: 80, rows: 24)
        try screen.wait(for: "that is not to be seen")
        try world.require(world.vault("lock"))
        try screen.wait(for: "the vault was locked meanwhile")
        #expect(try !screen.wait(for: "Password:").contains("to be seen"))
        try screen.type(VaultWorld.password)
        try screen.keys("Enter")
        try screen.wait(for: "that is not to be seen")
        _ = try world.agentPID()
        try screen.keys("L")
        #expect(try !screen.wait(for: "ended with 0").contains("to be seen"))
        #expect(try world.vault("ls", "--no-input").code == 3)
    }

    /// What is typed is for the note that it was begun for, also when that has gone meanwhile.
    @Test func aTitleThatIsTypedIsForOneNoteAlone() throws {
        let world = try VaultWorld()
        for name in ["one", "two"] { _ = try world.new("Note \(name)") }
        let screen = try TmuxScreen(world, ["tui"], columns: 100, rows: 12)
        try screen.wait(for: "Note one")
        try screen.keys("r")
        try screen.wait(for: "title: Note two")
        try world.require(world.vault("rm", "Note two"))
        try screen.wait(for: "1 notes")
        try screen.type(" anew")
        try screen.keys("Enter")
        try screen.waitUntil(without: "title: ")
        #expect(try world.vault("ls").text.contains("Note one"))
    }

    @Test func aNoteThatLocksItselfIsReadNoLonger() throws {
        let world = try VaultWorld()
        let secret = try world.write("secret", "a word for the diary")
        let note = try world.new("Diary\nwhat nobody reads")
        try world.require(world.vault("note", "lock", note, "--note-password-file", secret))
        try world.require(world.vault("note", "unlock", note, "--note-password-file", secret))
        let screen = try TmuxScreen(world, ["tui"], columns: 100, rows: 12)
        try screen.wait(for: "what nobody reads")
        try screen.keys("Enter")
        try screen.wait(for: "Esc list")
        try world.require(world.vault("note", "lock", note))
        let locked = try screen.wait(for: "the note was locked")
        #expect(!locked.contains("nobody reads") && locked.contains("1 notes"))
    }

    /// Ctrl-C in an editor is the editor's; a letter that terminals count in different ways moves nothing.
    @Test func whatIsElsewhereOnTheScreenStaysThere() throws {
        let world = try VaultWorld()
        world.environment["EDITOR"] = "vim"
        for number in 1...8 { _ = try world.new("Row \(number)") }
        let faces = String(repeating: "👍🏽", count: 60) + "👨‍👩‍👧 Row 9 that is none"
        _ = try world.new("Faces\n" + faces)
        let screen = try TmuxScreen(world, ["tui"], columns: 80, rows: 24)
        let shown = try screen.wait(for: "Row 1")
        for number in 1...8 {
            #expect(shown.contains("\n Row \(number) ") || shown.contains("\n Row \(number)"), "\(number)")
        }
        #expect(!shown.contains("\n Row 9"))
        try screen.keys("e")
        try screen.wait(for: "All")
        try screen.keys("C-c")
        usleep(300_000)
        try screen.type(":q!")
        try screen.keys("Enter")
        try screen.wait(for: "/ search")
        try screen.keys("q")
        try screen.wait(for: "ended with 0")
    }

    @Test func aPasswordThatOpensForOneCommandIsNotEnough() throws {
        let world = try VaultWorld(unlocked: false)
        let screen = try TmuxScreen(
            world, ["tui", "--password-file", world.passwordFile], columns: 80, rows: 24)
        try screen.wait(for: "vault unlock, then vault tui")
        try screen.wait(for: "ended with 3")
    }

    @Test func itFollowsItsWindow() throws {
        let world = try VaultWorld()
        try makeNotes(world)
        let screen = try TmuxScreen(world, ["tui"], columns: 80, rows: 24)
        try screen.wait(for: "│ Plans")
        try screen.resize(columns: 40, rows: 24)
        try screen.wait(for: "────")
        try screen.resize(columns: 15, rows: 4)
        try screen.wait(for: "too small")
        try screen.resize(columns: 120, rows: 40)
        try screen.wait(for: "│ Plans")
    }

    @Test func withoutATerminalItSaysWhatToType() throws {
        let world = try VaultWorld()
        let finished = try world.vault("tui")
        #expect(finished.code == 2 && finished.err.contains("vault ls, vault show and vault search"))
        let byHand = try Command.run([Programs.path("vault-tui")], environment: [:])
        #expect(byHand.code == 2 && byHand.err.contains("started by vault tui"))
    }
}
