// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// What one batch of an import did.
public struct ImportTally: Sendable, Equatable {
    public var created = 0
    public var updated = 0
    public var unchanged = 0
    public init() {}

    public mutating func add(_ other: ImportTally) {
        created += other.created
        updated += other.updated
        unchanged += other.unchanged
    }
}

extension VaultStore {
    /// Saves a batch of foreign notes in one durable transaction. A note with the same source is updated, never doubled.
    ///
    /// - Parameter dryRun: only says what would happen.
    /// - Throws: `VaultError.tooLarge`, `.readOnly`, `.saveFailed`; then nothing of the batch is saved.
    /// - Parameter group: all batches of one import are taken back together.
    public func importNotes(_ drafts: [NoteDraft], dryRun: Bool, _ group: ChangeGroup = ChangeGroup(.import)) throws(VaultError) -> ImportTally {
        if dryRun {
            return try read { database in
                try self.tally(drafts) { try self.plan(database, $0).kind }
            }
        }
        return try change(group) { database in
            try self.tally(drafts) { draft in
                let plan = try self.plan(database, draft)
                switch plan.kind {
                case .unchanged: break
                case .created: try self.apply(database, self.newRecord(draft), .create, replacing: nil)
                case .updated(let record, let old): try self.apply(database, record, .edit, replacing: old)
                }
                return plan.kind
            }
        }
    }

    private enum Kind {
        case created
        case updated(NoteRecord, replacing: (id: RevisionID, record: NoteRecord))
        case unchanged
    }

    private func tally(_ drafts: [NoteDraft], _ body: (NoteDraft) throws -> Kind) throws -> ImportTally {
        var tally = ImportTally()
        for draft in drafts {
            switch try body(draft) {
            case .created: tally.created += 1
            case .updated: tally.updated += 1
            case .unchanged: tally.unchanged += 1
            }
        }
        return tally
    }

    /// The note that came from there. A private one is found while it is unlocked.
    private func note(_ database: Database, from source: String) throws -> NoteID? {
        if let row = try database.cachedStatement("SELECT id FROM note WHERE source = ?").row([source]) { return try NoteID(try row.bytes("id")) }
        return try unlockedNotes(database).first { $0.record.source == source }?.id
    }

    private func plan(_ database: Database, _ draft: NoteDraft) throws -> (kind: Kind, source: String?) {
        guard let source = draft.source, let id = try note(database, from: source) else { return (.created, draft.source) }
        let (revision, old) = try head(database, of: id)
        var record = old
        record.body = draft.body
        record.title = draft.title
        record.tags = NoteNames.tags(draft.tags)
        record.notebook = NoteNames.notebook(draft.notebook)
        if let created = draft.created { record.created = created }
        // A file's time alone is no change: touching a folder must not rewrite every note.
        guard record != old else { return (.unchanged, source) }
        record.modified = draft.modified ?? Machine.now
        return (.updated(record, replacing: (revision, old)), source)
    }
}
