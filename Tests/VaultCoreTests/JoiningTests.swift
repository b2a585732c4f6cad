// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GRDB
import GitComparison
import TextMerge
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// Heads that fit together are joined, and every device makes the same revision of them.
struct JoiningTests {
    private func both(
        _ body: String, _ first: (inout NoteRecord) -> Void, _ second: (inout NoteRecord) -> Void
    ) throws -> (DeviceSet, NoteID) {
        var note: NoteID?
        let set = try DeviceSet { note = try $0.notes.create(NoteDraft(body: body)).id }
        let id = try #require(note)
        _ = try set[0].notes.edit(id, .edit, first)
        _ = try set[1].notes.edit(id, .edit, second)
        try set.exchange()
        return (set, id)
    }

    @Test func bothDevicesMakeTheSameRevision() throws {
        let (set, id) = try both("1\n2\n3\n4\n5\n") { record in
            record.body = "one\n2\n3\n4\n5\n"
            record.tags = ["a"]
        } _: { record in
            record.body = "1\n2\n3\n4\nfive\n"
            record.tags = ["b"]
            record.notebook = "N"
        }
        #expect(try set[0].devices.forkedNotes() == [id])
        for number in 0..<2 { #expect(try set[number].devices.join([id]) == [id]) }
        let heads = try (0..<2).map { number in try set[number].read { try $0.heads(of: id) } }
        #expect(heads[0].count == 1 && heads[0] == heads[1])
        for number in 0..<2 {
            let note = try set[number].notes.note(id)
            #expect(note.body == "one\n2\n3\n4\nfive\n" && Set(note.tags) == ["a", "b"] && note.notebook == "N")
            #expect(!note.isForked)
        }
        try set.exchange()
        try set.expectAlike([id])
        // Each device's entry is kept, and there is nothing left to join.
        let entries = try set[0].read { try $0.entries(of: id) }
        #expect(entries.count { $0.operation == .join } == 2)
        #expect(try set[0].devices.join([id]).isEmpty)
        #expect(try set[0].checks.rebuildIndex() == 1)
        try set.expectAlike([id])
    }

    @Test func aConflictKeepsBothHeads() throws {
        let (set, id) = try both("text") {
            $0.body = "left"
        } _: {
            $0.body = "right"
        }
        for number in 0..<2 { #expect(try set[number].devices.join([id]).isEmpty) }
        #expect(try Set(set[0].versions(id)) == ["left", "right"])
        let (titles, other) = try both("text") {
            $0.title = "left"
        } _: {
            $0.title = "right"
        }
        #expect(try titles[0].devices.join([other]).isEmpty)
        try set.expectAlike([id])
    }

    @Test func theTrashLosesAgainstWhatWasWritten() throws {
        let (set, id) = try both("text") {
            $0.flags.insert(.trashed)
        } _: {
            $0.body = "text, and more"
        }
        #expect(try set[0].devices.join([id]) == [id])
        #expect(try set[0].notes.note(id).place == .live && set[0].body(id) == "text, and more")
        let (other, moved) = try both("text") {
            $0.flags.insert(.trashed)
        } _: {
            $0.flags.insert(.pinned)
        }
        #expect(try other[1].devices.join([moved]) == [moved])
        #expect(try other[1].notes.note(moved).place == .trash && other[1].notes.note(moved).isPinned)
    }

    @Test func whatHasNothingInCommonStaysTwo() throws {
        let (set, id) = try both("1\n2\n3\n") {
            $0.body = "one\n2\n3\n"
        } _: {
            $0.body = "1\n2\nthree\n"
        }
        // What both came from was thinned out.
        try set[0].write { transaction in
            let base = try #require(try transaction.graph(of: id).order.first)
            var state = try IndexState.fetch(transaction.database)
            try transaction.append(&state, .drop, note: id, revision: base, parents: [])
            try state.save(transaction.database)
            try transaction.database.execute(sql: "DELETE FROM revision WHERE id = ?", arguments: [base.bytes.blob])
        }
        #expect(try set[0].devices.join([id]).isEmpty && set[0].versions(id).count == 2)
        #expect(try set[1].devices.join([id]) == [id])
        try set.exchange()
        try set.expectAlike([id])
    }

    /// Joins of joins end: three devices, each of which joins what it sees first.
    @Test func threeDevicesEndWithOneHead() throws {
        var note: NoteID?
        let set = try DeviceSet(3) { note = try $0.notes.create(NoteDraft(body: "1\n2\n3\n4\n5\n6\n7\n8\n9\n")).id }
        let id = try #require(note)
        for number in 0..<3 {
            _ = try set[number].notes.edit(id) {
                $0.body = $0.body.replacing("\(1 + 4 * number)\n", with: "from \(number)\n")
            }
        }
        try set.tell(1, 0)
        #expect(try set[0].devices.join([id]) == [id])
        try set.tell(2, 1)
        #expect(try set[1].devices.join([id]) == [id])
        for _ in 0..<2 {
            try set.exchange()
            for number in 0..<3 { _ = try set[number].devices.join([id]) }
        }
        try set.exchange()
        try set.expectAlike([id])
        #expect(try set[2].versions(id) == ["from 0\n2\n3\n4\nfrom 1\n6\n7\n8\nfrom 2\n"])
    }

    /// The identifier of a join is part of the format: with these records it is this one.
    @Test func theIdentifierOfAJoinFollowsFromItsRecord() throws {
        let note = try NoteID((1...10).map { UInt8($0) })
        func record(_ modified: Int64, _ body: String) -> NoteRecord {
            NoteRecord(noteID: note, created: 1_700_000_000_000, modified: modified, body: body)
        }
        let base = record(1_700_000_000_000, "milk\nbread\neggs\n")
        var first = record(1_700_000_060_000, "oat milk\nbread\neggs\n")
        var second = record(1_700_000_120_000, "milk\nbread\nsix eggs\n")
        (first.tags, second.tags) = (["food"], ["today"])
        second.flags = [.pinned]
        let join = CleanJoin(base: base, first: first, second: second)
        let joined = try #require(
            try join.joined { texts in
                guard case .clean(let body) = try texts.merged(by: GitComparison()).outcome else { return nil }
                return body
            })
        #expect(joined.body == "oat milk\nbread\nsix eggs\n" && joined.tags == ["food", "today"])
        #expect(joined.flags == [.pinned] && joined.modified == 1_700_000_120_000)
        let parents = try [0x21, 0x11].map { from in try RevisionID((from..<from + 16).map { UInt8($0) }) }
        #expect(try joined.joinID(of: parents) == joined.joinID(of: parents.reversed()))
        let hex = try joined.joinID(of: parents).bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        #expect(hex.joined() == "c7db3929d8356f76753883b23c7dca56")
    }

    /// Half a second with optimization; without it, beside other work, several times that.
    @Test func threeHundredJoinsTakeSeconds() throws {
        var notes: [NoteID] = []
        let set = try DeviceSet { store in
            for start in stride(from: 0, to: 300, by: 150) {
                _ = try store.imports.save(
                    (start..<start + 150).map { NoteDraft(body: "# Note \($0)\n\none\ntwo\nthree\nfour\n") },
                    dryRun: false)
            }
            notes = try store.notes.list(NoteFilter(), offset: 0, limit: 1000).map(\.id)
        }
        for number in 0..<2 {
            let word = number == 0 ? "one" : "four"
            for id in notes {
                _ = try set[number].notes.edit(id) { $0.body = $0.body.replacing(word, with: word + "!") }
            }
        }
        try set.tell(1, 0)
        let clock = ContinuousClock()
        let begin = clock.now
        #expect(try set[0].devices.join(notes).count == 300)
        let duration = clock.now - begin
        #expect(duration < .seconds(120), "\(duration)")
        #expect(try set[0].body(notes[7]).contains("one!") && set[0].body(notes[7]).contains("four!"))
        try set.expectAlike([])
    }
}
