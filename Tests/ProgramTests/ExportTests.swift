// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Notes out of the vault, in forms that other programs read.
@Suite struct ExportTests {
    private func world() throws -> (world: VaultWorld, note: String) {
        let world = try VaultWorld()
        let note = try world.new(
            "First line\ntext with [[Set title]] and ![pic](att:a b.bin)\n", "-t", "work/x", "-b", "Travel/2026")
        try world.attach(note, "a b.bin", [0, 1, 2, 255])
        try world.require(world.vault("append", note, "appended"))
        _ = try world.new("the body", "--title", "Set title", "-t", "a: b")
        return (world, note)
    }

    @Test func markdownComesBackByImport() throws {
        let (world, note) = try world()
        let second = try JSON(world.vault("ls", "--json", "tag:\"a: b\""))["notes"][0]["id"].string ?? ""
        try world.require(world.vault("pin", note))
        try world.export("markdown", "out")
        let other = try VaultWorld()
        // Whether attachments are taken over too is the import's own matter.
        #expect([0, 12].contains(try other.vault("import", "markdown", world.path("out")).code))
        for id in [note, second] {
            let before = try JSON(world.vault("show", id, "--json"))["notes"][0]
            let title = try #require(before["title"].string)
            let after = try JSON(other.require(other.vault("show", title, "--json")))["notes"][0]
            for field in ["title", "notebook", "created"] {
                #expect(after[field].string == before[field].string, "\(field)")
            }
            #expect(after["tags"].array.map(\.string) == before["tags"].array.map(\.string))
            let body = before["body"].string?.replacing("att:a b.bin", with: "First%20line.files/a%20b.bin")
            #expect(after["body"].string == body || after["body"].string == before["body"].string)
        }
        #expect(try other.vault("ls", "--count").text == "2\n")
    }

    @Test func everyFormatIsWhatItSays() throws {
        let (world, note) = try world()
        try world.export("markdown", "m")
        let folder = try ExportedFolder(world.path("m"))
        #expect(
            folder.notes.count == 2 && folder.file("Travel/2026/First line.files/a b.bin")?.content == [0, 1, 2, 255])
        try world.export("json", "one.json")
        let document = try JSON(text: String(contentsOfFile: world.path("one.json"), encoding: .utf8))
        let first = document["notes"].array.first { $0["id"].string == note }
        #expect(document["totalNoteCount"].int == 2 && first?["attachments"][0]["base64"].string == "AAEC/w==")
        #expect(first?["revisions"].array.map { $0["operation"].string } == ["create", "attach"])
        #expect(first?["revisions"][0]["body"].string?.contains("appended") == false)
        try world.export("json", "js")
        #expect(try ExportedFolder(world.path("js")).file("notes-000001.json")?.text.contains("\"last\":true") == true)
        for (format, name) in [("markdown", "m.tar"), ("json", "j.tar"), ("jex", "x.jex")] {
            try world.export(format, name)
            let listed = try Command.run(
                ["/bin/tar", "tf", world.path(name)], environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
            #expect(listed.code == 0 && listed.lines.count >= 1, "\(name)")
        }
        try world.export("html", "page.html")
        #expect(try String(contentsOfFile: world.path("page.html"), encoding: .utf8).hasSuffix("</body></html>\n"))
        try world.export("text", "all.txt")
        #expect(try String(contentsOfFile: world.path("all.txt"), encoding: .utf8).contains("text with [[Set title]]"))
    }

