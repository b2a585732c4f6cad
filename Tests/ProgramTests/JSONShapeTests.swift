// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Foundation
import Glibc
import Testing

/// docs/cli.md §6: whatever a command prints with `--json` is one object with its schema's number.
@Suite struct JSONShapeTests {
    struct Line {
        let name: String
        let arguments: [String]
        var codes: Set<Int32> = [0]
        var onTerminal = false

        init(_ name: String, _ arguments: [String] = [], codes: Set<Int32> = [0], onTerminal: Bool = false) {
            self.name = name
            self.arguments = arguments
            self.codes = codes
            self.onTerminal = onTerminal
        }
        var words: [String] { name.split(separator: " ").map(String.init) + arguments + ["--json"] }
    }

    /// They have no answer of their own: what is wanted there is a program's decision, or bytes.
    private static let without = ["sketch new", "import pass", "tui"]
    /// They need another account than the vault's, another device, a service or a browser: CloudTests, SyncTests,
    /// ConflictCommandTests, DeviceTests, WebPageTests.
    private static let elsewhere =
        ["clone", "remote login", "conflict show", "conflict resolve", "sync follow", "web", "open"] + revoking
    private static let revoking = ["device retire", "device revoke"]

    @Test func everyCommandAnswersWithOneObject() throws {
        let world = try Self.world()
        let lines = try Self.lines(world)
        let named = Set(lines.map(\.name) + Self.without + Self.elsewhere)
        for name in try AgentDeathTests.commands(world) {
            #expect(named.contains(name), "'vault \(name) --json' is not in the table")
        }
        for line in lines {
            let printed = line.onTerminal ? try Self.typed(line, world) : try Self.run(line, world)
            guard let answer = try? JSON(text: printed) else {
                Issue.record("\(line.words) printed \(printed.debugDescription)")
                continue
            }
            #expect(answer["schema"].int.map { $0 >= 1 } == true, "\(line.words): \(printed.prefix(200))")
            // Where notes are told, they have one shape.
            for note in answer["notes"].array where note.string == nil {
                #expect(answer["schema"].int == 2, "\(line.words)")
                #expect(note["hasAttachments"].bool != nil, "\(line.words): \(note.names)")
                #expect(note["attachments"].isMissing || note["attachments"].isList, "\(line.words)")
            }
        }
    }

