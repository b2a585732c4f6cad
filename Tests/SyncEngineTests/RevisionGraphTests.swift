// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SyncEngine
import Testing

struct RevisionGraphTests {
    private let note = NoteID(high: 0, low: 1)

    private func entry(_ number: UInt64, _ parents: [UInt64], _ kind: Entry.Kind = .revision) -> Entry {
        Entry(
            id: RevisionID(high: 0, low: number), note: note, kind: kind,
            parents: parents.map { RevisionID(high: 0, low: $0) }, body: [UInt8(number)])
    }

    private func graph(_ entries: [Entry]) -> RevisionGraph {
        var graph = RevisionGraph()
        for entry in entries { graph.insert(entry) }
        return graph
    }

    @Test func M10headsAreTheSameInWhateverOrderTheirEntriesCame() {
        let entries = [entry(1, []), entry(9, [1]), entry(3, [1]), entry(2, [9])]
        let heads = graph(entries).heads
        #expect(heads.map(\.low) == [3, 2])
        #expect(graph([entries[0], entries[2], entries[1], entries[3]]).heads == heads)
        #expect(graph(entries.reversed()).heads == heads)
    }

    @Test func aPurgeTakesWhatItsParentsReachAndNoMore() {
        #expect(graph([entry(1, []), entry(2, [1]), entry(3, [1]), entry(4, [2], .purge)]).heads.map(\.low) == [3])
    }

    @Test func twoDevicesMakeTheSameJoin() throws {
        let entries = [entry(1, []), entry(2, [1]), entry(3, [1])]
        func join(_ graph: RevisionGraph) -> Entry? {
            graph.join(
                note: note, record: { [UInt8($0.low)] }, hash: { Digest(UInt64($0.count), 5, 0, 0) },
                merge: { base, ours, theirs in base + ours + theirs })
        }
        let one = try #require(join(graph(entries)))
        let other = try #require(join(graph([entries[0], entries[2], entries[1]])))
        #expect(one == other && one.body == other.body && one.parents.map(\.low) == [2, 3])
    }

    @Test func headsWithoutACommonAncestorStayTwo() {
        let graph = graph([entry(1, []), entry(2, [])])
        let joined = graph.join(note: note, record: { _ in [] }, hash: { _ in .zero }, merge: { _, _, _ in [] })
        #expect(joined == nil && graph.heads.count == 2)
    }
}
