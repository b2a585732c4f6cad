// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import Testing
import VaultTesting

struct ImportRecordTests {
    static let extended: ParsedNote = {
        var note = ParsedNoteTests.full
        note.flags = [.pinned, .isPrivate]
        note.attachments = [try? AttachmentReference(name: "a.png", key: "k")].compactMap { $0 }
        note.links = [try? NoteReference(target: "Other", sourceKey: "o")].compactMap { $0 }
        return note
    }()
    static let records: [ImportRecord] = [
        .note(ParsedNoteTests.full), .note(extended), .attachmentBytes([1, 2]), .attachmentEnd(isWhole: false), .again,
        .refused(RefusedEntry(.bomb, path: "ä%\n".utf8)), .summary(ImportSummary()),
    ]

    @Test func everyRecordIsReadBackAsItself() throws {
        for record in Self.records { #expect(try ImportRecord(parsing: record.encoded) == record) }
        let start = try AttachmentStart(key: "k", name: "n", modified: 5)
        #expect(try ImportRecord(parsing: ImportRecord.attachmentStart(start).encoded) == .attachmentStart(start))
    }

    @Test func traitsMakeAKindOfRecordOfTheirOwn() throws {
        let traits = try AttachmentTraits(kind: .sketch, mediaType: "image/svg+xml", caption: "ä\n")
        let start = try AttachmentStart(key: "k", name: "n", modified: nil, traits: traits)
        let encoded = ImportRecord.attachmentStart(start).encoded
        #expect(
            try encoded.first == 8
                && ImportRecord.attachmentStart(AttachmentStart(key: "k", name: "n", modified: nil)).encoded.first == 2)
        #expect(try ImportRecord(parsing: encoded) == .attachmentStart(start))
        for count in encoded.indices {
            #expect(throws: RecordError.self) { try ImportRecord(parsing: Array(encoded[..<count])) }
        }
        #expect(throws: RecordError(.trailingBytes, offset: encoded.count - 1)) {
            try ImportRecord(parsing: encoded + [0])
        }
        #expect(throws: RecordError.self) { try ImportRecord(parsing: [2] + encoded.dropFirst()) }
        #expect(throws: RecordError(.notCanonical)) { try AttachmentTraits(kind: .file, mediaType: "a b", caption: "") }
        let long = String(repeating: "x", count: AttachmentTraits.captionByteCountMax + 1)
        #expect(throws: RecordError(.tooLarge)) { try AttachmentTraits(kind: .file, mediaType: "", caption: long) }
    }

    @Test func flagsThatAreNotKnownAreRefused() throws {
        var note = ParsedNote(sourceKey: "k")
        note.flags = [.template]
        #expect(try ParsedNote(parsing: note.encoded) == note)
        note.flags = ParsedNote.Flags(rawValue: 128)
        #expect(throws: RecordError.self) { try ParsedNote(parsing: note.encoded) }
    }

    @Test func `every prefix of a record is refused or another value`() {
        for record in Self.records {
            let encoded = record.encoded
            for count in encoded.indices { #expect((try? ImportRecord(parsing: Array(encoded[..<count]))) != record) }
        }
    }

    @Test func changedBytesNeverTrapAndKeepOneEncoding() {
        var generator = SeededGenerator(3)
        for record in Self.records {
            for _ in 0..<1000 {
                var changed = record.encoded
                changed[Int.random(in: changed.indices, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
                if let parsed = try? ImportRecord(parsing: changed) { #expect(parsed.encoded == changed) }
            }
        }
    }

    @Test func aNoteWithoutExtrasIsVersion1AndOneWithIsVersion2() {
        #expect(ParsedNoteTests.full.encoded.first == 1 && Self.extended.encoded.first == 2)
    }

    @Test func aPieceAboveItsCapIsRefused() {
        let piece = [UInt8](repeating: 0, count: ImportRecord.pieceByteCountMax + 1)
        #expect(throws: RecordError(.tooLarge)) { try ImportRecord(parsing: [3] + piece) }
        #expect(throws: RecordError(.tooLarge)) { try ContainerFrame(parsing: [2] + piece) }
    }

    @Test func namesWithAPathInThemAreNoNames() {
        for name in ["", ".", "..", "a/b", "a\\b", "a\n", "\0", String(repeating: "x", count: 256)] {
            #expect(throws: RecordError.self) { try AttachmentReference(name: name, key: "k") }
        }
        for target in ["", "a]", "[a", "a|b", "a\nb", " a", "a "] {
            #expect(throws: RecordError.self) { try NoteReference(target: target, sourceKey: "k") }
        }
    }

    @Test func refusedNamesHoldNothingThatATerminalObeys() {
        #expect(RefusedEntry(.damaged, path: "a\u{1B}[31m%".utf8).name == "a%1B[31m%25")
        #expect(
            RefusedEntry(.damaged, path: [UInt8](repeating: 0xFF, count: 9999)).name.utf8.count
                <= RefusedEntry.nameByteCountMax)
    }

    @Test func framesAreReadBackAsThemselves() throws {
        for frame in [
            ContainerFrame.fileStart(path: [0xFF, 0], modified: nil), .fileStart(path: [1], modified: -1),
            .fileBytes([1]), .fileEnd(isWhole: true),
            .end,
        ] {
            #expect(try ContainerFrame(parsing: frame.encoded) == frame)
        }
    }
}
