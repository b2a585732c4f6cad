// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// What is done ten times a day: a line in the day's note, a task, a password.
@Suite struct EveryDayTests {
    @Test func aLineGoesIntoADaysNote() throws {
        let world = try VaultWorld()
        try world.require(world.vault("daily", "woke", "up", "early"))
        try world.require(world.vault("daily", "yesterday:", "met Ada"))
        try world.require(world.vault("daily", "today", "and slept"))
        try world.require(world.vault("daily", "2026-01-31", "long ago"))
        let titles = try JSON(world.vault("ls", "-b", "Daily", "--json"))["notes"].array.compactMap {
            $0["title"].string
        }
        #expect(Set(titles).count == 3 && titles.contains("2026-01-31"), "\(titles)")
        let today = try #require(titles.first { $0 != "2026-01-31" && $0 == titles.max() })
        #expect(try world.require(world.vault("cat", today)).text.hasSuffix("woke up early\nand slept"))
        // A word that is no day is text, and piped text goes as before.
        try world.require(world.vault("daily", "todayish"))
        try world.require(world.vault("daily", input: Array("piped".utf8)))
        #expect(try world.require(world.vault("cat", today)).text.hasSuffix("and slept\ntodayish\npiped"))
        expectRefusal(try world.vault("daily", "2026-02-30", "no such day"), 2, says: "not a date")
    }

    @Test func textGoesBelowTheTitle() throws {
        let world = try VaultWorld()
        for (text, options, expected) in [
            ("Title\nrest", [], "Title\nfirst\nrest"), ("Title", [], "Title\nfirst"),
            ("body\nmore", ["--title", "Set"], "first\nbody\nmore"), ("\n\nTitle\n", [], "\n\nTitle\nfirst\n"),
            ("Title\r\nrest", [], "Title\r\nfirst\nrest"),
        ] as [(String, [String], String)] {
            let note = try world.require(world.vault(["new"] + options + ["--", text])).id
            try world.require(world.vault("prepend", note, "first"))
            #expect(try world.require(world.vault("cat", note)).text == expected)
        }
    }

