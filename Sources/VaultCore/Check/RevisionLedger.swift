// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// What the chain says must be there, to be ticked off against what is there.
struct RevisionLedger {
    private var expected: [RevisionID: NoteID] = [:]
    private var heads = NoteHeads()
    private var purged: Set<NoteID> = []
    private var seenNotes: Set<NoteID> = []
    private var named: Set<RevisionID> = []
    /// Two entries made the same revision: no program of ours does that.
    private(set) var namesARevisionTwice = false

    mutating func add(_ entry: Entry) {
        heads.add(entry)
        switch entry.operation {
        case .purge: purged.insert(entry.noteID)
        case .drop: expected[entry.revisionID] = nil
        case .create, .edit, .trash, .restore, .fork:
            expected[entry.revisionID] = entry.noteID
            if !named.insert(entry.revisionID).inserted { namesARevisionTwice = true }
        }
    }

    /// Ticks a revision off; false when the chain never named it for this note, or dropped it, or its note was purged.
    mutating func takeSeen(_ revision: RevisionID, of note: NoteID) -> Bool {
        guard let owner = expected.removeValue(forKey: revision) else { return false }
        return owner == note && !purged.contains(note)
    }

    /// Notes with a revision that should be there and is not.
    func missing() -> [NoteID] { expected.values.filter { !purged.contains($0) } }

    /// Whether the chain ends with these revisions for a note: the one shown, and those beside it.
    mutating func areHeads(shown: RevisionID, others: [RevisionID], of note: NoteID) -> Bool {
        seenNotes.insert(note)
        guard let known = heads[note], known.last == shown else { return false }
        return Set(known.dropLast()) == Set(others) && known.count == others.count + 1
    }

    var notesWithoutRow: [NoteID] { heads.notes.filter { !seenNotes.contains($0) } }
}

/// The heads of each note as a chain makes them: revisions that no later one replaced, the newest last. That one is
/// shown.
struct NoteHeads {
    private var heads: [NoteID: [RevisionID]] = [:]

    subscript(note: NoteID) -> [RevisionID]? { heads[note] }
    var notes: Dictionary<NoteID, [RevisionID]>.Keys { heads.keys }
    var count: Int { heads.count }

    mutating func add(_ entry: Entry) {
        switch entry.operation {
        case .purge: heads[entry.noteID] = nil
        case .drop: break
        case .create, .edit, .trash, .restore, .fork:
            heads[entry.noteID, default: []].removeAll { entry.parents.contains($0) }
            heads[entry.noteID, default: []].append(entry.revisionID)
        }
    }
}
