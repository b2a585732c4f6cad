// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// A `MendedChain` is the history of an index that has lost some of it, made whole: links of revisions that are lost
/// go, revisions without a link get one, and all are numbered and linked anew.
struct MendedChain {
    private(set) var entries: [Entry] = []
    /// How many of them are the vault's own: those of other devices stand behind them, as they were.
    private(set) var ownCount = 0
    /// Whether every link is as it was.
    private(set) var isUnchanged = true
    /// Revisions that the history names and that are not there, with their notes, in its order.
    private(set) var lost: [(revision: RevisionID, note: NoteID)] = []
    /// What the notes ended with before anything was lost.
    private(set) var formerHeads = NoteHeads()

    /// A `Revision` is a revision that opens, with the row in which it lies.
    struct Revision {
        let row: Int64
        let id: RevisionID
        let note: NoteID
    }

    /// Makes the history whole.
    ///
    /// - Parameters:
    ///   - found: links that can be read, in their order.
    ///   - others: entries of other devices; they are kept.
    ///   - revisions: in the order of their rows.
    init(_ found: [Entry], others: [Entry] = [], _ revisions: [Revision], device: [UInt8]) throws {
        var dropped: Set<RevisionID> = []
        var named: Set<RevisionID> = []
        for entry in found + others {
            formerHeads.add(entry)
            if entry.operation == .drop { dropped.insert(entry.revisionID) }
            if entry.operation.makesRevision { named.insert(entry.revisionID) }
        }
        let rows = Dictionary(revisions.map { ($0.id, $0.row) }) { first, _ in first }
        let purged = Set((found + others).filter { $0.operation == .purge }.map(\.noteID))
        for note in purged { gone[note] = formerHeads.graph(of: note)?.gone ?? [] }
        var nameless = revisions.filter { !named.contains($0.id) && !purged.contains($0.note) }[...]
        var heads = NoteHeads()
        for entry in others { heads.add(entry) }
        var replaced: [RevisionID: [RevisionID]] = [:]
        for entry in found {
            var kept = entry
            if entry.operation.makesRevision {
                // What came after a lost one comes after what that one came after.
                kept.parents = Self.unique(entry.parents.flatMap { replaced[$0] ?? [$0] })
                if let row = rows[entry.revisionID] {
                    while let next = nameless.first, next.row < row {
                        try add(Self.entry(of: nameless.removeFirst(), heads), device, &heads)
                    }
                } else if !dropped.contains(entry.revisionID), !isGone(entry.revisionID, of: entry.noteID) {
                    lost.append((entry.revisionID, entry.noteID))
                    replaced[entry.revisionID] = kept.parents
                    continue
                }
            }
            try add(kept, device, &heads)
        }
        for revision in nameless { try add(Self.entry(of: revision, heads), device, &heads) }
        isUnchanged = entries == found
        let own = Set(found.lazy.filter { $0.operation.makesRevision }.map(\.revisionID))
        for entry in others where entry.operation.makesRevision && rows[entry.revisionID] == nil {
            guard !own.contains(entry.revisionID), dropped.insert(entry.revisionID).inserted,
                !isGone(entry.revisionID, of: entry.noteID)
            else { continue }
            lost.append((entry.revisionID, entry.noteID))
            // The other device's word stays, and its record is not expected any more.
            let drop = Entry(
                device: device, sequence: 0, operation: .drop, noteID: entry.noteID, revisionID: entry.revisionID,
                parents: [], previous: [])
            try add(drop, device, &heads)
        }
        ownCount = entries.count
        entries += others
    }

    /// Tells whether a revision was removed for good: then it is not lost.
    func isGone(_ revision: RevisionID, of note: NoteID) -> Bool { gone[note]?.contains(revision) ?? false }

    private var gone: [NoteID: Set<RevisionID>] = [:]

    private static func entry(of revision: Revision, _ heads: NoteHeads) -> Entry {
        let before = heads[revision.note]?.last
        return Entry(
            device: [], sequence: 0, operation: before == nil ? .create : .edit, noteID: revision.note,
            revisionID: revision.id, parents: before.map { [$0] } ?? [], previous: [])
    }

    private mutating func add(_ entry: Entry, _ device: [UInt8], _ heads: inout NoteHeads) throws {
        var linked = entry
        linked.device = device
        linked.sequence = UInt64(entries.count) + 1
        linked.previous = try entries.last.map { try Digest.sha256($0.encoded) } ?? Entry.firstPrevious
        heads.add(linked)
        entries.append(linked)
    }

    private static func unique(_ revisions: [RevisionID]) -> [RevisionID] {
        var seen: Set<RevisionID> = []
        return Array(revisions.filter { seen.insert($0).inserted }.prefix(255))
    }
}