    @Test func tasksAreListedAndTicked() throws {
        let world = try VaultWorld()
        let text = """
            Garden
            - [ ] dig
            - [x] sow
              * [ ] water
            1. [ ] reap
            -[ ] no item
            ```
            - [ ] in code
            ```
            - [ ]
            """
        let note = try world.require(world.vault("new", "-", input: Array(text.utf8))).id
        _ = try world.new("- [ ] call Ada\n- [link](x)", "-t", "work")
        let tasks = try JSON(world.vault("todo", "--json"))["tasks"].array
        #expect(
            tasks.map { "\($0["number"].int ?? 0) \($0["text"].string ?? "")" }
                == ["1 call Ada", "1 dig", "3 water", "4 reap", "5 "])
        #expect(try JSON(world.vault("todo", "tag:work", "--json"))["tasks"].array.count == 1)
        try world.require(world.vault("done", note, "3"))
        #expect(try world.require(world.vault("cat", note)).text == text.replacing("* [ ] water", with: "* [x] water"))
        #expect(try JSON(world.vault("todo", "--json"))["tasks"].array.count == 4)
        expectRefusal(try world.vault("done", note, "6"), 5, says: "no task 6")
        // Its number stays what it was, and it is not ticked twice.
        expectRefusal(try world.vault("done", note, "3"), 7, says: "task 3 is done already")
        try world.require(world.vault("undo"))
        #expect(try world.require(world.vault("cat", note)).text == text)
        try world.require(world.vault("done", note))
        #expect(try world.require(world.vault("cat", note)).text == text.replacing("- [ ] dig", with: "- [x] dig"))
        try world.require(world.vault("undo"))
        expectRefusal(try world.vault("done", note, "x"), 2, says: "'x' is not a task number")
        // On a terminal the notes have their tasks below them.
        let shown = try world.shown("todo")
        #expect(shown.contains("Garden\n  1  dig\n  3  water") && shown.contains("5 to do"), "\(shown)")
    }

    @Test func aDayMayStandInQuotationMarksAndATagHaveItsSign() throws {
        let world = try VaultWorld()
        try world.require(world.vault("daily", "yesterday: met Ada"))
        let listed = try JSON(world.vault("ls", "--json"))["notes"].array
        #expect(listed.count == 1)
        let id = try #require(listed.first?["id"].string)
        #expect(
            try world.vault("cat", id).text.contains("met Ada") && !world.vault("cat", id).text.contains("yesterday"))
        try world.require(world.vault("daily", "yesterday was long"))
        #expect(try JSON(world.vault("ls", "--json"))["notes"].array.count == 2, "a sentence, of today")
        for sentence in [["Today", "was", "hard"], ["today", "rained"], ["tomorrow", "I", "must call"]] {
            let written = try world.require(world.vault(["daily"] + sentence)).id
            #expect(try world.vault("cat", written).text.contains(sentence.joined(separator: " ")), "\(sentence)")
        }
        try world.require(world.vault("tag", id, "+met", "#ada"))
        try world.require(world.vault("untag", id, "+met"))
        expectRefusal(try world.vault("untag", id, "met"), 5, says: "no such tag")
        for words in [
            ["search", "+ada"], ["search", "+ada", "met"], ["ls", "+ada"], ["ls", "--since", "yesterday"],
        ] {
            #expect(try world.require(world.vault(words + ["--json"])).text.contains(id), "\(words)")
        }
        #expect(try !world.vault("search", "+ad", "met", "--json").text.contains(id))
        #expect(try world.vault("tag", "ls", "--json").text.contains("ada"))
        #expect(try !world.vault("tag", "ls", "--json").text.contains("met"))
        #expect(try !world.vault("tag", "ls", "--json").text.contains("#"))
    }

    @Test func aNewTitleTellsOfLinksToTheOldOne() throws {
        let world = try VaultWorld()
        try world.require(world.vault("new", "--title", "Garden", "beds"))
        try world.require(world.vault("new", "--title", "Plan", "see [[garden]] and [[Garden]]"))
        try world.require(world.vault("new", "--title", "Other", "see [[Plan]]"))
        let same = try world.require(world.vault("title", "Garden", "GARDEN"))
        #expect(!same.err.contains("links"), "\(same.err)")
        let changed = try world.require(world.vault("title", "Garden", "Orchard"))
        #expect(changed.err.contains("1 note links to it by its old title 'GARDEN'"), "\(changed.err)")
        try world.require(world.vault("undo"))
        #expect(try world.vault("backlinks", "Garden").text.contains("Plan"))
        let unlinked = try world.require(world.vault("title", "Other", "Another"))
        #expect(!unlinked.err.contains("links"), "\(unlinked.err)")
    }

    @Test func anExportOfNothingIsNone() throws {
        let world = try VaultWorld()
        try world.require(world.vault("new", "--title", "A", "one", "+work"))
        for format in ["text", "html", "json", "markdown", "jex"] {
            let target = world.path("none.\(format)")
            expectRefusal(
                try world.vault("export", format, "tag:wrok", "-o", target, "--plaintext"), 5, says: "no note matches")
            #expect(!FileManager.default.fileExists(atPath: target))
        }
        // Without a filter there is nothing to misspell.
        try world.require(world.vault("rm", "A"))
        try world.require(world.vault("export", "text", "-o", world.path("all"), "--plaintext"))
    }

    @Test func aLockedNoteInTheTrashHoldsNoUndoUp() throws {
        let world = try VaultWorld()
        let other = try world.new("before it")
        let file = try world.write("note-password", "another quite long password")
        let secret = try world.require(world.vault("new", "--private", "--note-password-file", file, "hidden")).id
        try world.require(world.vault("note", "lock", secret))
        try world.require(world.vault("pin", secret))
        try world.require(world.vault("rm", secret))
        try world.require(world.vault("undo"))
        #expect(try world.vault("ls", "--json").text.contains(secret))
        let refused = try world.vault("undo")
        #expect(refused.code == 3 && refused.err.contains("vault note unlock \(secret.prefix(4))"), "\(refused.err)")
        try world.require(world.vault("note", "unlock", secret, "--note-password-file", file))
        try world.require(world.vault("undo"))
        try world.require(world.vault("undo", "--yes"))
        #expect(try !world.vault("ls", "--json").text.contains(secret))
        #expect(try world.vault("cat", other).text.contains("before it"))
    }

    @Test func aPasswordIsMadeAndKept() throws {
        let world = try VaultWorld()
        let github = try world.require(world.vault("generate", "github", "--user", "ada")).id
        try world.require(world.vault("generate", "door", "-n", "64", "--no-symbols"))
        let text = try world.require(world.vault("cat", "github")).text
        #expect(text.wholeMatch(of: /[!-~]{20}\nuser: ada\n/) != nil, "\(text)")
        let door = try world.require(world.vault("cat", "door")).text
        #expect(door.wholeMatch(of: /[A-Za-z2-9]{64}\n/) != nil, "\(door)")
        // Nobody reads it over a shoulder, in a list or among what a search found.
        let password = try #require(text.split(separator: "\n").first)
        for words in [["ls"], ["ls", "--long"], ["search", "github"], ["search", "user ada"]] {
            #expect(try !world.shown(words).contains(password), "\(words)")
            let listed = try world.require(world.vault(words + ["--json"])).text
            #expect(listed.contains("\"github\"") && !listed.contains(password), "\(listed)")
        }
        #expect(try world.shown("show", "github").contains(password))
        // Nor as the title of a note that has none, or as a task.
        try world.require(world.vault("title", github, "--clear"))
        try world.require(world.vault("new", "- [ ] open sesame", "-t", "Secret"))
        for words in [["ls"], ["search", "user"], ["todo"], ["ls", "--json"], ["todo", "--json"]] {
            let listed = try world.require(world.vault(words)).text + world.shown(words)
            #expect(!listed.contains(password) && !listed.contains("sesame"), "\(words): \(listed)")
        }
        let beginning = String(password.prefix(12))
        for word in [beginning, beginning + "x"] {
            let refused = try world.vault("rm", "--json", "--", word + "?")
            #expect(refused.code == 5 && !refused.err.contains(password), "\(refused.err)")
        }
        try world.require(world.vault("title", github, "github"))
        // Two are never alike, and every sign comes.
        var seen: Set<Character> = []
        var all: Set<String> = []
        for number in 0..<20 {
            try world.require(world.vault("generate", "n\(number)", "-n", "128"))
            let one = try world.require(world.vault("cat", "n\(number)")).text
            all.insert(one)
            seen.formUnion(one.dropLast())
        }
        #expect(all.count == 20 && seen.count == 70, "\(seen.count)")
        expectRefusal(try world.vault("generate", "short", "-n", "7"), 2, says: "8 to 128")
        // Words come from the system's dictionary; without one that is said.
        let words = try world.vault("generate", "words", "--words", "5")
        if FileManager.default.fileExists(atPath: "/usr/share/dict/words") {
            let text = try world.require(world.vault("cat", "words")).text
            #expect(text.wholeMatch(of: /[a-z]{3,8}( [a-z]{3,8}){4}\n/) != nil, "\(text)")
        } else {
            expectRefusal(words, 5, says: "there is no dictionary")
        }
        expectRefusal(try world.vault("generate", ""), 2, says: "what is the password for?")
    }

    @Test func oneLineAloneIsCopied() throws {
        let world = try VaultWorld()
        let secret = "marmot-7781"
        _ = try world.new("\(secret)\nuser: ada\nURL:  https://example.org\n", "--title", "github")
        _ = try world.new("Title\n\nbelow it")
        _ = try world.new("only line")
        // OSC 52 shows what is copied: base64 of it, on the terminal.
        for (arguments, text) in [
            (["github"], secret), (["github", "--field", "user"], "ada"),
            (["github", "--field", "url"], "https://example.org"), (["github", "--line", "2"], "user: ada"),
            (["Title"], "below it"), (["only line"], "only line"),
        ] {
            let shown = try world.shown(["copy", "--osc52"] + arguments)
            #expect(shown.contains(Data(text.utf8).base64EncodedString()), "\(arguments)")
        }
        // With the line ends of another system too nothing else is copied.
        try world.require(world.vault("new", "--title", "dos", "-", input: Array("one\r\nuser: two\r\nthree".utf8)))
        for (arguments, text) in [([], "one"), (["--line", "3"], "three"), (["--field", "USER"], "two")] {
            let shown = try world.shown(["copy", "--osc52", "dos"] + arguments)
            #expect(shown.contains(";" + Data(text.utf8).base64EncodedString() + "\u{07}"), "\(arguments)")
        }
        expectRefusal(try world.vault("copy", "github", "--line", "9", "--osc52"), 5, says: "no line 9")
        expectRefusal(try world.vault("copy", "github", "--field", "pin", "--osc52"), 5, says: "'pin:'")
    }

    @Test func aNoteIsOfAnotherDay() throws {
        let world = try VaultWorld()
        try world.require(world.vault("new", "--date", "2024-02-29", "long ago"))
        let note = try JSON(world.vault("show", "long ago", "--json"))["notes"][0]
        #expect(note["created"].string?.hasPrefix("2024-02-29T") == true)
        #expect(note["updated"].string?.hasPrefix("2024") == false)
        expectRefusal(try world.vault("new", "--date", "2023-02-29", "never"), 2, says: "not a date")
        expectRefusal(try world.vault("new", "--date", "today"), 2, says: "--date needs a text")
    }

    /// Read by Python's own library for mail.
    @Test func aMessageForAMailProgramHoldsTheNote() throws {
        let world = try VaultWorld()
        let title = "Grüße: 50 % \"off\" =?x?= and a title that is much longer than one encoded word may be, 中文字符"
        let body = (0..<40).map { "line \($0) with ü and 🦘" }.joined(separator: "\n")
        _ = try world.new(title + "\n\n" + body)
        let path = world.path("note.eml")
        try world.require(world.vault("share", "Grüße", "--to", "email", "-o", path))
        let script = """
            import email, email.policy, json, sys
            m = email.message_from_binary_file(open(sys.argv[1], "rb"), policy=email.policy.default)
            print(json.dumps([m["subject"], m.get_content().rstrip("\\n"), m["x-unsent"], len(m.defects)]))
            """
        let python = try #require(Programs.system("python3"))
        let read = try JSON(Command.run([python, "-c", script, path], environment: ["PYTHONIOENCODING": "utf-8"]))
        #expect(read[0].string == title && read[1].string == body, "\(read[0])")
        #expect(read[2].string == "1" && read[3].int == 0)
        let raw = try String(contentsOfFile: path, encoding: .utf8)
        #expect(raw.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 78 })
        expectRefusal(try world.vault("share", "Grüße", "--to", "email", "-o", path), 7, says: "note.eml")
        expectRefusal(try world.vault("share", "Grüße", "--to", "email"), 2, says: "new file")
    }

    @Test func aCodeIsDrawnForACamera() throws {
        let world = try VaultWorld()
        _ = try world.new("https://example.org/a?b=c")
        let shown = try world.shown("share", "example", "--to", "qr")
        #expect(shown.contains("\u{2588}") && shown.contains("\u{1B}[30;107m"))
        expectRefusal(try world.vault("share", "example", "--to", "qr"), 2, says: "on a terminal")
        _ = try world.new(String(repeating: "long ", count: 1000), "--title", "Long")
        let session = try TerminalSession(
            [Programs.path("vault"), "share", "Long", "--to", "qr"], environment: world.environment)
        try session.wait(for: "a code holds 2048")
        #expect(try session.finish() == 2)
    }
}
