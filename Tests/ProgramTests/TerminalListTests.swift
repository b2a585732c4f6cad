// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

/// Notes on a terminal: rows, colours and what is made harmless.
@Suite struct TerminalListTests {
    @Test func aTallTerminalHasTwoLinesForEachNote() throws {
        let world = try worldWithNotes()
        let rows = try list(world, columns: 80, rows: 50)
        #expect(
            rows == """
                1  IDID  中文字符 🦘                                            DATE-AND-TIME---
                2  IDID  Short                                                  DATE-AND-TIME---
                  with a snippet  zoo
                3  IDID  A first line that is the title and is much longer th…  DATE-AND-TIME---
                  and a second one that is the snippet, also long enough to be cut somewh…  #sea
                3 notes

                """)
    }

    @Test func aShortTerminalHasOneLineForEachNote() throws {
        let world = try worldWithNotes()
        let rows = try list(world, columns: 40).split(separator: "\n")
        #expect(
            rows == [
                "1  IDID  中文字符 🦘    DATE-AND-TIME---", "2  IDID  Short  zoo     DATE-AND-TIME---",
                "3  IDID  A first line…  DATE-AND-TIME---", "3 notes",
            ])
    }

    @Test func aListIsAsLongAsTheScreen() throws {
        let world = try VaultWorld()
        for number in 1...40 { _ = try world.new("note \(number)") }
        for (rows, count) in [(UInt16(24), 21), (UInt16(12), 9), (UInt16(50), 23)] {
            let shown = try world.shown(["ls"], rows: rows)
            #expect(shown.contains("\(count) of 40 notes"), "\(shown)")
            #expect(shown.split(separator: "\n").count < Int(rows))
        }
        #expect(try world.shown("ls", "-n", "3").contains("3 of 40 notes"))
        // A pipe gets what it got before.
        #expect(try world.vault("ls").lines.count == 20)
    }

    @Test func coloursAreForTerminalsThatWantThem() throws {
        let world = try worldWithNotes()
        #expect(try world.shown("ls").contains("\u{1B}[1mShort\u{1B}[0m"))
        #expect(try world.shown("search", "snippet").contains("\u{1B}[1;33msnippet\u{1B}[0m"))
        for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
            world.environment[name] = value
            #expect(try !world.shown("ls").contains("\u{1B}"), "\(name)")
            #expect(try world.shown("ls", "--color", "always").contains("\u{1B}[1m"), "\(name)")
            world.environment[name] = nil
        }
        #expect(try !world.vault("ls").text.contains("\u{1B}"))
        world.environment["CLICOLOR_FORCE"] = "1"
        #expect(try world.vault("search", "snippet").code == 0)
    }

    @Test func aNoteIsShownWithItsTitleAndFacts() throws {
        let world = try worldWithNotes()
        world.environment["NO_COLOR"] = "1"
        let shown = try Self.masked(world.shown("show", "Short", "--date-style", "iso"))
        #expect(shown == "Short\nIDID  created DATE-AND-TIME---  zoo\n\nwith a snippet\n")
        #expect(
            try Self.masked(world.shown("rm", "Short"))
                == "moved to the trash  IDID  Short\nvault: hint: vault undo, or vault restore IDID\n")
        #expect(try Self.masked(world.shown("restore", "Short")) == "restored  IDID  Short\n")
        #expect(try Self.masked(world.shown("new", "typed here")) == "saved  IDID  typed here\n")
    }

    @Test func G01ATerminalShowsControlCharactersInsteadOfObeyingThem() throws {
        let world = try VaultWorld()
        world.environment["NO_COLOR"] = "1"
        let hostile = TextTests.hostile
        let id = try world.new(
            hostile + "\nbody " + hostile, "--title", "title " + hostile, "--tag", "t" + hostile, "--notebook",
            "n" + hostile)
        for command in [
            ["ls"], ["ls", "--long"], ["search", "body"], ["show", id], ["rm", id], ["trash", "ls"], ["restore", id],
        ] {
            let shown = try world.shown(command)
            #expect(
                shown.unicodeScalars.allSatisfy { $0 == "\n" || !TextTests.acts($0) },
                "\(command[0]): \(shown.debugDescription)")
            #expect(shown.contains("␛"), "\(command[0])")
        }
        #expect(try world.shown(["show", "--raw", id]).contains("\u{1B}[2J"), "asked for, it comes as it is")
    }

    /// A clipboard write, a title for the window, a zero-width space, tags and a tall stack: `cat` has nothing around
    /// the text.
    @Test func G01ATextAloneIsHarmlessOnATerminalAndWholeElsewhere() throws {
        let world = try VaultWorld()
        let text =
            TextTests.hostile + "\nfree\u{200B}dom \u{E0041}\u{61C}so\u{AD}ft e"
            + String(repeating: "\u{301}", count: 20) + "\n"
        let id = try world.require(world.vault("new", "-", input: Array(text.utf8))).id
        for command in [["cat", id], ["show", id], ["diff", id]] {
            let shown = try world.shown(command + ["--color", "never"]).replacing(/\e\]8;;[!-~]*\e\\/, with: "")
            #expect(
                shown.unicodeScalars.allSatisfy { $0 == "\n" || !TextTests.acts($0) },
                "\(command[0]): \(shown.debugDescription)")
            #expect(
                shown.contains("␛]52;") && shown.contains("free<U+200B>dom") && shown.contains("<+14 marks>"),
                "\(command[0])")
        }
        #expect(try world.vault("cat", id).out == Array(text.utf8))
        #expect(
            try world.shown("cat", "--raw", id).contains("\u{1B}]52;c;ZXZpbA==\u{7}"), "asked for, it comes as it is")
        for command in [["show", id, "--json"], ["ls", "--json"], ["cat", id, "--json"]] {
            #expect(
                try world.vault(command).text.unicodeScalars.allSatisfy { $0 == "\n" || !TextTests.acts($0) },
                "\(command[0])")
        }
    }

    @Test func G01FilesAreNotPrintedToATerminal() throws {
        let world = try VaultWorld()
        let id = try world.new("note")
        try world.write("a.txt", "\u{1B}]52;c;ZXZpbA==\u{7}")
        try world.write(
            "a.svg",
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><path d='M1 1L8 8' stroke='black'/></svg>")
        try world.require(world.vault("attach", "add", id, world.path("a.txt")))
        try world.require(world.vault("sketch", "import", id, world.path("a.svg")))
        for command in [
            ["attach", "get", id, "a.txt", "-o", "-"], ["sketch", "export", id, "a.svg", "-o", "-"],
            ["export", "text", "--plaintext", "-o", "-"],
            ["recovery", "print", "-o", "-", "--password-file", world.passwordFile],
        ] {
            let session = try TerminalSession([Programs.path("vault")] + command, environment: world.environment)
            #expect(try session.finish() == 2, "\(session.transcript)")
            #expect(
                session.transcript.contains("is not for a terminal") && !session.transcript.contains("\u{1B}]52"),
                "\(command)")
        }
        #expect(try world.vault("attach", "get", id, "a.txt", "-o", "-").text == "\u{1B}]52;c;ZXZpbA==\u{7}")
    }

    private func worldWithNotes() throws -> VaultWorld {
        let world = try VaultWorld()
        let text =
            "A first line that is the title and is much longer than forty columns\nand a second one that is the snippet, also long enough to be cut somewhere"
        _ = try world.new(text, "--tag", "sea")
        _ = try world.new("Short\n\nwith a snippet", "--notebook", "zoo")
        _ = try world.new("中文字符 🦘")
        return world
    }

    private func list(_ world: VaultWorld, columns: UInt16, rows: UInt16 = 24) throws -> String {
        world.environment["NO_COLOR"] = "1"
        return Self.masked(try world.shown(["ls", "--date-style", "iso"], columns: columns, rows: rows))
    }

    /// Dates and short identifiers of the same width, but the same in every run.
    private static func masked(_ text: String) -> String {
        text.replacing(/\d{4}-\d\d-\d\d \d\d:\d\d/, with: "DATE-AND-TIME---").replacing(
            /(?m)(^|  |restore )[a-z2-7]{4}(?=  |$)/
        ) { match in
            match.output.1 + "IDID"
        }
    }
}
