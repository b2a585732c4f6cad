// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// Files that the other programs themselves wrote.
@Suite struct RealExportTests {
    @Test func aJournalOfJrnl() throws {
        let world = try VaultWorld()
        guard let jrnl = RealJournal.program else { return }
        try world.put(
            "conf.yaml",
            "journals:\n  default: \(world.path("journal.txt"))\nencrypt: false\nhighlight: false\ntimeformat: '%F %r'\neditor: ''\n"
        )
        func run(_ words: String...) throws -> Finished {
            try world.require(
                Command.run([jrnl, "--config-file", world.path("conf.yaml")] + words, environment: world.environment))
        }
        _ = try run("2020-01-02 at 3:04pm: A first entry. With a body and a @tag.")
        _ = try run("2021-05-06 at 7:08am: The second *. Nothing more.")
        let first = try world.imported("jrnl", "journal.txt")
        #expect(try world.tally(first) == [2, 0, 0, 0], "\(first.text) \(first.err)")
        let note = try JSON(world.vault("search", "--json", "first entry"))["notes"][0]
        #expect(note["created"].string?.hasPrefix("2020-01-02T15:04") == true, "\(note["created"].string ?? "")")
        #expect(note["tags"][0].string == "tag")
        #expect(try world.tally(world.imported("jrnl", "journal.txt")) == [0, 0, 2, 0])
        _ = try run("2022-01-01 at 8:00am: A third.")
        #expect(try world.tally(world.imported("auto", "journal.txt")) == [1, 0, 2, 0])
        try world.put("journal.json", run("--format", "json").out)
        let json = try world.imported("auto", "journal.json")
        #expect(try world.tally(json)[0] == 3, "\(json.text) \(json.err)")
    }

    @Test func aStoreOfPassBecomesPrivateNotesUnderOnePassword() throws {
        let world = try VaultWorld()
        let store = try PassStore(world)
        defer { store.end() }
        try store.insert("web/mail", "s3cretword\nuser: me\n")
        try store.insert("bank", "pin4711word\n")
        let password = try world.write("note-password", "a long phrase for all entries")
        func run(_ options: String...) throws -> Finished {
            try world.vault(["import", "pass", store.path, "--json", "--note-password-file", password] + options)
        }
        #expect(try world.tally(run("--dry-run")) == [2, 0, 0, 0])
        #expect(try world.vault("ls", "--count").text == "0\n")
        #expect(try world.tally(run()) == [2, 0, 0, 0])
        // They are locked, and nothing of them is anywhere in the clear.
        let notes = try JSON(world.vault("ls", "--json"))["notes"].array
        #expect(
            notes.allSatisfy { $0["private"].bool == true && $0["locked"].bool == true && $0["title"].string == "" })
        #expect(try world.vault("search", "s3cretword").text.isEmpty)
        for word in ["s3cretword", "pin4711word", "bank"] { #expect(try !world.vaultHolds(word)) }
        #expect(try world.tally(run()) == [0, 0, 2, 0])
        try store.insert("web/mail", "changedword\nuser: me\n")
        try store.insert("web/new", "newword\n")
        #expect(try world.tally(run()) == [1, 1, 1, 0])
        // Each opens with that password, by itself.
        var texts: Set<String> = []
        for note in try JSON(world.vault("ls", "--json"))["notes"].array {
            let id = try #require(note["id"].string)
            try world.require(world.vault("note", "unlock", id, "--note-password-file", password))
            texts.insert(try world.vault("cat", id).text)
        }
        #expect(texts == ["changedword\nuser: me\n", "pin4711word\n", "newword\n"])
        #expect(try world.vault("check").code == 0)
    }

    @Test func anotherPasswordForTheSameStoreIsRefused() throws {
        let world = try VaultWorld()
        let store = try PassStore(world)
        defer { store.end() }
        try store.insert("one", "word\n")
        let right = try world.write("right", "a long phrase for all entries")
        let wrong = try world.write("wrong", "quite another phrase entirely")
        try world.require(world.vault("import", "pass", store.path, "--note-password-file", right))
        expectRefusal(
            try world.vault("import", "pass", store.path, "--note-password-file", wrong), 4, says: "earlier import")
        expectRefusal(try world.vault("--no-input", "import", "pass", store.path), 3, says: "password")
        #expect(try world.vault("ls", "--count").text == "1\n")
    }

    @Test func anEntryThatGpgCannotOpenIsNamed() throws {
        let world = try VaultWorld()
        let store = try PassStore(world)
        defer { store.end() }
        try store.insert("good", "word\n")
        try world.put("store/bad.gpg", "this is no message")
        let password = try world.write("note-password", "a long phrase for all entries")
        let finished = try world.vault("import", "pass", store.path, "--json", "--note-password-file", password)
        #expect(finished.code == 12)
        #expect(try world.tally(finished) == [1, 0, 0, 0])
        #expect(try JSON(finished)["losses"][0]["path"].string == "bad")
    }

    /// The documentation of GRDB, which lies beside the build because the vault is built on it: Markdown that nobody
    /// wrote for us.
    @Test func aPackagesDocumentationIsTakenOverWordForWord() throws {
        let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let folder = package + "/.build/checkouts/GRDB.swift/Documentation"
        let listed = try Command.run(["/usr/bin/find", folder, "-name", "*.md", "-print0"], environment: [:])
        let files = listed.out.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        try #require(files.count > 5, "swift build fetches the packages")
        let world = try VaultWorld()
        let imported = try world.vault("import", "markdown", folder, "--json")
        #expect([0, 12].contains(imported.code))
        #expect(try JSON(imported)["created"].int == files.count)
        let exported = try world.require(world.vault("export", "json", "-o", "-", "--plaintext", "--no-history"))
        let bodies = try JSON(text: exported.text)["notes"].array.compactMap { $0["body"].string }
        for file in files {
            let text = try String(contentsOfFile: file, encoding: .utf8).replacing("\r\n", with: "\n")
            // What shows a picture that is there names it as an attachment; every other byte is the file's.
            let lines = Set(text.split(separator: "\n").filter { !$0.contains("](") })
            #expect(bodies.contains { lines.isSubset(of: Set($0.split(separator: "\n"))) }, "\(file)")
        }
        #expect(try world.vault("check").code == 0)
        #expect(try JSON(world.vault("import", "markdown", folder, "--json"))["unchanged"].int == files.count)
    }
}
