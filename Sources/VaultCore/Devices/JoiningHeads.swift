// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import TextMerge
internal import VaultCrypto
public import VaultFormat

extension Devices {
    /// Joins the heads of notes that fit together, as every device does that has the same heads: all of them make the
    /// same revision. What does not fit, has nothing in common, or is locked keeps its heads.
    ///
    /// - Returns: the notes that were joined.
    /// - Throws: `VaultError.readOnly`, `.saveFailed`, `.integrity` for a text that does not open.
    @discardableResult
    public func join(_ notes: [NoteID]) throws(VaultError) -> [NoteID] {
        let forked = try vault.read { index in try notes.filter { try index.canJoin($0) } }
        let comparison = LastingComparison(asking: vault.comparison)
        defer { vault.comparison.finish() }
        var joined: [NoteID] = []
        for start in stride(from: 0, to: forked.count, by: Self.batchNoteCount) {
            let batch = forked[start..<min(start + Self.batchNoteCount, forked.count)]
            // Texts are merged before the transaction begins: that may take a while.
            let made = try vault.read { index in
                try batch.compactMap { note in try JoinedHeads(note, index, comparison).map { (note, $0) } }
            }
            guard !made.isEmpty else { continue }
            joined += try vault.write { transaction in
                try made.filter { try transaction.join($0, $1) }.map(\.0)
            }
        }
        return joined
    }

    /// Returns notes with more than one head, in no order.
    ///
    /// - Throws: `VaultError.integrity`.
    public func forkedNotes() throws(VaultError) -> [NoteID] {
        try vault.read { index in
            try Row.fetchAll(index.database, sql: "SELECT DISTINCT note FROM otherHead").map {
                try NoteID($0.bytes("note"))
            }
        }
    }
}

/// `JoinedHeads` holds heads of a note that fit together, and what they come to.
struct JoinedHeads {
    /// Those that are joined, in the order of heads.
    let parents: [RevisionID]
    let record: NoteRecord
    let revision: RevisionID

    /// Joins as many heads of a note as fit together.
    ///
    /// - Returns: nil when there is nothing to join.
    init?(_ note: NoteID, _ index: some IndexAccess, _ comparison: some TokenComparison) throws {
        let (graph, heads) = (try index.graph(of: note), try index.heads(of: note))
        var (parents, reached): ([RevisionID], Set<RevisionID>) = ([], [])
        var joined: NoteRecord?
        for head in heads.prefix(Transaction.headCountMax) {
            let record = try index.revision(head, of: note)
            let came = graph.ancestors(of: head)
            guard let first = joined else {
                (joined, parents, reached) = (record, [head], came)
                continue
            }
            guard let common = graph.deepest(reached.intersection(came)),
                let base = try? index.revision(common, of: note),
                let both = try CleanJoin(base: base, first: first, second: record).joined({
                    try Self.merged($0, comparison)
                })
            else { continue }
            joined = both
            parents.append(head)
            reached.formUnion(came)
        }
        guard parents.count > 1, let joined else { return nil }
        (self.parents, record, revision) = (parents, joined, try joined.joinID(of: parents))
    }

    private static func merged(_ texts: TextsToMerge, _ comparison: some TokenComparison) throws -> [UInt8]? {
        switch try texts.merged(by: comparison).outcome {
        case .clean(let body): body
        case .conflict: nil
        }
    }
}

/// `LastingComparison` asks another comparison without ending it after each text.
private struct LastingComparison: TokenComparison {
    private let other: any TokenComparison

    init(asking other: any TokenComparison) { self.other = other }

    func changes(old: [UInt32], new: [UInt32]) -> [TokenChange]? { other.changes(old: old, new: new) }

    func merge(base: [UInt32], ours: [UInt32], theirs: [UInt32]) -> [MergeElement]? {
        other.merge(base: base, ours: ours, theirs: theirs)
    }
}

extension IndexAccess {
    /// Returns whether a note has several heads that can be read.
    fileprivate func canJoin(_ note: NoteID) throws -> Bool {
        guard try isForked(note) else { return false }
        return try !isPrivate(note) || records.keyring[note] != nil
    }
}

extension Transaction {
    /// Writes a join of heads.
    ///
    /// - Returns: false when the note has other heads by now, or the revision is known already.
    fileprivate func join(_ note: NoteID, _ joined: JoinedHeads) throws -> Bool {
        let heads = Set(try heads(of: note))
        guard joined.parents.allSatisfy(heads.contains) else { return false }
        let known = try database.cachedStatement("SELECT 1 FROM revision WHERE id = ?").row([
            joined.revision.bytes.blob
        ])
        guard known == nil else { return false }
        let old = try projected(note, headID(of: note))
        let made = try sealed(joined.record, joined.revision)
        try database.cachedStatement("INSERT INTO revision(id, note, sealed, made) VALUES(?, ?, ?, ?)")
            .execute(arguments: [joined.revision.bytes.blob, note.bytes.blob, made.sealed.blob, Machine.now])
        var state = try IndexState.fetch(database)
        try append(&state, .join, note: note, revision: joined.revision, parents: joined.parents.sorted())
        try state.save(database)
        try project(note, over: old)
        try bringHome(joined.record.attachments, to: note)
        return true
    }
}
