// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignPrograms
import Foundation
import ParserProtocol
import Testing
import VaultTesting

@testable import ForeignFormats

/// The table of other programs, and the parts of a source that are looked at.
struct RecognitionTests {
    private func answer(_ name: String, _ head: String) -> SourceAnswer {
        SourceRecognition.answer(to: SourceQuestion(file: Array(name.utf8), head: Array(head.utf8), tail: []))
    }

    private func answer(folder names: [String]) -> SourceAnswer {
        SourceRecognition.answer(
            to: SourceQuestion(folder: Array("folder".utf8), names: names.map { Array($0.utf8) }, samples: []))
    }

    @Test func everyProgramHasANameOfItsOwnAndSaysWhatToDo() {
        #expect(Set(ForeignProgram.all.map(\.id)).count == ForeignProgram.all.count)
        for program in ForeignProgram.all {
            let isPlain = program.id.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }
            #expect(program.id.utf8.count <= 40 && isPlain, "\(program.id)")
            #expect(
                ["vault import ", "vault new ", "vault sketch "].contains { program.advice.contains($0) },
                "\(program.id)")
            #expect(program.format == nil || ImportFormat(rawValue: program.format ?? "") != nil, "\(program.id)")
        }
    }

    /// docs/import-recognised.md has a row for each, in the order of the table.
    @Test func theListInTheDocumentsIsTheTable() throws {
        let page = try String(
            contentsOf: Repository.root.appending(path: "docs/import-recognised.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        let wanted = ForeignProgram.all.map { program in
            "| `\(program.id)` | \(program.name) | \(program.advice.replacing("|", with: "\\|")) |"
        }
        for (row, want) in zip(rows, wanted) { #expect(row == want) }
        #expect(rows.count == wanted.count)
    }

    @Test func ourOwnSourcesAreNobodyElses() {
        #expect(answer("a.json", "{\"format\":\"vault-export\",\"notes\":[]}") == SourceAnswer(formats: ["json"]))
        let journal =
            "{\"tags\":{\"@a\":1},\"entries\":[{\"title\":\"A\",\"body\":\"\",\"date\":\"2026-01-01\",\"time\":\"08:00\"}]}"
        #expect(answer("j.json", journal) == SourceAnswer(formats: ["jrnl"]))
        #expect(answer("j.txt", "[2026-01-31 09:00] A day\n") == SourceAnswer(formats: ["jrnl"]))
        let evernote = "<?xml version=\"1.0\"?><!DOCTYPE en-export SYSTEM \"x\"><en-export><note/></en-export>"
        #expect(answer("a.enex", evernote) == SourceAnswer(formats: ["enex"]))
        let backup = answer(
            "sn.txt", "{\"version\":\"004\",\"items\":[{\"uuid\":\"a\",\"content_type\":\"Note\",\"content\":{}}]}")
        #expect(backup == SourceAnswer(formats: ["standardnotes"]))
        let sealed = answer(
            "sn.txt",
            "{\"version\":\"004\",\"items\":[{\"content_type\":\"Note\",\"content\":\"004:a:b:c\"}],\"keyParams\":{}}")
        #expect(sealed == SourceAnswer(formats: ["standardnotes"], encrypted: ["standardnotes"]))
        #expect(answer("j", "JRNLv3xx").encrypted == ["jrnl"])
        #expect(answer(folder: [".obsidian", "A.md"]) == SourceAnswer(formats: ["obsidian"]))
        #expect(answer(folder: [".gpg-id", "a.gpg"]) == SourceAnswer(formats: ["pass"]))
        #expect(answer(folder: ["2026/01/01.txt"]) == SourceAnswer(formats: ["jrnl"]))
        #expect(answer(folder: ["A.md", "b/C.md", "d.png"]) == SourceAnswer(formats: ["markdown"]))
        #expect(
            answer(folder: ["0123456789abcdef0123456789abcdef.md", "resources/a.png"])
                == SourceAnswer(formats: ["joplin"]))
        #expect(answer(folder: ["Evernote/a.enex", "b.html"]) == SourceAnswer(formats: ["enex"]))
    }

    @Test func booksAreKnownByTheirColumnsFilesAndLines() {
        let goodreads = "Book Id,Title,Author,My Rating,Date Read,Exclusive Shelf\r\n"
        #expect(answer("export.csv", "\u{FEFF}" + goodreads) == SourceAnswer(formats: ["goodreads"]))
        #expect(answer("a.csv", goodreads.replacing(",", with: ";")) == SourceAnswer(formats: ["goodreads"]))
        let storygraph = "Title,Authors,ISBN/UID,Read Status,Star Rating\n"
        #expect(answer("export.csv", storygraph) == SourceAnswer(formats: ["storygraph"]))
        #expect(answer("a.csv", "Title,Author,Price\n").formats.isEmpty)
        let package = "<?xml version='1.0'?>\n<package xmlns=\"http://www.idpf.org/2007/opf\"><metadata/></package>"
        #expect(answer("metadata.opf", package) == SourceAnswer(formats: ["calibre"]))
        #expect(answer(folder: ["A/T (1)/metadata.opf", "A/T (1)/T.epub"]) == SourceAnswer(formats: ["calibre"]))
        #expect(answer(folder: ["A/T (1)/metadata.opf", "b.md", "metadata.db"]) == SourceAnswer(formats: ["calibre"]))
        let german =
            "\u{FEFF}Buch (Wer)\r\n- Ihre Markierung bei Position 1-2 | Hinzugefügt am …\r\n\r\nx\r\n==========\r\n"
        #expect(answer("My Clippings.txt", german) == SourceAnswer(formats: ["kindle"]))
        #expect(answer(folder: ["My Clippings.txt", "a.pdf"]) == SourceAnswer(formats: ["kindle"]))
        #expect(answer("a.txt", "A list\n- one | two\n- three\n").formats.isEmpty)
    }

    @Test func aDiaryOfDayOneIsNotTakenForOneOfJrnl() {
        let entry = "{\"creationDate\":\"2026-01-01T08:00:00Z\",\"uuid\":\"A\",\"tags\":[\"a\"],\"text\":\"x\"}"
        #expect(
            answer("Journal.json", "{\"metadata\":{\"version\":\"1.0\"},\"entries\":[\(entry)]}")
                == SourceAnswer(program: "dayone"))
    }

    @Test func theNameAloneIsBelievedOnlyWhereContentTellsNothing() {
        #expect(answer("Passwords.kdbx", "plain text").program != "keepass")
        #expect(answer("Section.one", "plain text").program != "onenote")
        #expect(answer("anything", "%PDF-1.7").program == "pdf")
    }

    @Test func tablesAreReadWithAnySeparatorAndQuotationMarks() {
        let quoted = "\"URL\"\t\"Username\"\t\"password\"\t\"httprealm\"\t\"formactionorigin\""
        for header in ["url;username;password;httpRealm;formActionOrigin", quoted] {
            #expect(answer("a.csv", header + "\n").program == "firefox-passwords", "\(header)")
        }
        #expect(answer("a.csv", "url,username,password,httpRealm,formAction\n").program != "firefox-passwords")
    }

    @Test func textInUTF16IsRead() {
        let head: [UInt8] = [0xFF, 0xFE] + "<?xml version=\"1.0\"?><opml version=\"2.0\"/>".utf8.flatMap { [$0, 0] }
        #expect(
            SourceRecognition.answer(to: SourceQuestion(file: Array("a".utf8), head: head, tail: [])).program == "opml")
    }

    @Test(arguments: [
        ("*", "", true), ("*.md", "a.md", true), ("*.md", "a.mdx", false),
        ("* ################.md", "a 0123456789abcdef.md", true),
        ("* ################.md", "a 0123456789abcdeg.md", false), ("%%%%-%%.txt", "2026-01.txt", true),
        ("%%%%-%%.txt", "2026-1a.txt", false),
        ("a*b*c", "axxbyyc", true), ("a*b*c", "axxbyy", false), ("abc", "ab", false), ("ab", "abc", false),
    ])
    func aPatternFitsNamesAsItSays(pattern: String, name: String, fits: Bool) {
        #expect(NamePattern.fits(Array(name.utf8), Array(pattern.utf8)) == fits)
    }

    @Test func aQuestionAndItsAnswerAreTheSameBehindThePipe() throws {
        let file = SourceQuestion(file: Array("a.zip".utf8), head: [1, 2, 3], tail: [4])
        #expect(try SourceQuestion(parsing: file.encoded) == file)
        let folder = SourceQuestion(folder: [0xFF], names: [[1], [2, 3]], samples: [.init(path: [1], head: [9])])
        #expect(try SourceQuestion(parsing: folder.encoded) == folder)
        let answer = SourceAnswer(formats: ["json"], encrypted: ["jrnl"], program: "keep")
        #expect(try SourceAnswer(parsing: answer.encoded) == answer)
        let kind = try FileKind(kind: .photo, mediaType: "image/png", size: (3, 4))
        #expect(try FileKind(parsing: kind.encoded) == kind)
    }

    @Test func whatIsCutOrTooMuchIsRefused() throws {
        let encoded = SourceQuestion(folder: [1], names: [[1], [2]], samples: [.init(path: [1], head: [9])]).encoded
        for count in 0..<encoded.count {
            #expect(throws: RecordError.self) { try SourceQuestion(parsing: Array(encoded.prefix(count))) }
        }
        #expect(throws: RecordError.self) { try SourceQuestion(parsing: encoded + [0]) }
        let answer = SourceAnswer(formats: ["json"], program: "keep").encoded
        for count in 0..<answer.count {
            #expect(throws: RecordError.self) { try SourceAnswer(parsing: Array(answer.prefix(count))) }
        }
        let kind = try FileKind(kind: .photo, mediaType: "image/png", size: (3, 4)).encoded
        for count in 0..<kind.count {
            #expect(throws: RecordError.self) { try FileKind(parsing: Array(kind.prefix(count))) }
        }
        #expect(throws: RecordError.self) { try FileKind(parsing: [9] + kind.dropFirst()) }
        for bad in ["Image/png", "image png", "image", "\u{1B}[2J/x", ""] {
            #expect(throws: RecordError.self) { try FileKind(kind: .file, mediaType: bad, size: nil) }
        }
        let many = SourceQuestion(
            folder: [1], names: Array(repeating: Array(repeating: 0x61, count: 4000), count: 9000), samples: [])
        #expect(many.encoded.count <= SourceQuestion.byteCountMax)
    }
}
