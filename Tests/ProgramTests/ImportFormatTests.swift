// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// Each format from its file to the vault and a second time, with the real programs.
@Suite struct ImportFormatTests {
    static let photo: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    @Test func obsidianKeepsFilesThatSeveralNotesShow() throws {
        let world = try VaultWorld()
        try world.put("v/One.md", "# One\n\n![[photo.png]] and [[Two]] and [[deep/Same]]\n")
        try world.put("v/Two.md", "---\ntags: [x, y]\n---\n![[photo.png]] [[Same]]\n")
        try world.put("v/deep/Same.md", "first\n")
        try world.put("v/Same.md", "second\n")
        try world.put("v/img/photo.png", Self.photo)
        try world.put("v/.obsidian/app.json", "{}")
        let first = try world.imported("obsidian", "v")
        #expect(try world.tally(first) == [4, 0, 0, 2])
        #expect(try JSON(first)["found"]["attachments"].int == 1)
        #expect(try JSON(first)["delivered"]["notes"].int == 4)
        // The photo is in each note, under a file of its own.
        for title in ["One", "Two"] { #expect(try world.attachment(title, "photo.png") == Self.photo) }
        #expect(world.objectCount == 2)
        // Two notes have this title: the link names the one that is meant, and that one is there.
        let target = try #require(
            world.note("One")["body"].string?.components(separatedBy: "[[").dropFirst(2).first?.prefix {
                $0 != "|" && $0 != "]"
            })
        #expect(try world.vault("cat", String(target)).text == "first\n")
        let second = try world.imported("obsidian", "v")
        #expect(try world.tally(second) == [0, 0, 4, 0])
        #expect(world.objectCount == 2)
        try world.put("v/img/photo.png", Self.photo.reversed())
        #expect(try world.tally(world.imported("obsidian", "v", "--dry-run")) == [0, 2, 2, 2])
        #expect(try world.attachment("One", "photo.png") == Self.photo)
        #expect(try world.tally(world.imported("obsidian", "v")) == [0, 2, 2, 2])
        #expect(try world.attachment("One", "photo.png") == Self.photo.reversed())
        #expect(try world.vault("check").code == 0)
    }

    @Test func aJoplinExportKeepsFoldersTagsDatesAndResources() throws {
        let world = try VaultWorld()
        func id(_ digit: String) -> String { String(repeating: digit, count: 32) }
        let (a, b, folder, resource, tag) = (id("a"), id("b"), id("c"), id("e"), id("f"))
        func item(_ id: String, _ type: Int, _ head: String, _ lines: [String]) throws {
            try world.put("raw/\(id).md", head + (["id: \(id)"] + lines + ["type_: \(type)"]).joined(separator: "\n"))
        }
        let dates = ["created_time: 2020-01-02T03:04:05.678Z", "updated_time: 2021-01-01T00:00:00.000Z"]
        try item(a, 1, "Trip\n\n![map](:/\(resource)) and [plan](:/\(b))\n\n", ["parent_id: \(folder)"] + dates)
        try item(b, 1, "Plan\n\npack\n\n", ["parent_id: \(folder)", "deleted_time: 5"] + dates)
        try item(folder, 2, "Travel\n\n", ["parent_id: "])
        try item(resource, 4, "map.png\n\n", ["mime: image/png", "file_extension: png"])
        try item(tag, 5, "summer\n\n", [])
        try item(id("1"), 6, "", ["note_id: \(a)", "tag_id: \(tag)"])
        try world.put("raw/resources/\(resource).png", Self.photo)
        try world.system("tar", ["-C", world.path("raw"), "--format=ustar", "-cf", world.path("all.jex"), "."])
        let first = try world.imported("joplin", "all.jex")
        #expect(try world.tally(first) == [2, 0, 0, 1], "\(first.err)")
        let note = try world.note("Trip")
        #expect(note["notebook"].string == "Travel" && note["tags"][0].string == "summer")
        #expect(note["created"].string?.hasPrefix("2020-01-02T03:04:05") == true)
        #expect(note["body"].string == "![map](att:map.png) and [[Plan|plan]]")
        #expect(try world.attachment("Trip", "map.png") == Self.photo)
        #expect(try JSON(world.vault("trash", "ls", "--json"))["total"].int == 1)
        #expect(try world.tally(world.imported("joplin", "all.jex")) == [0, 0, 2, 0])
        // The folder says the same as the archive, and its notes are the same ones.
        #expect(try world.tally(world.imported("joplin", "raw")) == [0, 0, 2, 0])
        #expect(try world.vault("check").code == 0)
    }