    @Test func nothingLeavesInTheClearWithoutAYes() throws {
        let (world, _) = try world()
        expectRefusal(try world.vault("export", "markdown", "-o", world.path("out")), 2, says: "needs confirmation")
        #expect(!world.exists("out"))
        let no = try world.terminal("export", "text", "-o", world.path("out"))
        try no.answer("unencrypted", "n")
        #expect(try no.finish() == 10 && !world.exists("out"))
        let yes = try world.terminal("export", "text", "-o", world.path("out"))
        try yes.answer("unencrypted", "yes")
        #expect(try yes.finish() == 0 && yes.transcript.contains("does not protect this copy: \(world.path("out"))"))
        for (line, words) in [
            (["-o", world.path("x.age"), "--plaintext"], ".age"),
            (["-o", world.path("x"), "--armor", "--plaintext"], "--armor"),
            (["-o", world.path("x"), "--plaintext", "--passphrase"], "--plaintext"),
            (["-o", world.path("x"), "--passphrase", "--encrypt-to", "age1"], "not both"),
            (["-o", "-", "--plaintext", "--json"], "standard output"),
        ] {
            let refused = try world.vault(["export", "json"] + line)
            #expect(refused.code == 2 && refused.err.contains(words), "\(line)")
        }
        #expect(!world.exists("x") && !world.exists("x.age"))
    }

