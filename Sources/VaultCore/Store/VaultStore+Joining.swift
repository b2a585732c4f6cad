// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import TextMerge
internal import VaultCrypto
public import VaultFormat

/// Copying and joining notes.
extension VaultStore {
    /// A second note with the content of one: its own history begins.
    ///
    /// - Throws: `VaultError.notFound`, `.readOnly`, `.saveFailed`.
    public func duplicate(_ id: NoteID) throws(VaultError) -> NoteSummary {
        try change(.dup) { database in
            guard try !self.isPrivate(database, id) else { throw VaultError(.isPrivate) }
            let original = try self.head(database, of: id).record
            var draft = NoteDraft(body: original.body, title: original.title.map { $0 + " (copy)" })
            draft.tags = original.tags
            draft.notebook = original.notebook
            draft.isTemplate = original.flags.contains(.template)
            let record = try self.newRecord(draft)
            try self.apply(database, record, .create, replacing: nil)
            return try self.summary(database, of: record.noteID)
        }
    }

    /// Adds the texts and tags of other notes to the first one, and moves those to the trash.
    ///
    /// - Throws: `VaultError.notFound`, `.tooLarge`, `.readOnly`, `.saveFailed`; then nothing is changed.
    public func join(_ ids: [NoteID]) throws(VaultError) -> NoteSummary {
        guard let target = ids.first else { throw VaultError(.notFound) }
        return try change(.merge) { database in
            guard try !ids.contains(where: { try self.isPrivate(database, $0) }) else { throw VaultError(.isPrivate) }
            let head = try self.head(database, of: target)
            var record = head.record
            try self.refuseTooMuch(database, ids)
            for id in ids.dropFirst() {
                let other = try self.head(database, of: id)
                record.body = Self.joined(record.body, Self.text(other.record))
                record.tags = NoteNames.tags(record.tags + other.record.tags)
                var trashed = other.record
                // They go along with the text that shows them.
                let brought = trashed.attachments.filter { !record.attachments.contains($0) }
                try self.giveUnusedNames(database, brought, from: id, besides: record.attachments, of: target)
                record.attachments += brought
                trashed.attachments = []
                trashed.flags.insert(.trashed)
                if trashed != other.record {
                    try self.apply(database, trashed, .trash, replacing: (other.revision, other.record))
                }
            }
            try self.saveEdited(database, record, over: (head.revision, head.record))
            return try self.summary(database, of: target)
        }
    }

    /// Before anything is put together: all of it must fit into one note.
    private func refuseTooMuch(_ database: Database, _ ids: [NoteID]) throws {
        let statement = try database.cachedStatement("SELECT byteCount FROM note WHERE id = ?")
        let sum = try ids.reduce(0) { $0 + (try statement.row([$1.bytes.blob])?.count("byteCount") ?? 0) }
        guard sum <= NoteRecord.bodyByteCountMax else { throw VaultError(.tooLarge) }
    }

    /// The text with the title that was set, which would be lost otherwise.
    private static func text(_ record: NoteRecord) -> String { record.title.map { $0 + "\n\n" + record.body } ?? record.body }

    /// One blank line between the two.
    private static func joined(_ first: String, _ second: String) -> String {
        guard !first.isEmpty else { return second }
        return first + (first.hasSuffix("\n\n") ? "" : first.hasSuffix("\n") ? "\n" : "\n\n") + second
    }

    /// How the heads of a note fit together.
    enum JoinedHeads {
        case clean(NoteRecord)
        case conflict(marked: String)
    }

    /// Joins a note's two heads by what they have in common.
    func joinHeads(_ database: Database, _ shown: Head, _ other: Head) throws -> JoinedHeads {
        let base = try commonAncestor(database, shown.id, other.id, of: shown.record.noteID)
        let merged = try TextMerge.merge(
            base: Array((base?.body ?? "").utf8), ours: Array(shown.record.body.utf8), theirs: Array(other.record.body.utf8),
            ourLabel: "this one", theirLabel: "the other one", by: comparison)
        switch merged {
        case .conflict(let marked): return .conflict(marked: String(decoding: marked, as: UTF8.self))
        case .clean(let body):
            var record = shown.record
            record.body = String(decoding: body, as: UTF8.self)
            record.tags = NoteNames.tags(
                FieldMerge.list(base: base?.tags ?? [], ours: shown.record.tags, theirs: other.record.tags))
            if let base {
                record.title = FieldMerge.value(base: base.title, ours: shown.record.title, theirs: other.record.title).0
                record.notebook = FieldMerge.value(base: base.notebook, ours: shown.record.notebook, theirs: other.record.notebook).0
            }
            return .clean(record)
        }
    }

    /// The newest revision that both came from; nil when there is none, or it was thinned out.
    private func commonAncestor(_ database: Database, _ first: RevisionID, _ second: RevisionID, of note: NoteID) throws -> NoteRecord? {
        var parents: [RevisionID: [RevisionID]] = [:]
        var order: [RevisionID] = []
        let rows = try Row.fetchCursor(database, sql: "SELECT bytes FROM entry WHERE device = ? ORDER BY sequence", arguments: [device.blob])
        while let row = try rows.next() {
            let entry = try Entry(parsing: row.bytes("bytes"))
            guard entry.noteID == note, entry.operation != .drop else { continue }
            parents[entry.revisionID] = entry.parents
            order.append(entry.revisionID)
        }
        func ancestors(of revision: RevisionID) -> Set<RevisionID> {
            var seen: Set<RevisionID> = []
            var next = [revision]
            while let current = next.popLast() { if seen.insert(current).inserted { next += parents[current] ?? [] } }
            return seen
        }
        let common = ancestors(of: first).intersection(ancestors(of: second))
        guard let newest = order.last(where: { common.contains($0) }) else { return nil }
        return try? revision(database, newest, of: note)
    }
}
