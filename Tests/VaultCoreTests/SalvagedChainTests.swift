// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// Histories that are made of what is left of one.
struct SalvagedChainTests {
    private static let device = [UInt8](repeating: 7, count: Entry.deviceByteCount)

    private static func note(_ number: UInt8) throws -> NoteID {
        try NoteID([number] + [UInt8](repeating: 1, count: NoteID.byteCount - 1))
    }

    private static func revision(_ number: UInt8) throws -> RevisionID {
        try RevisionID([number] + [UInt8](repeating: 2, count: RevisionID.byteCount - 1))
    }

    private static func entry(
        _ sequence: UInt64, _ operation: Entry.Operation, _ note: UInt8, _ revision: UInt8, from parents: [UInt8] = []
    ) throws -> Entry {
        Entry(
            device: [UInt8](repeating: 3, count: Entry.deviceByteCount), sequence: sequence, operation: operation,
            noteID: try Self.note(note), revisionID: try Self.revision(revision),
            parents: try parents.map { try Self.revision($0) }, previous: Entry.firstPrevious)
    }

    /// Note 1: created as 1, edited to 2 and 3, forked from 2 as 4. Note 2: created as 5, purged. Note 3: created as 6,
    /// edited to 7, 6 dropped.
    private static func history() throws -> [Entry] {
        [
            try entry(1, .create, 1, 1), try entry(2, .edit, 1, 2, from: [1]), try entry(3, .edit, 1, 3, from: [2]),
            try entry(4, .fork, 1, 4, from: [2]), try entry(5, .create, 2, 5), try entry(6, .purge, 2, 9, from: [5]),
            try entry(7, .create, 3, 6), try entry(8, .edit, 3, 7, from: [6]), try entry(9, .drop, 3, 6),
        ]
    }

    private static func opened(_ numbers: [(note: UInt8, revision: UInt8)]) throws -> [SalvagedChain.Revision] {
        try numbers.map { .init(id: try revision($0.revision), note: try note($0.note), made: Int64($0.revision)) }
    }

    /// The new chain, which is checked as an archive's is, and what became of each note.
    private static func rebuilt(
        _ known: [Entry], _ revisions: [SalvagedChain.Revision], listed: [UInt8: UInt8] = [:], isComplete: Bool = true
    ) throws -> (heads: [UInt8: [UInt8]], states: [UInt8: SalvagedNoteState], operations: [Entry.Operation]) {
        var heads: [NoteID: RevisionID] = [:]
        for (number, head) in listed { heads[try note(number)] = try revision(head) }
        let chain = SalvagedChain(known, revisions, listed: heads, isComplete: isComplete)
        let entries = try chain.entries(device: device)
        var (ledger, shown, link) = (RevisionLedger(), NoteHeads(), Entry.firstPrevious)
        for (number, entry) in entries.enumerated() {
            #expect(entry.device == device && entry.sequence == UInt64(number + 1) && entry.previous == link)
            link = try Digest.sha256(entry.encoded)
            ledger.add(entry)
            shown.add(entry)
        }
        #expect(!ledger.contradictsItself)
        var left = ledger
        for entry in entries {
            let isExpected = left.takeSeen(entry.revisionID, of: entry.noteID)
            #expect(isExpected)
        }
        var (ends, states): ([UInt8: [UInt8]], [UInt8: SalvagedNoteState]) = ([:], [:])
        for note in shown.notes { ends[note.bytes[0]] = shown[note]?.map { $0.bytes[0] } }
        for verdict in chain.verdicts(shown) { states[verdict.note.bytes[0]] = verdict.state }
        return (ends, states, entries.map(\.operation))
    }

    private static let all: [(note: UInt8, revision: UInt8)] = [(1, 1), (1, 2), (1, 3), (1, 4), (3, 7)]

    @Test func aHistoryOfWhichNothingIsLostIsTheSame() throws {
        let made = try Self.rebuilt(Self.history(), Self.opened(Self.all))
        #expect(made.heads == [1: [3, 4], 3: [7]] && made.states == [1: .whole, 3: .whole])
        #expect(made.operations == [.create, .edit, .edit, .fork, .create])
    }

    @Test func whatWasPurgedOrDroppedDoesNotComeBack() throws {
        let made = try Self.rebuilt(Self.history(), Self.opened(Self.all + [(2, 5), (3, 6)]))
        #expect(made.heads == [1: [3, 4], 3: [7]] && made.states[2] == nil)
    }

    @Test func aLostHeadLeavesTheTextBefore() throws {
        let made = try Self.rebuilt(Self.history(), Self.opened([(1, 1), (1, 2), (3, 7)]))
        #expect(made.heads == [1: [2], 3: [7]] && made.states == [1: .older, 3: .whole])
    }

    @Test func aLostSecondHeadIsToldToo() throws {
        let made = try Self.rebuilt(Self.history(), Self.opened([(1, 1), (1, 2), (1, 4), (3, 7)]))
        #expect(made.heads[1] == [4] && made.states[1] == .older)
    }

    @Test func aLostRevisionBetweenTwoMakesNoFork() throws {
        let made = try Self.rebuilt(Self.history(), Self.opened([(1, 1), (1, 3), (1, 4), (3, 7)]))
        #expect(made.heads[1] == [3, 4] && made.states[1] == .whole)
    }

    @Test func aNoteWithoutRevisionsIsLost() throws {
        let made = try Self.rebuilt(Self.history(), Self.opened([(3, 7)]))
        #expect(made.heads == [3: [7]] && made.states == [1: .lost, 3: .whole])
    }

    @Test func revisionsWhoseEntriesAreLostComeInTheOrderOfTheirTimes() throws {
        let made = try Self.rebuilt([], Self.opened([(1, 3), (1, 1), (1, 2)]), isComplete: false)
        #expect(made.heads == [1: [3]] && made.operations == [.create, .edit, .edit])
        // Nothing proves that it is the newest one, unless a list says so.
        #expect(made.states == [1: .older])
        let listed = try Self.rebuilt([], Self.opened([(1, 3), (1, 1), (1, 2)]), listed: [1: 3], isComplete: false)
        #expect(listed.heads == [1: [3]] && listed.states == [1: .whole])
    }

    @Test func anEntryThatIsLostInTheMiddleMakesNoSecondHead() throws {
        let known = try Self.history().filter { $0.sequence != 2 }
        let made = try Self.rebuilt(known, Self.opened(Self.all), isComplete: false)
        #expect(made.heads[1] == [3, 4])
        let edits = [try Self.entry(1, .create, 1, 1), try Self.entry(3, .edit, 1, 3, from: [2])]
        let line = try Self.rebuilt(edits, Self.opened([(1, 1), (1, 3)]), listed: [1: 3], isComplete: false)
        #expect(line.heads == [1: [3]] && line.states == [1: .whole])
    }

    @Test func aNoteThatOnlyListsNameIsLost() throws {
        let made = try Self.rebuilt([], Self.opened([(3, 7)]), listed: [1: 3, 3: 7], isComplete: false)
        #expect(made.states == [1: .lost, 3: .whole])
    }

    @Test func aHeadThatTheListKnowsAndNoPageHasMakesItsNoteOlder() throws {
        let known = [try Self.entry(1, .create, 1, 1)]
        let made = try Self.rebuilt(known, Self.opened([(1, 1)]), listed: [1: 2], isComplete: false)
        #expect(made.heads == [1: [1]] && made.states == [1: .older])
    }
}
