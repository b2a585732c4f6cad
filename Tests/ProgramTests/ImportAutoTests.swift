// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// `vault import auto FOLDER`, counted: as many notes come in as lie there, and a source that gives none never ends
/// with 0.
@Suite struct ImportAutoTests {
    /// Imports twice and counts: all new, then all known.
    private func expect(_ world: VaultWorld, _ name: String, _ format: String, notes: Int, code: Int32 = 0) throws {
        let first = try world.imported("auto", name)
        #expect(first.code == code, "\(first.err)")
        #expect(first.err.contains("vault import \(format)\n"), "\(first.err)")
        #expect(try Array(world.tally(first).prefix(3)) == [notes, 0, 0], "\(first.text) \(first.err)")
        #expect(try JSON(world.vault("ls", "--all", "--json"))["total"].int == notes)
        #expect(try Array(world.tally(world.imported("auto", name)).prefix(3)) == [0, 0, notes])
        #expect(try Array(world.tally(world.imported(format, name)).prefix(3)) == [0, 0, notes])
    }

    @Test func aFolderOfMarkdown() throws {
        let world = try VaultWorld()
        for number in 0..<12 { try world.put("d/\(number % 3)/n\(number).md", "# Note \(number)\n\ntext\n") }
        try world.put("d/plain.txt", "plain\n")
        try expect(world, "d", "markdown", notes: 13)
    }

    @Test func aVaultOfObsidian() throws {
        let world = try VaultWorld()
        try world.put("v/.obsidian/app.json", "{}")
        for number in 0..<12 {
            try world.put("v/\(number % 3)/n\(number).md", "---\ntags: [a]\n---\n[[n\((number + 1) % 12)]]\n")
        }
        try expect(world, "v", "obsidian", notes: 12)
    }

    @Test func aRawFolderOfJoplin() throws {
        let world = try VaultWorld()
        func id(_ number: Int) -> String { String(repeating: "0", count: 30) + String(number + 10) }
        for number in 0..<7 {
            try world.put(
                "raw/\(id(number)).md", "Note \(number)\n\ntext\n\nid: \(id(number))\nparent_id: \(id(80))\ntype_: 1")
        }
        try world.put("raw/\(id(80)).md", "Book\n\nid: \(id(80))\nparent_id: \ntype_: 2")
        try expect(world, "raw", "joplin", notes: 7)
    }

    @Test func aFolderOfEvernote() throws {
        let world = try VaultWorld()
        for book in 0..<3 {
            let notes = (0..<2).map {
                "<note><title>T\(book)\($0)</title><content><![CDATA[<en-note>text</en-note>]]></content></note>"
            }
            try world.put("e/book \(book).enex", "<?xml version=\"1.0\"?><en-export>" + notes.joined() + "</en-export>")
        }
        try expect(world, "e", "enex", notes: 6)
    }

    @Test func aFolderOfJrnl() throws {
        let world = try VaultWorld()
        for day in 1...5 {
            try world.put(
                "j/2020/01/0\(day).txt", "[2020-01-0\(day) 03:04] Day \(day)\nbody\n\n[2020-01-0\(day) 13:04] Noon\n")
        }
        try expect(world, "j", "jrnl", notes: 10)
    }

    @Test func ourOwnJSONInAFolder() throws {
        let old = try VaultWorld()
        for number in 0..<9 { _ = try old.new("note \(number)") }
        try old.require(old.vault("export", "json", "-o", old.path("out"), "--plaintext", "--no-history"))
        let world = try VaultWorld()
        try FileManager.default.moveItem(atPath: old.path("out"), toPath: world.path("out"))
        try expect(world, "out", "json", notes: 9)
    }

    @Test(arguments: ["markdown", "obsidian", "joplin", "jrnl", "enex", "json", "standardnotes"])
    func aSourceThatGivesNoNoteNeverEndsWithZero(format: String) throws {
        let world = try VaultWorld()
        try world.put("d/report.pdf", "%PDF-1.4\n")
        try world.put("d/deep/picture.png", ImportFormatTests.photo)
        let finished = try world.vault("import", format, world.path("d"))
        #expect(finished.code != 0, "\(finished.text) \(finished.err)")
        #expect(finished.err.contains("vault: warning: ") || finished.err.contains("vault: error: "))
        #expect(try world.vault("ls", "--count").text == "0\n")
        if format == "markdown" {
            #expect(
                finished.code == 12 && finished.err.contains("nothing was imported: no note was found in 2 files in d"))
            #expect(finished.err.contains("vault import auto"))
        }
        // Nothing is there, so nothing is missing.
        try world.makeFolder("empty")
        if format == "markdown" { #expect(try world.vault("import", format, world.path("empty")).code == 0) }
    }
}
