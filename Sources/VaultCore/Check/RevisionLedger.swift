// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// What the chain says must be there, to be ticked off against what is there.
struct RevisionLedger {
    private var expected: [RevisionID: NoteID] = [:]
    private var heads: [NoteID: RevisionID] = [:]
    private var purged: Set<NoteID> = []
    private var seenNotes: Set<NoteID> = []

    mutating func add(_ entry: Entry) {
        if entry.operation == .purge {
            purged.insert(entry.noteID)
            heads[entry.noteID] = nil
        } else {
            expected[entry.revisionID] = entry.noteID
            heads[entry.noteID] = entry.revisionID
        }
    }

    /// Ticks a revision off; false when the chain never named it for this note, or its note was purged.
    mutating func takeSeen(_ revision: RevisionID, of note: NoteID) -> Bool {
        guard let owner = expected.removeValue(forKey: revision) else { return false }
        return owner == note && !purged.contains(note)
    }

    /// Notes with a revision that should be there and is not.
    func missing() -> [NoteID] { expected.values.filter { !purged.contains($0) } }

    /// Whether this is the revision that the chain ends with for a note.
    mutating func isHead(_ revision: RevisionID, of note: NoteID) -> Bool {
        seenNotes.insert(note)
        return heads[note] == revision
    }

    var notesWithoutRow: [NoteID] { heads.keys.filter { !seenNotes.contains($0) } }
}
