// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import Foundation
import ParserProtocol
import Testing

/// Exports that break off, or hold one bad part: what is whole is kept, and the rest is named by number and line.
struct CutImportTests {
    private static let book: [UInt8] = EvernoteImportTests.export(
        "\n"
            + (1...6).map {
                EvernoteImportTests.note(
                    "Note \($0)", "<div>text \($0)</div>", EvernoteImportTests.resource("eA==", name: "\($0).txt"))
            }
            .joined(separator: "\n") + "\n")

    /// How often a text stands in bytes.
    private func count(_ text: String, in bytes: [UInt8]) -> Int {
        var (found, at) = (0, 0)
        let mark = Array(text.utf8)
        while at + mark.count <= bytes.count {
            if bytes[at..<(at + mark.count)].elementsEqual(mark) { found += 1 }
            at += 1
        }
        return found
    }

    @Test func everyBeginningOfAnEvernoteFileGivesItsWholeNotes() {
        for end in stride(from: 150, through: Self.book.count - 1, by: 11) {
            let file = Array(Self.book[..<end])
            let result = Imported(.enex, MemorySource([("b.enex", file)], pieceByteCount: 64))
            #expect(result.isWellFormed && result.notes.count == count("</note>", in: file), "\(end) bytes")
            #expect(result.summary?.isComplete == false || end >= Self.book.count - 1)
            #expect(result.notes.allSatisfy { $0.attachments.count == 1 })
        }
        #expect(Imported(.enex, MemorySource([("b.enex", Self.book)])).summary?.isComplete == true)
    }

    @Test(arguments: [
        ("<b>Note 3</title>", "mismatched"), ("Note 3 &undeclared;</title>", "entity"),
        ("Note 3</title><a b=c/>", "attribute"),
        ("Note 3</title></content>", "end"), ("Note 3</title><!ENTITY x>", "declaration"),
    ])
    func oneBadNoteOfEvernoteIsNamedAndTheOthersAreKept(bad: String, kind: String) throws {
        let text = String(decoding: Self.book, as: UTF8.self).replacing("Note 3</title>", with: bad)
        let result = Imported(.enex, MemorySource([("b.enex", text)], pieceByteCount: 7))
        #expect(result.isWellFormed && result.notes.compactMap(\.title) == [1, 2, 4, 5, 6].map { "Note \($0)" })
        let refused = try #require(result.refused.first)
        // Three lines of head, and three for each note.
        #expect(
            refused.reason == .damaged && refused.name == "b.enex: note 3, line 10" && result.refused.count == 1,
            "\(refused.name)")
        #expect(
            result.summary?.isComplete == true && result.summary?.found.notes == 6
                && result.summary?.delivered.notes == 5)
        #expect(
            result.notes.allSatisfy { note in
                note.attachments.allSatisfy { result.attachments[$0.key] == Array("x".utf8) }
            })
    }

    @Test func aNoteWithoutItsEndCostsNoOther() throws {
        var parts = String(decoding: Self.book, as: UTF8.self).components(separatedBy: "</note>")
        let third = parts.remove(at: 2)
        parts[2] = third + parts[2]
        let result = Imported(.enex, MemorySource([("b.enex", parts.joined(separator: "</note>"))]))
        #expect(result.isWellFormed && result.notes.compactMap(\.title) == [1, 2, 4, 5, 6].map { "Note \($0)" })
        #expect(result.refused.map(\.name) == ["b.enex: note 3, line 13"] && result.summary?.isComplete == true)
    }

    @Test(arguments: [
        ("<div>a</div><![CDATA[ x < y ]]><div>b</div>", "a\nx \\< y\nb\n"),
        ("<![CDATA[one]]><![CDATA[two]]>", "onetwo\n"),
        ("a ]]]]><![CDATA[> b", "a \\]\\]> b\n"),
    ])
    func nestedSectionsAreRead(enml: String, expected: String) throws {
        for size in [1, 7, 1000] {
            let file = EvernoteImportTests.export(
                EvernoteImportTests.note("T", enml) + EvernoteImportTests.note("U", "after"))
            let result = Imported(.enex, MemorySource([("B.enex", file)], pieceByteCount: size))
            #expect(
                result.notes.map(\.body) == [expected, "after\n"] && result.refused.isEmpty,
                "\(size) \(result.notes.map(\.body))")
        }
    }

    @Test func everyBeginningOfABackupGivesItsWholeNotes() {
        func item(_ number: Int) -> String {
            let app = #""appData":{}"#
            return
                #"{"uuid":"u\#(number)","content_type":"Note","content":{"title":"T\#(number)","text":"x","references":[],\#(app)},"end":0}"#
        }
        let whole = Array(
            (#"{"version":"004","# + "\n\"items\":[\n" + (1...5).map(item).joined(separator: ",\n") + "\n]}").utf8)
        for end in stride(from: 40, to: whole.count - 3, by: 7) {
            let file = Array(whole[..<end])
            let result = Imported(.standardnotes, MemorySource([("backup of mine", file)], pieceByteCount: 16))
            // The last one is known to be whole by the comma behind it.
            #expect(result.isWellFormed && result.notes.count == count("\"end\":0},", in: file), "\(end) bytes")
            #expect(result.summary?.isComplete == false)
            #expect(
                result.refused.last?.name.contains(": item \(result.notes.count + 1), line ") == true,
                "\(result.refused)")
        }
        #expect(Imported(.standardnotes, MemorySource([("backup of mine", whole)])).notes.count == 5)
    }

    @Test func aCutJournalExportGivesItsWholeEntries() {
        let text = #"{"tags":{},"entries":[{"title":"A","body":"","date":"2026-01-31","time":"09:00"},{"title":"B","bo"#
        let result = Imported(.jrnl, MemorySource([("journal.json", text)]))
        #expect(result.notes.compactMap(\.title) == ["A"] && result.summary?.isComplete == false)
        #expect(result.refused.map(\.name) == ["journal.json: entry 2, line 1"])
    }

    @Test func aFileThatSomebodyNamesIsReadWhateverItIsCalledAndAFolderIsNot() throws {
        let entry = "[2026-01-31 09:00] T\nb\n"
        for name in ["work.journal", "diary", "x.bak", ".hidden"] {
            #expect(Imported(.jrnl, MemorySource([(name, entry)])).notes.count == 1, "\(name)")
        }
        let files = [
            ("2026/01/31.txt", entry), ("2026/01/todo.txt", entry), ("journal.txt", entry), ("2026/1/31.txt", entry),
            ("2026/01/31.md", entry),
        ]
        let folder = Imported(.jrnl, MemorySource(files), kind: .folder)
        #expect(
            folder.notes.count == 1 && folder.refused.map(\.name) == files.dropFirst().map(\.0)
                && Set(folder.reasons) == [.unknownKind])
        let mixed = Imported(
            .enex, MemorySource([("a.enex", String(decoding: Self.book, as: UTF8.self)), ("b.txt", "no export")]),
            kind: .folder)
        #expect(mixed.notes.count == 6 && mixed.refused.map(\.name) == ["b.txt"])
    }
}
