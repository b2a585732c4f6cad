// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ParserProtocol
import Testing

struct JournalImportTests {
    @Test func aTextJournalBecomesNotes() throws {
        let text =
            "[2024-01-31 09:05] First @tag *\nbody [2024-01-01 00:00] no head\n\n[2024-02-01 09:05:30 PM] Second\n[2024-02-01 21:05:30] Second\nb\n"
        let result = Imported(.jrnl, MemorySource([("Diary.txt", text)], pieceByteCount: 4))
        #expect(result.isWellFormed && result.notes.count == 3 && result.summary?.found.notes == 3)
        let first = try #require(result.notes.first)
        #expect(
            first.title == "First @tag" && first.tags == ["starred", "tag"] && first.created == 1_706_691_900_000
                && first.notebook == "Diary")
        #expect(first.body == "body [2024-01-01 00:00] no head\n")
        #expect(result.notes[1].created == 1_706_821_530_000 && Set(result.notes.map(\.sourceKey)).count == 3)
        #expect(codes(result.notes[2]) == [.titleMadeUnique])
    }

    @Test func theExportKeepsTagsAndStars() throws {
        let text =
            #"{"tags":{"@a":1},"entries":[{"title":"T","body":"B @a","date":"2024-01-31","time":"09:05","tags":["@a"],"starred":true}]}"#
        let note = try #require(Imported(.jrnl, MemorySource([("d.json", text)])).notes.first)
        #expect(
            note.title == "T" && note.body == "B @a" && note.tags == ["a", "starred"]
                && note.created == 1_706_691_900_000)
    }

    @Test func aFolderOfDaysIsReadAndOldJournalsToo() {
        let result = Imported(
            .jrnl,
            MemorySource([
                ("2024/01/31.txt", "[2024-01-31 09:05] A\nx"), ("2024/02/01.txt", "2024-02-01 09:05 B\ny"), (".x", "z"),
            ]),
            kind: .folder)
        #expect(
            result.notes.map(\.title) == ["A", "B"] && result.notes.allSatisfy { $0.notebook.isEmpty }
                && result.reasons == [.unknownKind])
    }

    @Test func encryptedJournalsAreRefusedByName() {
        let result = Imported(.jrnl, MemorySource([("a.txt", "JRNLv3\0\u{1}abc"), ("b.txt", "gAAAAABk")]))
        #expect(result.reasons == [.encrypted, .encrypted] && result.notes.isEmpty)
    }

    @Test(arguments: ["0000-01-01", "9999-01-01", "NaN", "-5", ""])
    func absurdDatesAreReplacedAndTold(date: String) throws {
        let text = #"{"entries":[{"title":"T","body":"B","date":"\#(date)","time":"09:05"}]}"#
        let note = try #require(Imported(.jrnl, MemorySource([("d.json", text)])).notes.first)
        #expect(note.created == nil && note.losses == [Loss(.dateReplaced, detail: "date")])
    }

    @Test func textBeforeTheFirstDateAndBrokenLettersAreKept() throws {
        let result = Imported(
            .jrnl, MemorySource([("Diary.txt", Array("lost?\n[2024-01-31 09:05] T\n".utf8) + [0xE4, 0x0A])]))
        #expect(result.notes.map(\.body) == ["lost?\n", "ä\n"] && codes(result.notes[1]) == [.notUTF8])
    }
}

struct PasswordStoreImportTests {
    @Test func entriesBecomePrivateNotesWhoseTitleIsNotTheSecret() throws {
        let files = [
            ("Mail/a.example.gpg", "secret\nuser: me\notpauth://x\n"), ("top.gpg", "s"), (".git/config", "x"),
            (".gpg-id", "k"),
        ]
        let result = Imported(.pass, MemorySource(files))
        #expect(result.isWellFormed && result.notes.count == 2 && result.notes.allSatisfy { $0.flags == .isPrivate })
        let note = try #require(result.note("Mail/a.example"))
        #expect(note.title == "a.example" && note.notebook == "Mail" && note.body == "secret\nuser: me\notpauth://x\n")
    }

    @Test func pathsThatLeaveTheStoreAndTwinsAreRefused() {
        let result = Imported(.pass, MemorySource([("../x.gpg", "s"), ("/x", "s"), ("a.gpg", "1"), ("a.age", "2")]))
        #expect(result.reasons == [.unsafePath, .unsafePath, .duplicate] && result.notes.map(\.body) == ["1"])
    }
}