    @Test func aBackupOfStandardNotesKeepsItsMarks() throws {
        let world = try VaultWorld()
        func note(_ id: String, _ title: String, _ more: String, _ app: String) -> String {
            """
            {"uuid":"\(id)","content_type":"Note","created_at":"2020-01-02T03:04:05.000Z","updated_at":"2021-01-01T00:00:00.000Z",
            "content":{"title":"\(title)","text":"text of \(title)"\(more),"references":[],"appData":{"org.standardnotes.sn":{\(app)}}}}
            """
        }
        func backup(_ pinned: Bool) -> String {
            let notes = [
                note("11111111-1111-4111-8111-111111111111", "pinned one", "", "\"pinned\":\(pinned)"),
                note("22222222-2222-4222-8222-222222222222", "archived one", "", "\"archived\":true"),
                note("33333333-3333-4333-8333-333333333333", "thrown away", ",\"trashed\":true", ""),
            ]
            return "{\"version\":\"004\",\"items\":[" + notes.joined(separator: ",") + "]}"
        }
        try world.put("backup.txt", backup(true))
        #expect(try world.tally(world.imported("standardnotes", "backup.txt")) == [3, 0, 0, 0])
        #expect(try world.note("pinned one")["pinned"].bool == true)
        #expect(try JSON(world.vault("ls", "--archived", "--json"))["notes"][0]["title"].string == "archived one")
        #expect(try JSON(world.vault("trash", "ls", "--json"))["notes"][0]["title"].string == "thrown away")
        #expect(try world.tally(world.imported("standardnotes", "backup.txt")) == [0, 0, 3, 0])
        try world.put("backup.txt", backup(false))
        #expect(try world.tally(world.imported("standardnotes", "backup.txt")) == [0, 1, 2, 0])
        #expect(try world.note("pinned one")["pinned"].bool == false)
    }

    @Test func anEvernoteExportKeepsItsResources() throws {
        let world = try VaultWorld()
        let data = Data(Self.photo)
        let hash = String(try world.system("md5sum", [world.put("photo.png", Self.photo)]).text.prefix(32))
        try world.put(
            "recipes.enex",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
            <en-export><note><title>Soup</title><content><![CDATA[<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "x"><en-note><div>Boil it.</div>\
            <en-media type="image/png" hash="\(hash)"/></en-note>]]></content><created>20200102T030405Z</created><tag>cook</tag>
            <resource><data encoding="base64">\(data.base64EncodedString())</data><mime>image/png</mime>
            <resource-attributes><file-name>soup.png</file-name></resource-attributes></resource></note></en-export>
            """)
        let first = try world.imported("enex", "recipes.enex")
        #expect(try world.tally(first) == [1, 0, 0, 1], "\(first.err)")
        let note = try world.note("Soup")
        #expect(note["notebook"].string == "recipes" && note["tags"][0].string == "cook")
        #expect(note["body"].string?.contains("(att:soup.png)") == true)
        #expect(try world.attachment("Soup", "soup.png") == Self.photo)
        #expect(try world.tally(world.imported("enex", "recipes.enex")) == [0, 0, 1, 0])
    }

    @Test func markdownTakesTheFilesThatItsNotesNameAndLeavesTheTextAlone() throws {
        let world = try VaultWorld()
        try world.put("d/plain.md", "# Plain\n\nSee [[Other]] and [web](https://a.example/x.png).\n")
        try world.put("d/sub/shown.md", "Shown ![p](../img/photo%201.png) and [doc](../a.pdf)\n")
        try world.put("d/img/photo 1.png", Self.photo)
        try world.put("d/a.pdf", "%PDF-1.4\n")
        try world.put("d/unused.bin", "nobody names this")
        let first = try world.imported("markdown", "d")
        // What no note names is left out, and said.
        #expect(first.code == 12, "\(first.err)")
        #expect(try JSON(first)["losses"].array.compactMap { $0["path"].string } == ["unused.bin"])
        #expect(try world.tally(first) == [2, 0, 0, 2])
        let note = try JSON(world.vault("search", "--json", "Shown"))["notes"][0]
        let id = try #require(note["id"].string)
        #expect(note["notebook"].string == "sub")
        #expect(try world.vault("cat", id).text == "Shown ![p](att:photo 1.png) and [doc](att:a.pdf)\n")
        #expect(try world.attachment(id, "photo 1.png") == Self.photo)
        #expect(
            try world.vault("cat", "Plain").text == "# Plain\n\nSee [[Other]] and [web](https://a.example/x.png).\n")
        #expect(
            try world.vault("import", "markdown", world.path("d")).err.contains(
                "not imported: unused.bin: no note shows this file"))
        // The same notes, now that no other file lies beside them.
        try FileManager.default.removeItem(atPath: world.path("d/sub"))
        for name in ["img", "a.pdf", "unused.bin"] {
            try FileManager.default.removeItem(atPath: world.path("d/" + name))
        }
        #expect(try world.tally(world.imported("markdown", "d")) == [0, 0, 1, 0])
    }

    @Test func whatTheOwnerAttachedStaysThroughAnUpdate() throws {
        let world = try VaultWorld()
        try world.put("v/One.md", "![[photo.png]]\n")
        try world.put("v/photo.png", Self.photo)
        try world.require(world.imported("obsidian", "v"))
        let id = try #require(JSON(world.vault("ls", "--json"))["notes"][0]["id"].string)
        try world.require(world.vault("attach", "add", id, world.put("mine.txt", "mine")))
        #expect(try world.tally(world.imported("obsidian", "v")) == [0, 0, 1, 0])
        try world.put("v/One.md", "![[photo.png]] more\n")
        #expect(try world.tally(world.imported("obsidian", "v")) == [0, 1, 0, 0])
        #expect(try world.attachment(id, "mine.txt") == Array("mine".utf8))
        // The whole import is one step back.
        try world.require(world.vault("undo"))
        #expect(try world.vault("cat", id).text == "![photo.png](att:photo.png)\n")
    }
}