    @Test func aNoteWithADrawingIsMarkedInListsAndInSearches() throws {
        let world = try VaultWorld()
        let id = try world.require(world.vault("new", "plan of a garden")).text.trimmingCharacters(in: .newlines)
        let drawing = try world.write(
            "plan.svg",
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><path d='M1 1L8 8' stroke='#000' fill='none'/></svg>"
        )
        try world.require(world.vault("attach", "add", id, try world.write("plain.txt", "bytes")))
        #expect(try JSON(world.require(world.vault("ls", "--json")))["notes"][0]["hasSketches"].bool == false)
        try world.require(world.vault("sketch", "import", id, drawing))
        for words in [["ls", "--json"], ["search", "garden", "--json"], ["show", id, "--json"]] {
            let note = try JSON(world.require(world.vault(words)))["notes"][0]
            #expect(note["hasSketches"].bool == true && note["hasAttachments"].bool == true, "\(words)")
        }
        #expect(try world.shown("ls").contains("[attachments]  [sketch]"))
        // A locked note says nothing of it.
        let other = try world.write("other", "a note of its own 77")
        let closed = try world.require(
            world.vault("new", "kept away", "--private", "--note-password-file", other, "--show-title")
        ).id
        try world.require(world.vault("sketch", "import", closed, drawing))
        func marks() throws -> [Bool?] {
            try JSON(world.vault("ls", "--json"))["notes"].array.filter { $0["id"].string == closed }
                .map { $0["hasSketches"].bool }
        }
        #expect(try marks() == [true])
        try world.require(world.vault("note", "lock", closed))
        #expect(try marks() == [false])
        // A long text is not opened for it, and a note that never had a drawing has no mark.
        let long = try world.new(String(repeating: "long ", count: 20_000))
        try world.require(world.vault("attach", "add", long, try world.write("more.txt", "bytes")))
        func mark(_ id: String) throws -> Bool? {
            try JSON(world.vault("ls", "--json"))["notes"].array.first { $0["id"].string == id }?["hasSketches"].bool
        }
        #expect(try mark(long) == false)
        try world.require(world.vault("sketch", "import", long, drawing))
        #expect(try mark(long) == true)
        let file = try #require(
            JSON(world.require(world.vault("sketch", "ls", id, "--json")))["attachments"][0]["name"].string)
        try world.require(world.vault("attach", "rm", id, file))
        #expect(try mark(id) == false, "of the version that is there, not of one before")
    }

    @Test func aNoteWithAFileIsToldAsEveryNewNoteIs() throws {
        let world = try VaultWorld()
        let file = try world.write("photo.txt", "bytes")
        let plain = try JSON(world.require(world.vault("new", "text", "--json")))
        let attached = try JSON(world.require(world.vault("new", "text", "--attach", file, "--json")))
        #expect(attached.names == plain.names)
        #expect(attached["notes"][0].names == plain["notes"][0].names.union(["attachments"]))
        #expect(
            attached["notes"][0]["hasAttachments"].bool == true && plain["notes"][0]["hasAttachments"].bool == false)
        #expect(attached["notes"][0]["attachments"].array.map { $0["name"].string } == ["photo.txt"])
        // In a pipe it is the identifier, which the next command takes.
        let id = try world.require(world.vault("new", "more", "--attach", file)).text
        #expect(id.wholeMatch(of: /[2-7a-z]{16}\n/) != nil, "\(id)")
        #expect(try world.vault("cat", id.trimmingCharacters(in: .newlines)).text == "more")
        // On a terminal both are told.
        let shown = try world.shown("new", "third", "--attach", file)
        #expect(shown.contains("saved  ") && shown.contains("attached  photo.txt"), "\(shown)")
        let listed = try JSON(world.require(world.vault("show", "third", "--json")))["notes"][0]["attachments"]
        let alone = try JSON(world.require(world.vault("attach", "ls", "third", "--json")))["attachments"]
        #expect(listed[0].names == alone[0].names && listed[0]["id"].string == alone[0]["id"].string)
    }

    @Test func aFileThatFailsAfterTheNoteWasSavedIsToldWithTheNote() throws {
        let world = try VaultWorld()
        try Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4] + [UInt8](repeating: 0, count: 64)).write(
            to: URL(fileURLWithPath: world.path("broken.jpg")))
        let refused = try world.vault("new", "text", "--attach", world.path("broken.jpg"))
        #expect(refused.code != 0 && refused.out.isEmpty)
        let note = try #require(refused.err.firstMatch(of: /note ([2-7a-z]{8}) was saved without it/), "\(refused.err)")
        #expect(try world.vault("cat", String(note.1)).text == "text")
    }

    @Test(arguments: [
        ["help"], ["help", "ls"], ["help", "exit-codes"], ["ls", "--help"], ["trash"], ["trash", "--help"],
        ["--version"], [],
    ])
    func helpAndVersionAreObjectsToo(_ words: [String]) throws {
        let world = try VaultWorld(prepared: false, unlocked: false)
        for line in [words + ["--json"], ["--json"] + words] {
            let answer = try JSON(world.require(world.vault(line)))
            #expect(answer["schema"].int == 1, "\(line)")
            let isVersion = words == ["--version"]
            #expect(answer[isVersion ? "version" : "help"].string?.isEmpty == false, "\(line)")
            // Without a command the text is the way to a first note.
            if !isVersion, !words.isEmpty {
                #expect(try world.require(world.vault(words)).text == answer["help"].string, "\(line)")
            }
        }
    }

    private static func run(_ line: Line, _ world: VaultWorld) throws -> String {
        let finished = try world.vault(line.words)
        #expect(line.codes.contains(finished.code), "\(line.words): \(finished.err)")
        return finished.text
    }

    /// What is said beside the answer is on the same screen.
    private static func typed(_ line: Line, _ world: VaultWorld) throws -> String {
        let session = try TerminalSession([Programs.path("vault")] + line.words, environment: world.environment)
        let code = try session.finish()
        #expect(line.codes.contains(code), "\(line.words): \(session.transcript)")
        return session.transcript.split(separator: "\n").last { $0.hasPrefix("{") }.map { $0 + "\n" } ?? ""
    }

    /// A picture, and books of other programs.
    private static func writeBooks(_ world: VaultWorld) throws {
        let picture =
            "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGM4IWeDFTEMLQkAd2xIgco4MNEAAAAASUVORK5CYII="
        try #require(Data(base64Encoded: picture)).write(to: URL(filePath: world.path("picture.png")))
        let about =
            "<dc:identifier opf:scheme=\"uuid\" id=\"uuid_id\">0a0a0a0a-0000-4000-8000-000000000001</dc:identifier>"
        try world.write(
            "metadata.opf",
            """
            <?xml version='1.0' encoding='utf-8'?>
            <package xmlns="http://www.idpf.org/2007/opf" unique-identifier="uuid_id" version="2.0">
            <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
            \(about)<dc:title>Emma</dc:title><dc:creator opf:role="aut">Jane Austen</dc:creator>
            </metadata></package>
            """)
        try world.write(
            "My Clippings.txt",
            """
            Emma (Jane Austen)
            - Your Highlight on page 3 | Location 40-41 | Added on Monday, 5 June 2023 21:04:11

            It is such a happiness when good people get together.
            ==========

            """)
    }

    /// With programs that stand for an editor, a desktop and a microphone.
    private static func world() throws -> VaultWorld {
        let world = try VaultWorld(prepared: false, unlocked: false)
        try world.require(
            world.vault(
                "init", "--kdf-target", "0", "--password-file", world.passwordFile, "--recovery-file",
                world.path("recovery")))
        try world.unlock()
        try world.makeFolder("bin")
        try world.makeFolder("place")
        for (name, script) in [
            ("xdg-open", "exit 0"), ("arecord", "printf sound"),
            ("writer", "case $1 in *.toml) ;; *) echo more >> \"$1\" ;; esac"),
        ] {
            try world.write("bin/" + name, "#!/bin/sh\n\(script)\n")
            unsafe chmod(world.path("bin/" + name), 0o700)
        }
        world.environment["PATH"] = world.path("bin") + ":/usr/bin:/bin"
        world.environment["EDITOR"] = world.path("bin/writer")
        world.environment["TERM"] = "xterm"
        try world.makeFolder("notes")
        try world.write("notes/one.md", "# One\ntext\n")
        try world.write("journal.txt", "[2026-01-02 09:00] Day one.\nText.\n")
        try world.write("file.txt", "some bytes")
        try writeBooks(world)
        try world.write(
            "drawing.svg",
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><path d='M1 1L8 8' stroke='black'/></svg>")
        try world.write(
            "note.enex",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><en-export><note><title>E</title><content><![CDATA[<en-note>hi</en-note>]]></content></note></en-export>"
        )
        try world.write(
            "sn.txt",
            "{\"version\":\"004\",\"items\":[{\"uuid\":\"0a0a0a0a-0000-4000-8000-000000000001\",\"content_type\":\"Note\",\"content\":{\"title\":\"S\",\"text\":\"body\",\"references\":[]},\"created_at\":\"2026-01-02T03:04:05.000Z\",\"updated_at\":\"2026-01-02T03:04:05.000Z\"}]}"
        )
        return world
    }

    private static func lines(_ world: VaultWorld) throws -> [Line] {
        let file = world.path("file.txt")
        let note = try world.new(
            "alpha text https://example.org [[beta]]", "--title", "alpha", "--tag", "red", "--notebook", "work")
        let other = try world.new("beta text", "--title", "beta")
        try world.require(world.vault("attach", "add", note, file))
        let third = try world.new("gamma text", "--title", "gamma")
        for (number, drafted) in [note, other, third].enumerated() { try draft(of: drafted, number, world) }
        let (secret, given) = (["--note-password-file", world.passwordFile], ["--password-file", world.passwordFile])
        let second = try world.write("second", "walrus thimble quartz eleven")
        try FileManager.default.copyItem(atPath: world.directory, toPath: world.path("twin"))
        return
            [
                Line("status"), Line("unlock", given), Line("ls"), Line("ls", ["--count"]), Line("ls", ["--all"]),
                Line("search", ["text"]),
                Line("watch", ["--since", "0", "--count", "1"]),
                Line("show", [note]), Line("cat", [note, other]), Line("new", ["one"]),
                Line("new", ["two", "--attach", file]), Line("capture", ["https://example.org", "kept"]),
                Line("append", [note, "more"]), Line("prepend", [note, "before"]),
                Line("prepend", [note, "Tasks:\n- [ ] call Ada"]),
                Line("todo"), Line("done", [note, "1"]), Line("generate", ["door"]),
                Line("copy", ["door", "--osc52"], onTerminal: true), Line("replace", [other, "beta again"]),
                Line("history", [note]),
                Line("diff", [note]),
                Line("revert", [note, "@1"]), Line("links", [note]), Line("backlinks", [other]),
                Line("title", [other, "beta two"]),
                Line("tag add", [other, "blue"]), Line("untag", [other, "blue"]), Line("tag ls"),
                Line("tag rename", ["red", "crimson"]),
                Line("tag merge", ["crimson", "red"]), Line("mv", [other, "home"]),
                Line("date", [other, "2026-01-31"]), Line("notebook ls"),
                Line("notebook mv", ["home", "house"]),
                Line("notebook rm", ["house"]), Line("pin", [note]), Line("unpin", [note]), Line("archive", [note]),
                Line("unarchive", [note]),
                Line("dup", [note]), Line("undo", ["--yes"]), Line("redo"), Line("gc", ["--dry-run"]),
                Line("gc", ["--yes"]), Line("rm", [other]),
                Line("trash ls"),
                Line("restore", [other]), Line("attach ls", [note]),
                Line("attach add", [note, world.path("drawing.svg"), "--name", "d.bin"]),
                Line("attach rename", [note, "d.bin", "e.bin"]), Line("attach caption", [note, "e.bin", "words"]),
                Line("attach get", [note, "e.bin", "-o", world.path("got")]), Line("attach rm", [note, "e.bin"]),
                Line("attach record", [note, "--seconds", "1"]), Line("attach open", [note, "1"]),
                Line("sketch import", [note, world.path("drawing.svg")]), Line("sketch ls", [note]),
                Line("sketch export", [note, "drawing.svg", "-o", world.path("drawn.svg")]),
                Line("share", [note, "--to", "file", "-o", world.path("shared.txt")]), Line("check"), Line("repair"),
                Line("draft ls"),
                Line("draft show", [other]),
            ] + books(third, file, world) + editing(note, other, third) + elsewhere(world)
            + keys(world, note, second, secret, given) + own(world)
    }

    private static func books(_ note: String, _ file: String, _ world: VaultWorld) -> [Line] {
        let nobody = ["books.google", "books.openlibrary"].map { Line("config set", [$0, "http://127.0.0.1:9"]) }
        return nobody + [
            Line("book add", ["--manual", "Dune", "--author", "Frank Herbert"]), Line("book ls"),
            Line("book show", ["Dune"]), Line("book start", ["Dune"]), Line("book log", ["Dune", "--page", "5"]),
            Line("book chapter", ["add", "Dune", "1. Sand"]), Line("book put", ["Dune", note, "--chapter", "1. Sand"]),
            Line("book notes", ["Dune"]), Line("book edit", ["Dune", "--rating", "4.5"]), Line("book stats"),
            Line("book cover", ["Dune", "--set", world.path("picture.png")]), Line("book finish", ["Dune"]),
            Line("book archive", ["Dune"]), Line("book export", [world.path("books.csv")]),
            Line("book search", ["dune", "--agree"], codes: [1]), Line("book key", ["--show"]),
            Line("book put", ["--out", note]), Line("book rm", ["Dune"]),
            Line("import goodreads", [world.path("books.csv")]),
            Line("import storygraph", [world.path("books.csv")], codes: [0, 2, 12]),
            Line("import calibre", [world.path("metadata.opf")]),
            Line("import kindle", [world.path("My Clippings.txt")]),
        ]
    }

    private static func editing(_ note: String, _ other: String, _ third: String) -> [Line] {
        let options = ["--yes", "--allow-unknown-editor"]
        return [
            Line("draft resume", [note] + options, onTerminal: true), Line("draft discard", [other]),
            Line("draft save", [third]),
            Line("edit", [note] + options, onTerminal: true), Line("daily", options, onTerminal: true),
            Line("template edit", ["meeting"] + options, onTerminal: true), Line("template ls"),
            Line("template rm", ["meeting"]),
            Line("merge", [note, other]), Line("trash empty", ["--yes"]),
        ]
    }

    private static func elsewhere(_ world: VaultWorld) -> [Line] {
        let formats = ["markdown", "html", "jex", "text", "json"].map {
            Line("export " + $0, ["--plaintext", "-o", world.path("out." + $0)], codes: [0, 12])
        }
        return formats + [
            Line(
                "export vault",
                ["-o", world.path("all.vault"), "--new-password-file", world.passwordFile, "--kdf-target", "0"]),
            Line("import markdown", [world.path("notes")]), Line("import obsidian", [world.path("notes")]),
            Line("import auto", [world.path("notes")]),
            Line("import jrnl", [world.path("journal.txt")]), Line("import enex", [world.path("note.enex")]),
            Line("import standardnotes", [world.path("sn.txt")]),
            Line("import joplin", [world.path("out.jex")], codes: [0, 12]),
            Line("import json", [world.path("out.json")], codes: [0, 12]),
            Line("config set", ["durability.parity", "10%"]),
            Line("backup create", [world.path("backup")]), Line("backup ls", [world.path("backup")]),
            Line("backup verify", [world.path("backup")]), Line("backup drill", [world.path("backup")]),
            Line("backup prune", [world.path("backup"), "--keep-last", "1"]),
            Line("backup mend", [world.path("backup")]),
            // Edits were begun in the twin.
            Line("adopt", [world.path("twin"), "--dry-run"], codes: [0, 12]),
            Line("adopt", [world.path("twin")], codes: [0, 12]),
        ]
    }

    private static func keys(
        _ world: VaultWorld, _ note: String, _ second: String, _ secret: [String], _ given: [String]
    ) -> [Line] {
        let recovery = ["--password-file", world.path("recovery")]
        let cheap = ["--kdf-target", "0"]
        return [
            Line("note lock", [note] + secret), Line("note unlock", [note] + secret),
            Line("note passwd", [note, "--new-password-file", second] + secret),
            Line("note remove-password", [note, "--note-password-file", second]),
            Line("remote add", ["folder", world.path("place"), "--name", "nas"]), Line("remote ls"),
            Line("remote test"), Line("conflict ls"), Line("sync now"), Line("sync status"), Line("sync verify"),
            Line("sync repair"),
            Line("sync unattended"), Line("sync compare"), Line("sync log"), Line("sync pause"), Line("sync resume"),
            Line("device ls"),
            Line("device pair"), Line("device rename", ["desk"]),
            Line("remote set", ["nas", "--name", "home"]), Line("remote rm", ["home"]),
            Line("key ls"), Line("key verify", given),
            Line("key add", ["--name", "more", "--new-password-file", second] + cheap + given),
            Line("key rm", ["more", "--yes"] + given), Line("recovery test", recovery),
            Line("recovery print", ["-o", world.path("page.pdf")] + recovery),
            Line("recovery new", ["--recovery-file", world.path("next")] + given),
            Line("recovery use", ["--password-file", world.path("next"), "--new-password-file", second] + cheap),
            Line("passwd", ["--password-file", second, "--new-password-file", world.passwordFile] + cheap),
            Line("rotate", ["--dry-run"]), Line("rotate", ["--recovery-file", world.path("third")] + given + cheap),
        ]
    }

    /// Of the program itself, and of vaults.
    private static func own(_ world: VaultWorld) -> [Line] {
        [
            Line("config set", ["editor", "vim"]), Line("config get", ["editor"]), Line("config ls"),
            Line("config path"),
            Line("config unset", ["editor"]), Line("config edit", onTerminal: true), Line("doctor", codes: [0, 1]),
            Line("completion", ["bash"]),
            Line("about"), Line("version"), Line("help"), Line("lock"), Line("lock", ["--all"]), Line("status"),
            Line(
                "init",
                [
                    "--vault", world.path("new"), "--kdf-target", "0", "--no-recovery", "--password-file",
                    world.passwordFile,
                ]),
            Line(
                "backup restore",
                [
                    world.path("all.vault"), "--vault", world.path("restored"), "--password-file", world.passwordFile,
                    "--kdf-target", "0",
                ]),
            Line(
                "salvage",
                [
                    world.directory, "-o", world.path("salvaged"), "--password-file", world.passwordFile,
                    "--kdf-target", "0",
                ], codes: [0, 12]),
        ]
    }

    /// An edit that nobody ended: what it saved is there, and the connection goes.
    private static func draft(of note: String, _ number: Int, _ world: VaultWorld) throws {
        let line = try AgentLine.greeted(#require(world.socket))
        let folder = world.path("run/notevault/edit-0123456789abcdef0123456789abcde\(number)")
        #expect(unsafe mkdir(folder, 0o700) == 0)
        #expect(try line.ask(BeginEdit(target: .note(ref: note), folder: folder)).outcome.code == .ok)
        #expect(try line.ask(JournalEdit(text: Array("beta drafted\n".utf8))).outcome.code == .ok)
    }
}
