// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// An `AdoptionPlan` says what becomes of one note when another copy's revisions of it are taken over: entries to be
/// written, in their order, and the heads that they leave. It knows identifiers and what was done, and opens nothing.
///
/// What was made from our head follows it; everything else stands beside it, as when an edit was begun on an older
/// text. Spec: docs/format.md §10.
struct AdoptionPlan: Equatable {
    /// An `Arrival` is a revision that is not here.
    struct Arrival: Equatable {
        /// As the other copy calls it.
        let source: RevisionID
        /// As it is called here: the same, unless its note was purged here.
        let id: RevisionID
        let operation: Entry.Operation
        /// What it was made from, as far as that is here or arrives as well.
        let parents: [RevisionID]
        let isTrashed: Bool
        /// What it was made from is nowhere any more: its text may be here alone.
        var followsLostText = false
    }

    struct Step: Equatable {
        let source: RevisionID
        let id: RevisionID
        let operation: Entry.Operation
        let parents: [RevisionID]
        /// It lay in the trash there, and a text that is in use here stands beside it.
        var leavesTrash = false
    }

    private(set) var steps: [Step] = []
    /// Before and after; the last one is shown.
    let before: [RevisionID]
    private(set) var heads: [RevisionID]

    /// Plans the entries for the revisions that arrive.
    ///
    /// - Parameters:
    ///   - own: entries of the note here, in their order; without a purge.
    ///   - isTrashedHere: whether the text that is shown here lies in the trash.
    ///   - isSame: whether a revision that arrives says the same as the text that is shown here.
    init(
        own: [Entry], _ arrivals: [Arrival], isTrashedHere: Bool, isSame: (Arrival) throws -> Bool
    ) rethrows {
        var known = NoteHeads()
        for entry in own { known.add(entry) }
        before = own.first.flatMap { known[$0.noteID] } ?? []
        heads = before
        guard let shown = before.last else {
            for arrival in arrivals { add(arrival) }
            return
        }
        var line = Dictionary(
            own.filter { $0.operation.makesRevision }.map { ($0.revisionID, $0.parents) }
        ) { first, _ in first }
        for arrival in arrivals { line[arrival.id] = arrival.parents }
        let ends = Self.ends(of: arrivals)
        let hasParted = !ends.contains { Self.descends($0.id, from: shown, line) }
        guard hasParted else {
            for arrival in arrivals { add(arrival) }
            return
        }
        // An edit wins over the trash, and both say the same where both were only moved.
        guard
            !arrivals.allSatisfy({ ($0.operation == .trash || $0.operation == .restore) && !$0.followsLostText })
        else { return }
        let replaced = Self.moved(shown, own)
        for arrival in arrivals {
            var parents = arrival.parents
            if parents.contains(where: replaced.contains) {
                parents = parents.filter { $0 != shown && !replaced.contains($0) } + [shown]
            }
            let isEnd = ends.contains { $0.id == arrival.id }
            if ends.count == 1, isEnd, !parents.contains(shown), try isSame(arrival) {
                parents.append(shown)
            }
            add(arrival, parents: parents, leavesTrash: isEnd && arrival.isTrashed && !isTrashedHere)
        }
    }

    private mutating func add(_ arrival: Arrival, parents given: [RevisionID]? = nil, leavesTrash: Bool = false) {
        let parents = given ?? arrival.parents
        var step = Step(
            source: arrival.source, id: arrival.id, operation: .create, parents: [], leavesTrash: leavesTrash)
        if let shown = heads.last {
            let follows = parents.contains(shown)
            let isMove = arrival.operation == .trash || arrival.operation == .restore
            step = Step(
                source: arrival.source, id: arrival.id,
                operation: !follows ? .fork : isMove && !leavesTrash ? arrival.operation : .edit, parents: parents,
                leavesTrash: leavesTrash)
        }
        steps.append(step)
        heads.removeAll { step.parents.contains($0) }
        heads.append(step.id)
    }

    /// Returns the arrivals that no other arrival was made from.
    private static func ends(of arrivals: [Arrival]) -> [Arrival] {
        let followed = Set(arrivals.flatMap(\.parents))
        return arrivals.filter { !followed.contains($0.id) }
    }

    private static func descends(
        _ revision: RevisionID, from ancestor: RevisionID, _ line: [RevisionID: [RevisionID]]
    ) -> Bool {
        var seen: Set<RevisionID> = []
        var next = [revision]
        while let current = next.popLast() {
            if current == ancestor { return true }
            if seen.insert(current).inserted { next += line[current] ?? [] }
        }
        return false
    }

    /// Returns the revisions that the shown one differs from by nothing but the trash: what was made from them was made
    /// from its text.
    private static func moved(_ shown: RevisionID, _ own: [Entry]) -> Set<RevisionID> {
        let made = Dictionary(own.filter { $0.operation.makesRevision }.map { ($0.revisionID, $0) }) { first, _ in first
        }
        var replaced: Set<RevisionID> = []
        var current = shown
        while let entry = made[current], entry.operation == .trash || entry.operation == .restore,
            entry.parents.count == 1, let parent = entry.parents.first, replaced.insert(parent).inserted
        {
            current = parent
        }
        return replaced
    }
}