    @Test func lockedPrivateNotesAreLeftOutAndCounted() throws {
        let (world, _) = try world()
        let file = try world.write("note-password", "another quite long password")
        let secret = try world.require(world.vault("new", "--private", "--note-password-file", file, "the secretword"))
            .id
        try world.require(world.vault("note", "lock", secret))
        let without = try world.vault("export", "text", "-o", world.path("without"), "--plaintext")
        #expect(
            without.code == 12 && without.err.contains("were left out: 1") && without.err.contains("vault note unlock"),
            "\(without.err)")
        #expect(try !String(contentsOfFile: world.path("without"), encoding: .utf8).contains("secretword"))
        let told = try world.vault("export", "json", "--json", "-o", world.path("j.json"), "--plaintext")
        let loss = try JSON(told)["losses"][0]
        #expect(
            told.code == 12 && loss["code"].string == "privateNotes" && loss["count"].int == 1
                && loss["missing"].bool == true)
        #expect(
            try JSON(text: String(contentsOfFile: world.path("j.json"), encoding: .utf8))["privateNotesLeftOut"].int
                == 1)
        try world.require(world.vault("note", "unlock", secret, "--note-password-file", file))
        let with = try world.export("text", "with")
        #expect(with.err.contains("without their own password: 1"))
        #expect(try String(contentsOfFile: world.path("with"), encoding: .utf8).contains("secretword"))
    }

    @Test func whatIsExportedIsWhatWasAskedFor() throws {
        let (world, note) = try world()
        let gone = try world.new("thrown away")
        try world.require(world.vault("rm", gone))
        let kept = try world.new("put away")
        try world.require(world.vault("archive", kept))
        func ids(_ name: String, _ options: String...) throws -> [String] {
            try world.require(world.vault(["export", "json", "-o", world.path(name), "--plaintext"] + options))
            return try JSON(text: String(contentsOfFile: world.path(name), encoding: .utf8))["notes"].array.compactMap {
                $0["id"].string
            }
        }
        #expect(try ids("1.json").count == 3)
        let all = try ids("2.json", "--trash")
        let again = try ids("3.json", "--trash")
        #expect(all.count == 4 && all.first == note && all == again, "the oldest first, always")
        #expect(try ids("4.json", "tag:work") == [note])
        #expect(try ids("5.json", "appended") == [note])
        #expect(try ids("6.json", "state:archived") == [kept])
        let nothing = try world.vault("export", "json", "nosuchword", "-o", "-", "--plaintext")
        expectRefusal(nothing, 5, says: "no note matches")
        #expect(try ids("8.json", "--no-history", "tag:work") == [note])
        #expect(try !String(contentsOfFile: world.path("8.json"), encoding: .utf8).contains("\"operation\""))
        #expect(
            try world.vault("export", "json", "created:>nonsense:(", "-o", world.path("9.json"), "--plaintext").code
                <= 2)
    }

    @Test func standardOutputTakesOneStream() throws {
        let (world, _) = try world()
        let piped = try world.require(world.vault("export", "markdown", "-o", "-", "--plaintext"))
        #expect(piped.out.count % 10_240 == 0 && piped.out.starts(with: "Travel/".utf8))
        let shell = "\"$0\" export json -o - --plaintext > \(world.path("one"))"
        #expect(
            try Command.run(["/bin/sh", "-c", shell, Programs.path("vault")], environment: world.environment).code == 0)
        let appended = "echo head > \(world.path("two")); \"$0\" export json -o - --plaintext >> \(world.path("two"))"
        #expect(
            try Command.run(["/bin/sh", "-c", appended, Programs.path("vault")], environment: world.environment).code
                == 0)
        let one = try String(contentsOfFile: world.path("one"), encoding: .utf8)
        #expect(try String(contentsOfFile: world.path("two"), encoding: .utf8) == "head\n" + one)
        let terminal = try world.terminal("export", "text", "-o", "-", "--plaintext")
        #expect(try terminal.finish() == 2)
    }

    @Test func aStalledReaderKeepsNobodyWaitingAndALockEndsIt() throws {
        let (world, note) = try world()
        try world.attach(note, "large", [UInt8](repeating: 7, count: 4 << 20))
        let pipe = try Command.pipe()
        let client = try Child(
            [Programs.path("vault"), "export", "json", "-o", "-", "--plaintext"], environment: world.environment,
            streams: [-1, pipe.write, -1])
        close(pipe.write)
        var first: UInt8 = 0
        #expect(unsafe read(pipe.read, &first, 1) == 1, "it has begun")
        for _ in 0..<10 { #expect(try world.require(world.vault("status")).seconds < 5) }
        #expect(try world.vault("cat", note).code == 0)
        #expect(try world.vault("lock").code == 0)
        #expect(client.wait(seconds: 20) == 3)
        close(pipe.read)
    }

    @Test func lockingAPrivateNoteEndsTheExportThatWritesIt() throws {
        let (world, _) = try world()
        let file = try world.write("note-password", "another quite long password")
        let secret = try world.require(world.vault("new", "--private", "--note-password-file", file, "the secretword"))
            .id
        try world.attach(secret, "large", [UInt8](repeating: 7, count: 4 << 20))
        let pipe = try Command.pipe()
        let client = try Child(
            [Programs.path("vault"), "export", "text", "-o", world.path("t"), "--plaintext"],
            environment: world.environment)
        #expect(client.wait(seconds: 30) == 0, "it is open")
        let stalled = try Child(
            [Programs.path("vault"), "export", "json", "secretword", "-o", "-", "--plaintext"],
            environment: world.environment,
            streams: [-1, pipe.write, -1])
        close(pipe.write)
        var first: UInt8 = 0
        #expect(unsafe read(pipe.read, &first, 1) == 1, "it has begun")
        try world.require(world.vault("note", "lock", secret))
        #expect(stalled.wait(seconds: 20) == 3)
        close(pipe.read)
        #expect(try world.vault("export", "text", "-o", world.path("u"), "--plaintext").code == 12)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func whateverEndsItLeavesAWholeFolderOrNone(_ signal: Int32) throws {
        let (world, note) = try world()
        try world.attach(note, "large", [UInt8](repeating: 7, count: 48 << 20))
        let client = try Child(
            [Programs.path("vault"), "export", "markdown", "-o", world.path("out"), "--plaintext"],
            environment: world.environment)
        let deadline = Clock.seconds + 20
        while try world.parts().isEmpty, !world.exists("out"), Clock.seconds < deadline { usleep(1000) }
        client.send(signal)
        let code = client.wait(seconds: 30)
        // A signal that comes after the last word acts when all is done.
        #expect(code == 130 || code == 0 || (code == -signal && world.exists("out")))
        #expect(try world.parts().isEmpty)
        #expect(world.exists("out") == (code != 130))
        #expect(try world.require(world.vault("status")).code == 0)
    }
}
