// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// A `SalvagedNoteState` says what became of a note in a salvage.
public enum SalvagedNoteState: UInt8, Sendable, CaseIterable {
    /// Its newest text opened, and each one beside it.
    case whole = 0
    /// An earlier text opened, or one that may be: what would say so is lost.
    case older
    /// None of its texts opened.
    case lost
}

/// A `SalvagedChain` is the history of a vault that is made of what a damaged one's pages still hold: the entries that
/// are left, and the revisions that opened, also those whose entries are lost.
///
/// A chain may have no gap, so the new vault gets one of its own, of a new device. It names the revisions that opened,
/// in their order, and nothing else: what was dropped or purged is in neither. Spec: docs/format.md §10.
struct SalvagedChain {
    /// A `Revision` is a revision that opened.
    struct Revision {
        let id: RevisionID
        let note: NoteID
        /// When it was recorded; 0 where that is not known.
        let made: Int64
    }

    struct Verdict {
        let note: NoteID
        let state: SalvagedNoteState
        /// What is shown now.
        let head: RevisionID?
    }

    private let known: [Entry]
    private let opened: [RevisionID: Revision]
    /// The head that the list of notes showed.
    private let listed: [NoteID: RevisionID]
    /// What purges reached; of notes that no entry makes any more, all.
    private let gone: Set<RevisionID>
    private let purged: Set<NoteID>
    private let dropped: Set<RevisionID>
    private let followed: Set<RevisionID>
    private let places: [RevisionID: Int]
    /// As the entries that are left say, with heads that did not open.
    private var heads = NoteHeads()
    /// Whether no entry is missing: else only the list of notes can say that a text is the newest.
    private let isComplete: Bool

    /// Takes what opened.
    ///
    /// - Parameters:
    ///   - known: the entries that are left, each behind those that it stands on.
    ///   - listed: of a page that is not older than the newest one.
    init(_ known: [Entry], _ revisions: [Revision], listed: [NoteID: RevisionID], isComplete: Bool) {
        self.known = known
        self.listed = listed
        self.isComplete = isComplete
        for entry in known { heads.add(entry) }
        let purges = PurgeReach(known, heads)
        let (purged, gone) = (purges.notes, purges.revisions)
        let dropped = Set(known.filter { $0.operation == .drop }.map(\.revisionID))
        (self.purged, self.gone, self.dropped) = (purged, gone, dropped)
        followed = Set(known.flatMap(\.parents))
        let kept = revisions.filter {
            !purged.contains($0.note) && !gone.contains($0.id) && !dropped.contains($0.id)
        }
        opened = Dictionary(kept.map { ($0.id, $0) }) { first, _ in first }
        places = Dictionary(
            known.enumerated().filter { $1.operation.makesRevision }.map { ($1.revisionID, $0) }
        ) { first, _ in first }
    }

    /// Returns whether the chain has no more use for a revision: it was dropped, or its note purged.
    func leavesOut(_ revision: RevisionID, of note: NoteID) -> Bool {
        purged.contains(note) || gone.contains(revision) || dropped.contains(revision)
    }

    /// Returns the revision that the note should show; nil where nothing says it.
    private func expected(_ note: NoteID) -> RevisionID? {
        if let head = listed[note], !followed.contains(head), !dropped.contains(head) { return head }
        return heads[note]?.last
    }

    /// Returns each note that is left or lost, in no order.
    ///
    /// - Parameter shown: what the new chain ends with.
    func verdicts(_ shown: NoteHeads) -> [Verdict] {
        let notes = Set(listed.keys).union(heads.notes).union(opened.values.map(\.note)).subtracting(purged)
        return notes.map { note in
            guard let head = shown[note]?.last else { return Verdict(note: note, state: .lost, head: nil) }
            let wanted = expected(note)
            let ends = (heads[note] ?? []) + (wanted.map { [$0] } ?? [])
            let isProven = isComplete || (wanted != nil && listed[note] == wanted)
            let isWhole = wanted == head && isProven && ends.allSatisfy { opened[$0] != nil }
            return Verdict(note: note, state: isWhole ? .whole : .older, head: head)
        }
    }

    // MARK: The new chain

    private enum Event {
        case known(Entry)
        case found(Revision)
    }

    /// Makes the entries of a new device, for all that opened.
    ///
    /// - Throws: `CryptoError`.
    func entries(device: [UInt8]) throws(CryptoError) -> [Entry] {
        var writer = ChainWriter(device: device)
        for event in events() {
            switch event {
            case .found(let revision): try writer.found(revision.id, of: revision.note)
            case .known(let entry):
                if opened[entry.revisionID]?.note == entry.noteID {
                    try writer.known(entry)
                } else {
                    writer.lost(entry)
                }
            }
        }
        return writer.entries
    }

