// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Testing
import VaultFormat

@testable import VaultAgent

/// Replies as they lie on the wire, written down by hand from docs/agent-protocol.md §3, and what no client takes for
/// one.
@Suite struct ReplyTests {
    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private var row: NoteRow {
        var row = NoteRow()
        (row.id, row.shortID, row.title, row.tags, row.byteCount) = ("k7", "k", "t", ["a"], 3)
        (row.created, row.place, row.marks) = (-1, .trash, .pinned)
        return row
    }

    private static let rowBytes =
        "000000026b37" + "000000016b" + "00000000" + "0000000174" + "00000000" + "00000000" + "000000010000000161"
        + "ffffffffffffffff"
        + "0000000000000000" + "01" + "010000000000" + "0000000000000003" + "0000"

    @Test func aNoteAndAListHaveTheBytesOfTheirSpecification() throws {
        #expect(hexadecimal(row.encoded) == Self.rowBytes)
        var list = NoteList()
        (list.notes, list.total, list.shown, list.before, list.hasMore, list.isFirst) = ([row], 9, 1, 4, true, false)
        let expected =
            "00000001" + Self.rowBytes + "010000000000000009" + "0000000000000001" + "0000000000000004" + "01000001"
        #expect(hexadecimal(list.encoded) == expected)
        #expect(try NoteList(parsing: list.encoded) == list)
    }

    @Test func kindsOfChangesHaveTheNumbersThatTheyHadBeforeFlagsWereOne() {
        typealias Kind = RevisionChange.Kind
        let numbered: [(Kind, UInt8)] = [
            (.first, 1), (.text, 2), (.title, 3), (.intoNotebook, 4), (.outOfNotebook, 5), (.tagRemoved, 6),
            (.tagAdded, 7), (.attachmentsAdded, 8), (.attachmentsRemoved, 9), (.attachmentsReordered, 10),
            (.flag(.trashed, isSet: true), 11), (.flag(.trashed, isSet: false), 12),
            (.flag(.pinned, isSet: true), 13), (.flag(.pinned, isSet: false), 14),
            (.flag(.archived, isSet: true), 15), (.flag(.archived, isSet: false), 16),
            (.flag(.template, isSet: true), 17), (.flag(.template, isSet: false), 18), (.none, 19),
        ]
        for (kind, number) in numbered { #expect(kind.rawValue == number && Kind(rawValue: number) == kind) }
        #expect(Kind(rawValue: 0) == nil && Kind(rawValue: 20) == nil && Kind(rawValue: 255) == nil)
    }

    @Test func aMarkThatNoNoteHasIsRefused() throws {
        let bytes = row.encoded
        let mark = bytes.count - (1 + 1 + 8 + 5 + 1)
        #expect(bytes[mark] == 1)
        for byte in 0...UInt8.max {
            var changed = bytes
            changed[mark] = byte
            #expect(((try? NoteRow(parsing: changed)) == nil) == (byte > 1))
        }
    }

    @Test func everyReplyReadsBackAndNothingElseIsOne() throws {
        for operation in OperationTable.operations { try check(operation) }
    }

    private func check<Asked: Operation>(_ operation: Asked.Type) throws {
        let bytes = Asked.Reply().encoded
        #expect(try Asked.Reply(parsing: bytes) == Asked.Reply(), "\(operation)")
        for count in 0..<bytes.count {
            #expect(throws: FormatError.self, "\(operation) \(count)") {
                try Asked.Reply(parsing: Array(bytes[..<count]))
            }
        }
        #expect(throws: FormatError.self, "\(operation)") { try Asked.Reply(parsing: bytes + [0]) }
    }

    @Test func aCountThatNothingHasAndARangeThatRunsBackAreRefused() throws {
        var row = row
        row.byteCount = (1 << 53) + 1
        #expect(throws: FormatError.self) { try NoteRow(parsing: row.encoded) }
        var hit = FoundNotes.Hit()
        hit.titleHits = [1..<2]
        var bytes = hit.encoded
        bytes.replaceSubrange((bytes.count - 1)..., with: [0])
        #expect(throws: FormatError.self) { try FoundNotes.Hit(parsing: bytes) }
    }
}
