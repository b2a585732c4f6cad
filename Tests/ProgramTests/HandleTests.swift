// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// How notes are named with few keys: a part of a title, a row of the last list, `-`.
@Suite struct HandleTests {
    private static let vault = Programs.path("vault")

    /// Runs lines in one terminal, and returns what it showed.
    private func terminal(_ world: VaultWorld, _ lines: String...) throws -> String {
        let script = lines.joined(separator: "\n").replacing("vault ", with: Self.vault + " ")
        let session = try TerminalSession(["/bin/sh", "-c", script], environment: world.environment)
        _ = try session.finish()
        return session.transcript
    }

    @Test func aBeginningAndThenAPartOfATitleNameANote() throws {
        let world = try VaultWorld()
        for title in ["Milkshake", "Oat milk", "The Seed Catalogue", "Müsli"] { _ = try world.new(title) }
        for (word, title) in [
            ("milk", "Milkshake"), ("seed", "The Seed Catalogue"), ("oat", "Oat milk"), ("MUS", "Müsli"),
            ("catal", "The Seed Catalogue"),
        ] {
            #expect(try world.require(world.vault("cat", word)).text == title, "\(word)")
        }
        // What fits several is asked back, and what fits none is quoted.
        let several = try world.vault("cat", "il")
        #expect(several.code == 5, "two bytes are no part of a title")
        _ = try world.new("Milkmaid")
        let milk = try world.vault("cat", "milk")
        #expect(milk.code == 6 && milk.err.contains("Milkmaid") && milk.err.contains("Milkshake"), "\(milk.err)")
        let none = try world.vault("cat", "cheese")
        #expect(none.code == 5 && none.err.contains("'cheese'"))
        // A whole title wins over a part of another one, and an identifier over both.
        _ = try world.new("Oat")
        #expect(try world.require(world.vault("cat", "oat")).text == "Oat")
    }

    @Test func whatIsInTheTrashIsNotNamedByAPart() throws {
        let world = try VaultWorld()
        let note = try world.new("Old garden plan")
        try world.require(world.vault("rm", note))
        #expect(try world.vault("cat", "garden").code == 5)
        #expect(try world.vault("cat", "Old garden plan").code == 0)
    }

    @Test func aPrivateNoteIsNamedByItsTitleOnlyWhileItIsUnlocked() throws {
        let world = try VaultWorld()
        let password = try world.write("note-password", "a long note password")
        let note = try world.new("Diary of a secret")
        try world.require(world.vault("note", "lock", note, "--note-password-file", password))
        #expect(try world.vault("show", "diary").code == 5)
        try world.require(world.vault("note", "unlock", note, "--note-password-file", password))
        #expect(try world.require(world.vault("cat", "secret")).text == "Diary of a secret")
    }

    @Test func numbersAreTheRowsOfTheLastListOfThatTerminal() throws {
        let world = try VaultWorld()
        for title in ["first", "second", "third"] { _ = try world.new(title) }
        let shown = try terminal(
            world, "vault ls", "vault cat 1; echo", "vault cat 3; echo", "vault search second", "vault cat 1; echo",
            "vault rm 1", "vault cat 4")
        #expect(shown.contains("1  ") && shown.contains("third\n") && shown.contains("first\n"), "\(shown)")
        #expect(shown.contains("the last list on this terminal has 1 row, and no 4"), "\(shown)")
        let left = try JSON(world.vault("ls", "--json"))["notes"].array.compactMap { $0["title"].string }
        #expect(left == ["third", "first"])
        // Another terminal has seen no list.
        #expect(try terminal(world, "vault cat 1").contains("no note matches '1'"))
        // A note that is called so is found where there was no list.
        _ = try world.new("2")
        #expect(try terminal(world, "vault cat 2") == "2")
        #expect(try terminal(world, "vault ls", "vault cat 2; echo").hasSuffix("third\n"))
    }

    @Test func aDashIsTheNoteThatWasTouchedLast() throws {
        let world = try VaultWorld()
        _ = try world.new("other")
        let shown = try terminal(
            world, "vault show -", "vault new mine", "vault append - 'a line'", "vault tag - red", "vault cat -; echo",
            "vault ls", "vault show 2", "vault cat -")
        #expect(shown.contains("no note was read or written on this terminal yet"), "\(shown)")
        #expect(shown.contains("mine\na line\n"), "\(shown)")
        #expect(shown.hasSuffix("other"), "\(shown)")
        #expect(try JSON(world.vault("show", "mine", "--json"))["notes"][0]["tags"][0].string == "red")
    }

    @Test func whatATerminalSawIsGoneWithALock() throws {
        let world = try VaultWorld()
        _ = try world.new("first")
        let shown = try terminal(
            world, "vault ls", "vault lock", "vault unlock --password-file " + world.passwordFile, "vault cat 1")
        _ = try world.agentPID()
        #expect(shown.contains("no note matches '1'"), "\(shown)")
    }

    @Test func onlyWhatSomebodySawMovesTheRows() throws {
        let world = try VaultWorld()
        for title in ["first", "second", "third"] { _ = try world.new(title) }
        let shown = try terminal(
            world, "vault ls", "vault search first --json > /dev/null", "vault ls -r | head -1 > /dev/null",
            "vault ls --count", "(vault append first more > /dev/null)", "vault cat 1; echo", "vault show 2",
            "vault append third x > /dev/null", "vault cat -")
        #expect(shown.contains("third\n") && shown.hasSuffix("second"), "\(shown)")
        // A search that finds nothing leaves no rows of before.
        let none = try terminal(world, "vault ls", "vault search zebra", "vault cat 1")
        #expect(none.contains("no note matches '1'"), "\(none)")
    }

    @Test func aRowOfAListThatIsGoneNamesNoOtherNote() throws {
        let world = try VaultWorld()
        _ = try world.new("3D printing")
        _ = try world.new("30 days")
        expectRefusal(try world.vault("rm", "3"), 5, says: "no note matches '3'")
        expectRefusal(try world.vault("rm", "30"), 5, says: "no note matches '30'")
        #expect(try world.vault("cat", "3D").code == 0)
    }

    @Test func aPartIsOfNoteTitlesAlone() throws {
        let world = try VaultWorld()
        // Of two that fit none is overlooked, however long its title is and however many texts have the word.
        let long = String(repeating: "a long way to go, ", count: 5) + "meeting"
        _ = try world.new(long)
        for number in 0..<30 { _ = try world.new("note \(number)\nabout a meeting") }
        #expect(try world.require(world.vault("cat", "meeting")).text == long)
        _ = try world.new("The meeting of May")
        expectRefusal(try world.vault("cat", "meeting"), 6)
    }
}
