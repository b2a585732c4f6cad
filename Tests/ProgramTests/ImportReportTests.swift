// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// What an import tells: counts, losses, the report, and what a source was taken for.
@Suite struct ImportReportTests {
    @Test func theReportNamesEverythingAndIsNeverWrittenOver() throws {
        let world = try VaultWorld()
        for number in 0..<1200 { try world.put("v/\(number).md", "see ![[nobody \(number).png]]\n") }
        unsafe symlink("/etc/hostname", world.path("v/link.md"))
        let finished = try world.imported("obsidian", "v", "--report", world.path("report.json"))
        #expect(finished.code == 12)
        let told = try JSON(finished)
        #expect(told["lossCount"].int == 1201)
        #expect(told["losses"].array.count == 1001)
        let report = try JSON(text: String(contentsOfFile: world.path("report.json"), encoding: .utf8))
        #expect(report["losses"].array.count == 1201)
        #expect(Set(report["losses"].array.compactMap { $0["code"].string }) == ["attachmentMissing", "symbolicLink"])
        #expect(report["isComplete"].bool == true)
        #expect(report["done"]["created"].int == 1200 && report["delivered"]["notes"].int == 1200)
        var status = stat()
        unsafe stat(world.path("report.json"), &status)
        #expect(status.st_mode & 0o777 == 0o600)
        expectRefusal(
            try world.vault("import", "obsidian", world.path("v"), "--report", world.path("report.json")), 7,
            says: "exists")
    }

    @Test func aPersonIsToldWhatWasFoundAndWhatCameOfIt() throws {
        let world = try VaultWorld()
        try world.put("v/One.md", "[[Two]] ![[p.png]] ![[gone.png]] #tag\n")
        try world.put("v/Two.md", "two\n")
        try world.put("v/p.png", "picture")
        try world.put("v/unused.png", "picture")
        let told = try world.vault("import", "obsidian", world.path("v"))
        #expect(told.code == 12)
        #expect(told.lines.first == "in the source: notes 2, notebooks 0, tags 1, attachments 2, links 1")
        #expect(told.lines.last == "created 2, updated 0, unchanged 0, attachments 1")
        #expect(told.err.contains("not imported: unused.png: no note shows this file"))
        #expect(told.err.contains("One.md: files that the text shows are not in the source"))
    }

    @Test func autoSaysWhatItTookASourceFor() throws {
        let world = try VaultWorld()
        try world.put("obsidian/.obsidian/app.json", "{}")
        try world.put("obsidian/a.md", "a")
        try world.put("markdown/a.md", "a")
        try world.put(
            "joplin/\(String(repeating: "a", count: 32)).md", "T\n\nid: \(String(repeating: "a", count: 32))\ntype_: 1")
        try world.put("jrnl/2020/01/02.txt", "[2020-01-02 03:04] T\nbody\n")
        try world.put("recipes.enex", "<?xml version=\"1.0\"?><en-export><note><title>T</title></note></en-export>")
        try world.put("backup.txt", "{\"version\":\"004\",\"items\":[]}")
        try world.put("journal.txt", "[2020-01-02 03:04] T\nbody\n")
        let sources = [
            ("obsidian", "obsidian"), ("markdown", "markdown"), ("joplin", "joplin"), ("jrnl", "jrnl"),
            ("recipes.enex", "enex"),
            ("backup.txt", "standardnotes"), ("journal.txt", "jrnl"),
        ]
        for (name, format) in sources {
            let told = try world.vault("import", "auto", world.path(name), "--dry-run")
            #expect(told.code == 0 || told.code == 12, "\(name): \(told.err)")
            #expect(told.err.contains("vault import \(format)\n"), "\(name): \(told.err)")
        }
    }

    @Test func whatCouldBeNothingOrTwoThingsIsAskedAbout() throws {
        let world = try VaultWorld()
        try world.put("noise", "just words")
        let unknown = try world.vault("import", "auto", world.path("noise"))
        expectRefusal(unknown, 2, says: "cannot determine")
        for format in ["markdown", "obsidian", "joplin", "standardnotes", "jrnl", "pass", "enex", "json"] {
            #expect(unknown.err.contains(format))
        }
        try world.put("both/a.enex", "x")
        try world.put("both/b.gpg", "x")
        expectRefusal(try world.vault("import", "auto", world.path("both")), 2, says: "pass or enex")
        try world.put("one.md", "# A note")
        expectRefusal(try world.vault("import", "markdown", world.path("one.md")), 2, says: "is a file")
    }

    @Test func encryptedSourcesAreRefusedWithTheCommandThatHelps() throws {
        let world = try VaultWorld()
        try world.put("v3.txt", "JRNLv3\u{1}\u{2}abc")
        try world.put("v2.txt", "gAAAAABmZm9vYmFy")
        for name in ["v3.txt", "v2.txt"] {
            let refused = try world.vault("import", "jrnl", world.path(name))
            expectRefusal(refused, 2, says: "encrypted")
            #expect(refused.err.contains("jrnl --format json"))
        }
        try world.put(
            "sn.txt",
            "{\"version\":\"004\",\"items\":[{\"content_type\":\"Note\",\"content\":\"004:a:b:c\",\"uuid\":\"1\"}],\"keyParams\":{}}"
        )
        let refused = try world.vault("import", "standardnotes", world.path("sn.txt"))
        expectRefusal(refused, 2, says: "encrypted")
        #expect(refused.err.contains("Decrypted"))
    }

    @Test func whatIsStagedAndNotTakenLeavesNothing() throws {
        let world = try VaultWorld()
        try world.put("v/One.md", "![[a.png]]\n")
        try world.put("v/a.png", "picture")
        try world.require(world.imported("obsidian", "v"))
        #expect(world.objectCount == 1)
        // Staged again, found to be the same, dropped.
        try world.require(world.imported("obsidian", "v"))
        #expect(world.objectCount == 1)
        // A dry run stages nothing at all.
        try world.put("v/a.png", "another")
        #expect(try world.tally(world.imported("obsidian", "v", "--dry-run")) == [0, 1, 0, 1])
        #expect(world.objectCount == 1)
        #expect(try JSON(world.vault("check", "--json"))["orphans"].int == 0)
    }
}
