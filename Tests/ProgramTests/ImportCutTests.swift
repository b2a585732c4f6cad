// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultTesting

/// Exports that are cut, or hold one bad part, from the file to the vault: counted in the source and in the vault.
@Suite struct ImportCutTests {
    private func enex(_ count: Int, bad: Int? = nil) -> String {
        let notes = (1...count).map { number in
            let title = number == bad ? "<b>Note \(number)" : "Note \(number)"
            return """
                <note><title>\(title)</title><created>20200102T030405Z</created>
                <content><![CDATA[<!DOCTYPE en-note SYSTEM "x"><en-note><div>text \(number)</div></en-note>]]></content>
                <resource><data encoding="base64">eA==</data><mime>text/plain</mime></resource></note>

                """
        }
        return "<?xml version=\"1.0\"?>\n<en-export>\n" + notes.joined() + "</en-export>\n"
    }

    private func titles(_ world: VaultWorld) throws -> Set<String> {
        Set(try JSON(world.vault("ls", "--all", "--json"))["notes"].array.compactMap { $0["title"].string })
    }

    @Test func oneBadNoteOfEvernoteCostsThatNoteAlone() throws {
        let world = try VaultWorld()
        try world.put("book.enex", enex(20, bad: 7))
        let told = try world.imported("enex", "book.enex")
        #expect(told.code == 12)
        #expect(try world.tally(told) == [19, 0, 0, 19])
        #expect(try titles(world) == Set((1...20).filter { $0 != 7 }.map { "Note \($0)" }))
        // Two lines before the first note, three for each.
        let loss = try #require(JSON(told)["losses"].array.first { $0["code"].string == "damaged" })
        #expect(loss["path"].string == "book.enex: note 7, line \(3 + 6 * 3)")
        #expect(
            try world.vault("import", "enex", world.path("book.enex")).err.contains(
                "book.enex: note 7, line 21: it is damaged"))
    }

    @Test(arguments: [400, 1200, 2000, 2600])
    func anEvernoteFileThatIsCutGivesItsWholeNotes(byteCount: Int) throws {
        let world = try VaultWorld()
        let file = Array(enex(12).utf8.prefix(byteCount))
        let whole = String(decoding: file, as: UTF8.self).components(separatedBy: "</note>").count - 1
        try world.put("cut.enex", file)
        let told = try world.imported("enex", "cut.enex")
        #expect(told.code == 12)
        #expect(try world.tally(told) == [whole, 0, 0, whole])
        #expect(try titles(world) == Set((1...max(whole, 1)).prefix(whole).map { "Note \($0)" }))
    }

    @Test func aJoplinArchiveThatIsCutGivesItsWholeNotes() throws {
        func id(_ number: Int) -> String { String(repeating: "0", count: 30) + (number < 10 ? "0" : "") + "\(number)" }
        let world = try VaultWorld()
        for number in 1...12 {
            try world.put("raw/\(id(number)).md", "Note \(number)\n\ntext\n\nid: \(id(number))\ntype_: 1")
        }
        let names = (1...12).map { id($0) + ".md" }
        try world.system("tar", ["-C", world.path("raw"), "--format=ustar", "-cf", world.path("all.jex")] + names)
        let all = try Array(Data(contentsOf: URL(fileURLWithPath: world.path("all.jex"))))
        // In a header, in a text, where a file of it ends, and where only the end is missing.
        for (cut, whole) in [(5 * 1024 + 300, 5), (5 * 1024 + 530, 5), (7 * 1024, 7), (12 * 1024, 12)] {
            let world = try VaultWorld()
            try world.put("cut.jex", Array(all[..<cut]))
            let told = try world.imported("joplin", "cut.jex")
            #expect(told.code == 12, "\(cut)")
            #expect(try world.tally(told) == [whole, 0, 0, 0], "\(cut): \(told.text)")
            #expect(try titles(world) == Set((1...whole).map { "Note \($0)" }))
        }
        #expect(try world.tally(world.imported("joplin", "all.jex")) == [12, 0, 0, 0])
    }

    @Test func aBackupOfStandardNotesThatIsCutGivesItsWholeNotes() throws {
        let world = try VaultWorld()
        // The same text each time: one in a hundred others ends just between two notes, where nothing is cut.
        var random = SeededGenerator(1)
        let items = (1...200).map { number in
            let text = (0..<40).map { _ in String(random.next(), radix: 36) }.joined(separator: " ")
            return
                #"{"uuid":"u\#(number)","content_type":"Note","content":{"title":"T\#(number)","text":"\#(text)","references":[]}}"#
        }
        let file = "{\"version\":\"004\",\"items\":[\n" + items.joined(separator: ",\n") + "\n]}"
        try world.put("cut.txt", Array(file.utf8.prefix(60_000)))
        let whole = String(decoding: file.utf8.prefix(60_000), as: UTF8.self).components(separatedBy: "]}},").count - 1
        let told = try world.imported("standardnotes", "cut.txt")
        #expect(told.code == 12)
        #expect(try world.tally(told) == [whole, 0, 0, 0])
        #expect(try JSON(told)["losses"][0]["path"].string == "cut.txt: item \(whole + 1), line \(whole + 2)")
        // The same in a zip that is cut.
        try world.put("zip/Standard Notes Backup and Import File.txt", file)
        try world.system(
            "python3",
            [
                "-m", "zipfile", "-c", world.path("all.zip"),
                world.path("zip") + "/Standard Notes Backup and Import File.txt",
            ])
        let all = try Array(Data(contentsOf: URL(fileURLWithPath: world.path("all.zip"))))
        let other = try VaultWorld()
        try other.put("cut.zip", Array(all[..<(all.count * 2 / 3)]))
        let packed = try other.imported("standardnotes", "cut.zip")
        #expect(packed.code == 12)
        #expect(try (50...199).contains(other.tally(packed)[0]), "\(packed.text)")
    }

    @Test func anExportOfVaultThatIsCutGivesItsWholeNotes() throws {
        let (from, world) = (try VaultWorld(), try VaultWorld())
        for number in 1...9 { _ = try from.new("# Note \(number)\ntext \(number)") }
        try from.require(from.vault("export", "json", "-o", world.path("all.json"), "--plaintext", "--no-history"))
        let all = try Array(Data(contentsOf: URL(fileURLWithPath: world.path("all.json"))))
        try world.put("cut.json", Array(all[..<(all.count / 2)]))
        let lines = all[..<(all.count / 2)].split(separator: 0x0A, omittingEmptySubsequences: false)
        let whole = lines.count { $0.starts(with: "{\"id\"".utf8) && ($0.last == UInt8(ascii: ",")) }
        try #require(whole > 1)
        let told = try world.imported("json", "cut.json")
        #expect(told.code == 12)
        #expect(try world.tally(told) == [whole, 0, 0, 0])
        let names = try JSON(told)["losses"].array.compactMap { $0["path"].string }
        #expect(names.contains("cut.json: note \(whole + 1), line \(lines.count)"), "\(names)")
    }

    @Test func aFileThatSomebodyNamesIsReadWhateverItIsCalled() throws {
        let world = try VaultWorld()
        try world.put("work.journal", "[2020-01-02 03:04] A\nbody\n")
        #expect(try world.tally(world.imported("jrnl", "work.journal")) == [1, 0, 0, 0])
        try world.put("export.of.evernote", enex(2))
        #expect(try world.tally(world.imported("auto", "export.of.evernote")) == [2, 0, 0, 2])
        // In a folder of jrnl's only the days are its own; the others are named.
        try world.put("diary/2020/01/02.txt", "[2020-01-02 03:04] Day\nbody\n")
        try world.put("diary/2020/01/shopping.txt", "milk\n")
        try world.put("diary/readme.txt", "mine\n")
        let folder = try world.imported("jrnl", "diary")
        #expect(folder.code == 12)
        #expect(try world.tally(folder) == [1, 0, 0, 0])
        #expect(
            try JSON(folder)["losses"].array.compactMap { $0["path"].string } == ["2020/01/shopping.txt", "readme.txt"])
    }
}
