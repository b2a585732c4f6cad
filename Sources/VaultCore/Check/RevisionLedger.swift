// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// A `RevisionLedger` holds what entries say must be there, to be ticked off against what is there. Entries of several
/// devices come one device after the other, so what removes a revision may come before what made it.
struct RevisionLedger {
    private var expected: [RevisionID: NoteID] = [:]
    private var heads = NoteHeads()
    private var dropped: Set<RevisionID> = []
    private var purged: Set<NoteID> = []
    /// Of notes that were purged, what the purges reached, as far as somebody asked.
    private var gone: [NoteID: Set<RevisionID>] = [:]
    private var seenNotes: Set<NoteID> = []
    private var named: Set<RevisionID> = []
    private var namedAgain: [RevisionID: NoteID] = [:]
    private var namedForTwoNotes = false
    /// Revisions whose records are kept aside until their notes are unlocked.
    var waiting: Set<RevisionID> = []
    /// The names of all statements.
    private(set) var statements: Set<RevisionID> = []

    mutating func add(_ entry: Entry) {
        heads.add(entry)
        switch entry.operation {
        case .purge: purged.insert(entry.noteID)
        case .drop:
            dropped.insert(entry.revisionID)
            expected[entry.revisionID] = nil
        case .create, .edit, .trash, .restore, .fork, .join:
            if !named.insert(entry.revisionID).inserted {
                if expected[entry.revisionID] ?? entry.noteID != entry.noteID { namedForTwoNotes = true }
                namedAgain[entry.revisionID] = entry.noteID
            }
            if !dropped.contains(entry.revisionID) { expected[entry.revisionID] = entry.noteID }
        case .statement: statements.insert(entry.revisionID)
        }
    }

    /// Ticks a revision off; false when no entry named it for this note, one dropped it, or a purge reached it.
    mutating func takeSeen(_ revision: RevisionID, of note: NoteID) -> Bool {
        guard let owner = expected.removeValue(forKey: revision), owner == note else { return false }
        guard purged.contains(note) else { return true }
        let reached = gone[note] ?? heads.graph(of: note)?.gone ?? []
        gone[note] = reached
        return !reached.contains(revision)
    }

    /// Returns the notes with a revision that should be there and is not.
    func missing() -> [NoteID] {
        let left = expected.filter { !waiting.contains($0.key) }
        let reached = Set(left.values).intersection(purged).reduce(into: Set<RevisionID>()) { found, note in
            found.formUnion(heads.graph(of: note)?.gone ?? [])
        }
        return left.filter { !reached.contains($0.key) }.map(\.value)
    }

    /// Whether entries say what they cannot: two of one device made one revision, or two made it for two notes, or a
    /// device made a note anew that it had purged. No program of ours does that.
    var contradictsItself: Bool {
        namedForTwoNotes || namedAgain.contains { !(heads.graph(of: $1)?.isMadeOnceByEach($0) ?? false) }
            || purged.contains { heads.graph(of: $0)?.revivesPurged ?? false }
    }

    /// Tells whether the entries end with these revisions for a note: the one shown, and those beside it.
    mutating func areHeads(shown: RevisionID, others: [RevisionID], of note: NoteID) -> Bool {
        seenNotes.insert(note)
        guard let known = heads(of: note), known.last == shown else { return false }
        return Set(known.dropLast()) == Set(others) && known.count == others.count + 1
    }

    /// Returns the heads of a note that have their records; nil for a note that has no entries, or whose heads purges
    /// took.
    func heads(of note: NoteID) -> [RevisionID]? {
        let known = heads[note]
        guard known?.contains(where: { dropped.contains($0) || waiting.contains($0) }) ?? false else { return known }
        return heads.graph(of: note)?.heads(missing: dropped.union(waiting))
    }

    var notesWithoutRow: [NoteID] {
        heads.notes.filter { !seenNotes.contains($0) && heads(of: $0)?.isEmpty == false }
    }
}
