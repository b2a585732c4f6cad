// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

struct NoteRecordTests {
    private func parse(_ change: (inout [UInt8]) -> Void) throws -> NoteRecord {
        var bytes = Samples.record.encoded
        change(&bytes)
        return try NoteRecord(parsing: bytes)
    }

    @Test func aRecordIsReadAsItWasWritten() throws {
        #expect(try parse { _ in } == Samples.record)
        let least = NoteRecord(noteID: Samples.noteID, created: .min, modified: .max, body: "")
        #expect(try NoteRecord(parsing: least.encoded) == least)
    }

    @Test func anEmptyTitleIsNotTheSameAsNone() throws {
        var (empty, none) = (Samples.record, Samples.record)
        (empty.title, none.title) = ("", nil)
        #expect(empty.encoded != none.encoded)
        #expect(try NoteRecord(parsing: empty.encoded).title == "")
        #expect(try NoteRecord(parsing: none.encoded).title == nil)
    }

    @Test func textKeepsItsBytes() throws {
        var record = Samples.record
        record.title = "u\u{308}"
        let read = try NoteRecord(parsing: record.encoded)
        #expect(read.title.map { Array($0.utf8) } == [0x75, 0xCC, 0x88])
    }

    @Test func A13newerVersionsAndUnknownFlagsAreRefused() throws {
        #expect(throws: FormatError(.unknownVersion, offset: 0)) { try parse { $0[1] = 4 } }
        for bit in 5..<32 {
            #expect(throws: FormatError(.unknownFeature, offset: 28)) {
                try parse { $0[31 - bit / 8] |= 1 << UInt8(bit % 8) }
            }
        }
        #expect(try parse { $0[31] = 1 }.flags == .trashed)
    }

    @Test func aFlagIsZeroOrOne() {
        for byte in [UInt8(2), 0x80, 0xFF] {
            #expect(throws: FormatError(.notCanonical, offset: 32)) { try parse { $0[32] = byte } }
        }
    }

    @Test func capsAreTakenAtTheirBoundaryAndRefusedBeyond() throws {
        var record = NoteRecord(noteID: Samples.noteID, created: 0, modified: 0, body: "")
        record.tags = [String](repeating: "t", count: NoteRecord.tagCountMax)
        record.title = String(repeating: "t", count: NoteRecord.titleByteCountMax)
        #expect(try NoteRecord(parsing: record.encoded) == record)
        var many = record
        many.tags.append("t")
        #expect(throws: FormatError.self) { try NoteRecord(parsing: many.encoded) }
        var long = record
        long.title?.append("t")
        #expect(throws: FormatError(.tooLarge, offset: 33)) { try NoteRecord(parsing: long.encoded) }
    }

    @Test func H08aTagCountOfFourBillionIsRefused() {
        var record = NoteRecord(noteID: Samples.noteID, created: 0, modified: 0, body: "")
        record.tags = ["t"]
        var bytes = record.encoded
        bytes.replaceSubrange(37..<41, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: FormatError(.tooLarge, offset: 37)) { try NoteRecord(parsing: bytes) }
    }

    @Test(
        arguments: [[0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xE2, 0x82], [0x80]]
            as [[UInt8]])
    func textThatIsNotUTF8IsRefused(text: [UInt8]) {
        var bytes = NoteRecord(noteID: Samples.noteID, created: 0, modified: 0, body: "").encoded
        bytes.removeLast(4)
        bytes += [0, 0, 0, UInt8(text.count)] + text
        #expect(throws: FormatError(.notUTF8, offset: 42)) { try NoteRecord(parsing: bytes) }
    }
}
