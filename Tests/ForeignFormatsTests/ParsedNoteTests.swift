// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import Testing
import VaultTesting

struct ParsedNoteTests {
    static let full: ParsedNote = {
        var note = ParsedNote(sourceKey: "Folder/Größe.md")
        note.title = "Größe"
        note.body = "Text ✓\n"
        note.notebook = "Folder"
        note.tags = ["eins", "zwei/drei"]
        note.created = ParsedNote.times.lowerBound
        note.updated = ParsedNote.times.upperBound
        note.losses = [Loss(.unknownFrontMatterKey, detail: "cssclass"), Loss(.notUTF8)]
        return note
    }()

    @Test func aRecordIsReadBackAsTheSameValue() throws {
        #expect(try ParsedNote(parsing: Self.full.encoded) == Self.full)
        let empty = ParsedNote(sourceKey: "a.md")
        #expect(try ParsedNote(parsing: empty.encoded) == empty)
        #expect(!empty.titleWasSet && Self.full.titleWasSet)
    }

    @Test func `every prefix of a valid record is refused`() {
        let encoded = Self.full.encoded
        for count in encoded.indices {
            #expect(throws: RecordError.self) { try ParsedNote(parsing: Array(encoded[..<count])) }
        }
    }

    @Test func aTrailingByteIsRefused() {
        #expect(throws: RecordError(.trailingBytes, offset: Self.full.encoded.count)) {
            try ParsedNote(parsing: Self.full.encoded + [0])
        }
    }

    @Test(arguments: [full, ParsedBookTests.full, ParsedBookTests.placed])
    func everyChangedByteIsRefusedOrHasOneEncoding(note: ParsedNote) {
        let encoded = note.encoded
        for at in encoded.indices {
            for value in [0, 1, 2, 3, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = encoded
                changed[at] = value
                if let note = try? ParsedNote(parsing: changed) { #expect(note.encoded == changed) }
            }
        }
    }

    @Test(arguments: [full, ParsedBookTests.full])
    func randomMutationsNeverTrapAndKeepOneEncoding(note: ParsedNote) {
        var generator = SeededGenerator(1)
        let encoded = note.encoded
        for _ in 0..<20_000 {
            var changed = encoded
            for _ in 0...Int.random(in: 0...3, using: &generator) {
                changed[Int.random(in: changed.indices, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            if let note = try? ParsedNote(parsing: changed) { #expect(note.encoded == changed) }
        }
    }

    @Test func aTimeOutsideTheYears1900To2200IsRefused() {
        for time in [ParsedNote.times.lowerBound - 1, ParsedNote.times.upperBound + 1, .min, .max] {
            var note = ParsedNote(sourceKey: "a")
            note.created = time
            #expect(throws: RecordError(.timeOutOfRange, offset: 12)) { try ParsedNote(parsing: note.encoded) }
        }
    }

    @Test func moreOrLongerThanTheCapsIsRefused() {
        let changes: [(inout ParsedNote) -> Void] = [
            { $0.title = String(repeating: "t", count: ParsedNote.titleByteCountMax + 1) },
            { $0.notebook = String(repeating: "n", count: ParsedNote.notebookByteCountMax + 1) },
            { $0.sourceKey = String(repeating: "s", count: ParsedNote.sourceKeyByteCountMax + 1) },
            { $0.tags = Array(repeating: "t", count: ParsedNote.tagCountMax + 1) },
            { $0.tags = [String(repeating: "t", count: ParsedNote.tagScalarCountMax + 1)] },
            { $0.losses = Array(repeating: Loss(.notUTF8), count: ParsedNote.lossCountMax + 1) },
            { $0.body = String(repeating: "b", count: ParsedNote.bodyByteCountMax + 1) },
        ]
        for change in changes {
            var note = ParsedNote(sourceKey: "a")
            change(&note)
            let error = #expect(throws: RecordError.self) { try ParsedNote(parsing: note.encoded) }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test func anEmptyTagAnUnknownLossAndAnotherReleaseAreRefused() throws {
        var note = ParsedNote(sourceKey: "a")
        note.tags = [""]
        #expect(throws: RecordError(.notCanonical, offset: 15)) { try ParsedNote(parsing: note.encoded) }
        note.tags = []
        note.losses = [Loss(.notUTF8)]
        var encoded = note.encoded
        encoded[16] = 255
        #expect(throws: RecordError(.unknownLoss, offset: 16)) { try ParsedNote(parsing: encoded) }
        encoded[0] = 4
        #expect(throws: RecordError(.unknownVersion, offset: 0)) { try ParsedNote(parsing: encoded) }
    }

    @Test func aDetailIsNeverMoreThanAShortName() {
        #expect(Loss(.unknownFrontMatterKey, detail: "css_class-2.x").detail == "css_class-2.x")
        for text in ["\u{1B}[31m", "two words", "größe", "a\nb", String(repeating: "x", count: 65)] {
            #expect(Loss(.unknownFrontMatterKey, detail: text).detail == "")
        }
        var encoded = ParsedNoteTests.full.encoded
        let name = Array("cssclass".utf8)
        let at = encoded.indices.first { encoded[$0...].starts(with: name) } ?? 0
        encoded[at] = 0x1B
        let error = #expect(throws: RecordError.self) { try ParsedNote(parsing: encoded) }
        #expect(error?.code == .notCanonical)
    }

    @Test func everyLossHasASentenceOfItsOwn() {
        let sentences = Set(Loss.Code.allCases.map(\.sentence))
        #expect(sentences.count == Loss.Code.allCases.count)
        #expect(sentences.allSatisfy { $0.count > 20 && !$0.contains("\n") })
    }
}