    /// Returns the entries that are left, and between them the revisions that no entry names.
    private func events() -> [Event] {
        var found: [(place: Int, revision: Revision)] = []
        var children: [RevisionID: Int] = [:]
        var ofNotes: [NoteID: [(place: Int, made: Int64)]] = [:]
        for (place, entry) in known.enumerated() where entry.operation.makesRevision {
            for parent in entry.parents where children[parent] == nil { children[parent] = place }
            if let made = opened[entry.revisionID]?.made, made > 0 {
                ofNotes[entry.noteID, default: []].append((place, made))
            }
        }
        for revision in opened.values where places[revision.id] == nil {
            // The list says which one is the head: everything else was before it.
            let head = listed[revision.note] == expected(revision.note) ? listed[revision.note] : nil
            guard head != revision.id else {
                found.append((known.count, revision))
                continue
            }
            var place = children[revision.id]
            if place == nil, revision.made > 0 {
                place = ofNotes[revision.note]?.first { $0.made > revision.made }?.place
            }
            found.append((min(place ?? known.count, head.flatMap { places[$0] } ?? known.count), revision))
        }
        found.sort { first, second in
            if first.place != second.place { return first.place < second.place }
            let (one, other) = (first.revision, second.revision)
            // What the list shows comes last among those of which nothing else is known.
            let (isHead, isOther) = (listed[one.note] == one.id, listed[other.note] == other.id)
            if isHead != isOther { return isOther }
            return (one.made, one.id.bytes.hexOrder) < (other.made, other.id.bytes.hexOrder)
        }
        var events: [Event] = []
        var next = found.startIndex
        for (place, entry) in known.enumerated() {
            while next < found.endIndex, found[next].place <= place {
                events.append(.found(found[next].revision))
                next += 1
            }
            if entry.operation.makesRevision { events.append(.known(entry)) }
        }
        return events + found[next...].map { .found($0.revision) }
    }
}

/// A `ChainWriter` writes a chain entry by entry, each with the hash of the one before.
private struct ChainWriter {
    private let device: [UInt8]
    private(set) var entries: [Entry] = []
    private var heads = NoteHeads()
    private var written: Set<RevisionID> = []
    /// Of a revision that is lost: those that it was made from, as far as they are there.
    private var origins: [RevisionID: [RevisionID]] = [:]
    /// Revisions that no entry named.
    private var unnamed: Set<RevisionID> = []
    private var previous = Entry.firstPrevious

    init(device: [UInt8]) { self.device = device }

    /// Writes an entry for a revision whose entry is lost. It follows the one that is shown.
    mutating func found(_ revision: RevisionID, of note: NoteID) throws(CryptoError) {
        let shown = heads[note]?.last
        unnamed.insert(revision)
        try write(shown == nil ? .create : .edit, revision, of: note, parents: shown.map { [$0] } ?? [])
    }

    /// Writes an entry that is left. What was made from a revision that is lost, was made from what that one was made
    /// from.
    mutating func known(_ entry: Entry) throws(CryptoError) {
        let note = entry.noteID
        guard let present = heads[note], let shown = present.last else {
            return try write(.create, entry.revisionID, of: note, parents: [])
        }
        var parents = resolved(entry.parents)
        switch entry.operation {
        case .edit, .trash, .restore, .join:
            // It followed the head of its time, whichever that was.
            parents += present.filter { unnamed.contains($0) && !parents.contains($0) }
            if parents.isEmpty { parents = [shown] }
        case .create, .fork, .purge, .drop, .statement: break
        }
        guard parents.contains(shown) else {
            return try write(.fork, entry.revisionID, of: note, parents: parents)
        }
        let operation: Entry.Operation = [.trash, .restore].contains(entry.operation) ? entry.operation : .edit
        try write(operation, entry.revisionID, of: note, parents: parents.filter { present.contains($0) })
    }

    mutating func lost(_ entry: Entry) { origins[entry.revisionID] = resolved(entry.parents) }

    private func resolved(_ parents: [RevisionID]) -> [RevisionID] {
        var found: [RevisionID] = []
        for parent in parents {
            for one in written.contains(parent) ? [parent] : origins[parent] ?? [] where !found.contains(one) {
                found.append(one)
            }
        }
        return found
    }

    private mutating func write(
        _ operation: Entry.Operation, _ revision: RevisionID, of note: NoteID, parents: [RevisionID]
    ) throws(CryptoError) {
        guard written.insert(revision).inserted else { return }
        let entry = Entry(
            device: device, sequence: UInt64(entries.count) + 1, operation: operation, noteID: note,
            revisionID: revision, parents: Array(parents.prefix(Int(UInt8.max))), previous: previous)
        previous = try Digest.sha256(entry.encoded)
        heads.add(entry)
        entries.append(entry)
    }
}

extension [UInt8] {
    /// Bytes that compare as numbers do: an order for what has no other.
    fileprivate var hexOrder: UInt64 { prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
