// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// The history of an index that has lost some of it, made whole: links of revisions that are lost go, revisions without
/// a link get one, and all are numbered and linked anew.
struct MendedChain {
    private(set) var entries: [Entry] = []
    /// Whether every link is as it was.
    private(set) var isUnchanged = true
    /// Revisions that the history names and that are not there, with their notes, in its order.
    private(set) var lost: [(revision: RevisionID, note: NoteID)] = []
    /// What the notes ended with before anything was lost.
    private(set) var formerHeads = NoteHeads()
    /// Notes that were removed for good: nothing of them is lost.
    private(set) var purged: Set<NoteID> = []

    /// A revision that opens, and in which row it lies.
    struct Revision {
        let row: Int64
        let id: RevisionID
        let note: NoteID
    }

    /// - Parameters:
    ///   - found: links that can be read, in their order.
    ///   - revisions: in the order of their rows.
    init(_ found: [Entry], _ revisions: [Revision], device: [UInt8]) throws {
        var dropped: Set<RevisionID> = []
        var named: Set<RevisionID> = []
        for entry in found {
            formerHeads.add(entry)
            switch entry.operation {
            case .purge: purged.insert(entry.noteID)
            case .drop: dropped.insert(entry.revisionID)
            case .create, .edit, .trash, .restore, .fork, .join: named.insert(entry.revisionID)
            case .statement: break
            }
        }
        let rows = Dictionary(revisions.map { ($0.id, $0.row) }) { first, _ in first }
        let purged = purged
        var nameless = revisions.filter { !named.contains($0.id) && !purged.contains($0.note) }[...]
        var heads = NoteHeads()
        var replaced: [RevisionID: [RevisionID]] = [:]
        for entry in found {
            var kept = entry
            switch entry.operation {
            case .purge, .drop, .statement: break
            case .create, .edit, .trash, .restore, .fork, .join:
                // What came after a lost one comes after what that one came after.
                kept.parents = Self.unique(entry.parents.flatMap { replaced[$0] ?? [$0] })
                if let row = rows[entry.revisionID] {
                    while let next = nameless.first, next.row < row {
                        try add(Self.entry(of: nameless.removeFirst(), heads), device, &heads)
                    }
                } else if !dropped.contains(entry.revisionID), !purged.contains(entry.noteID) {
                    lost.append((entry.revisionID, entry.noteID))
                    replaced[entry.revisionID] = kept.parents
                    continue
                }
            }
            try add(kept, device, &heads)
        }
        for revision in nameless { try add(Self.entry(of: revision, heads), device, &heads) }
        isUnchanged = entries == found
    }

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
