// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultCrypto
import VaultFormat
import VaultTesting

@testable import VaultCore

/// Heads follow from the entries of a note, and from nothing else.
struct NoteGraphTests {
    private let note: NoteID

    init() throws { note = try NoteID([UInt8](repeating: 1, count: 10)) }

    private func revision(_ number: Int) throws -> RevisionID {
        try RevisionID([UInt8](repeating: 0, count: 14) + [UInt8(number >> 8), UInt8(number & 255)])
    }

    private func entry(
        _ device: UInt8, _ sequence: UInt64, _ operation: Entry.Operation, _ made: Int, _ parents: [Int]
    ) throws -> Entry {
        Entry(
            device: [UInt8](repeating: device, count: 16), sequence: sequence, operation: operation, noteID: note,
            revisionID: try revision(made), parents: try parents.map { try revision($0) },
            previous: Entry.firstPrevious)
    }

    private func graph(_ entries: [Entry]) -> NoteGraph {
        var graph = NoteGraph()
        for entry in entries { graph.add(entry, device: Int(entry.device[0])) }
        return graph
    }

    @Test func aForkIsBehindTheHeadOfItsTime() throws {
        let entries = try [entry(1, 1, .create, 9, []), entry(1, 2, .edit, 8, [9]), entry(1, 3, .fork, 1, [9])]
        #expect(try graph(entries).heads == [revision(8), revision(1)])
        // Of two devices, one deep and one not, the deeper is shown.
        let two = try [entry(1, 1, .create, 9, []), entry(1, 2, .edit, 8, [9]), entry(2, 7, .edit, 10, [9])]
        #expect(try graph(two).heads == [revision(8), revision(10)], "equal depth, by name")
        let deeper = try two + [entry(1, 3, .edit, 2, [8])]
        #expect(try graph(deeper).heads == [revision(10), revision(2)])
    }

    @Test func aPurgeTakesWhatItsParentsReach() throws {
        let entries = try [
            entry(1, 1, .create, 1, []), entry(1, 2, .edit, 2, [1]), entry(1, 3, .purge, 99, [2]),
            entry(2, 1, .edit, 3, [1]),
        ]
        let found = graph(entries)
        #expect(try found.heads == [revision(3)] && found.gone == [revision(1), revision(2)] && !found.revivesPurged)
        #expect(try graph(entries + [entry(1, 4, .create, 5, [])]).revivesPurged)
        #expect(try !graph(entries + [entry(1, 4, .edit, 5, [3])]).revivesPurged)
    }

    @Test func whatHasNoRecordIsPassedOver() throws {
        let found = graph(
            try [entry(1, 1, .create, 1, []), entry(1, 2, .edit, 2, [1]), entry(1, 3, .edit, 3, [2])])
        #expect(try found.heads(missing: [revision(3)]) == [revision(2)])
        #expect(try found.heads(missing: [revision(3), revision(2)]) == [revision(1)])
    }

    @Test func entriesThatStandOnThemselvesEndNoProgram() throws {
        let found = graph(
            try [entry(1, 1, .edit, 1, [2]), entry(2, 1, .edit, 2, [1]), entry(3, 1, .edit, 3, [77, 1])])
        #expect(try found.heads == [revision(3)] && found.commonAncestor(revision(1), revision(2)) != nil)
    }

    /// In whatever order they come: the same heads in the same order.
    @Test(arguments: 0..<200 as Range<UInt64>) func noOrderOfArrivalHasASay(_ seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var entries: [Entry] = []
        var (made, sequences) = ([Int](), [UInt64](repeating: 0, count: 4))
        var next = Array(1...400).shuffled(using: &random)[...]
        for _ in 0..<Int.random(in: 1...30, using: &random) {
            let device = Int.random(in: 0..<4, using: &random)
            sequences[device] += UInt64.random(in: 1...2, using: &random)
            let parents = Array(made.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)))
            let (place, name) = (sequences[device], next.removeFirst())
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where !parents.isEmpty:
                entries.append(try entry(UInt8(device), place, .purge, name, parents))
            case 1 where parents.count == 2:
                entries.append(try entry(UInt8(device), place, .join, name, parents))
                sequences[(device + 1) % 4] += 1
                entries.append(
                    try entry(UInt8((device + 1) % 4), sequences[(device + 1) % 4], .join, name, parents))
                made.append(name)
            case 2:
                entries.append(try entry(UInt8(device), place, .fork, name, parents))
                made.append(name)
            default:
                entries.append(try entry(UInt8(device), place, parents.isEmpty ? .create : .edit, name, parents))
                made.append(name)
            }
        }
        let heads = graph(entries).heads
        for _ in 0..<5 { #expect(graph(entries.shuffled(using: &random)).heads == heads) }
        #expect(Set(heads).count == heads.count)
    }
}
