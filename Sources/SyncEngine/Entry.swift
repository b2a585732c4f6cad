// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Entry` is one thing that happened to a note, the same on every device. What it holds is opaque here.
public struct Entry: Hashable, Sendable {
    /// `Kind` says what an entry does to the graph of its note.
    public enum Kind: Hashable, Sendable {
        /// A revision, made by a person or by a join.
        case revision
        /// A purge: removes everything that the parents reach.
        case purge
    }

    /// The revision that it makes, or the name of the purge.
    public let id: RevisionID
    /// The note to which it belongs.
    public let note: NoteID
    /// The effect of the entry on the graph.
    public let kind: Kind
    /// The revisions that its writer had before it, ascending.
    public let parents: [RevisionID]
    /// Whether it trashes or purges; the guard against mass changes counts these.
    public let removes: Bool
    /// The sealed record.
    public let body: [UInt8]

    /// Makes an entry.
    public init(
        id: RevisionID, note: NoteID, kind: Kind = .revision, parents: [RevisionID], removes: Bool = false,
        body: [UInt8]
    ) {
        (self.id, self.note, self.kind) = (id, note, kind)
        (self.parents, self.removes, self.body) = (parents.sorted(), removes, body)
    }

    /// Compares the names alone: a join that two devices made is one entry.
    public static func == (left: Entry, right: Entry) -> Bool { left.id == right.id }

    /// Hashes the name alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
