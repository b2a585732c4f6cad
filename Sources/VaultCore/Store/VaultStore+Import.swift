// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// What one batch of an import did.
public struct ImportTally: Sendable, Equatable {
    public var created = 0
    public var updated = 0
    public var unchanged = 0
    /// Attachments that are new, or have another content than before.
    public var attachments = 0
    public init() {}

    public mutating func add(_ other: ImportTally) {
        created += other.created
        updated += other.updated
        unchanged += other.unchanged
        attachments += other.attachments
    }
}

extension VaultStore {
    /// Saves a batch of foreign notes in one durable transaction. A note with the same source is updated, never doubled.
    ///
    /// - Parameter dryRun: only says what would happen.
    /// - Throws: `VaultError.tooLarge`, `.readOnly`, `.saveFailed`; then nothing of the batch is saved.
    /// - Parameter group: all batches of one import are taken back together.
    public func importNotes(_ drafts: [NoteDraft], dryRun: Bool, _ group: ChangeGroup = ChangeGroup(.import)) throws(VaultError) -> ImportTally {
        try importNotes(drafts.map { ImportedNote($0) }, dryRun: dryRun, group)
    }

    /// The same for notes with all that stands beside their text.
    ///
    /// - Throws: `VaultError.attachmentsChanged` too, when a note's attachments are not what they were compared with.
    public func importNotes(_ notes: [ImportedNote], dryRun: Bool, _ group: ChangeGroup) throws(VaultError) -> ImportTally {
        if dryRun {
            return try read { database in
                let hidden = try self.unlockedSources(database)
                return try self.tally(notes) { try self.plan(database, $0, hidden, dryRun: true) }
            }
        }
        let new = notes.compactMap(\.protecting)
        // The transaction reads what it writes.
        for made in new { records.keyring.insert(made.note, made.opened.keys, showsTitle: made.opened.showsTitle) }
        defer { forgetUnheard(new.map(\.note)) }
        let tally = try change(group) { database in
            let hidden = try self.unlockedSources(database)
            return try self.tally(notes) { note in
                let plan = try self.plan(database, note, hidden, dryRun: false)
                try self.save(database, plan, note)
                return plan
            }
        }
        for note in notes { note.files.forEach { $0.own?.file?.keep() } }
        return tally
    }

    private struct Plan {
        enum Kind { case created, updated, unchanged }
        var kind: Kind
        var record: NoteRecord
        var old: Head?
        var files: FileChanges
    }

    private func tally(_ notes: [ImportedNote], _ body: (ImportedNote) throws -> Plan) throws -> ImportTally {
        var tally = ImportTally()
        for note in notes {
            let plan = try body(note)
            tally.attachments += plan.files.changeCount
            switch plan.kind {
            case .created: tally.created += 1
            case .updated: tally.updated += 1
            case .unchanged: tally.unchanged += 1
            }
        }
        return tally
    }

    private func plan(_ database: Database, _ note: ImportedNote, _ hidden: [String: NoteID], dryRun: Bool) throws -> Plan {
        let draft = note.draft
        guard let id = try present(database, note, hidden) else {
            var record = try newRecord(draft)
            if let id = note.protecting?.note ?? note.id { record.noteID = id }
            record.flags.formUnion(note.flags)
            let files = try fileChanges(database, note, over: nil, dryRun: dryRun)
            record.attachments = files.ids
            return Plan(kind: .created, record: record, files: files)
        }
        let head = try head(database, of: id)
        let old: Head = (head.revision, head.record)
        var record = old.record
        record.body = draft.body
        record.title = draft.title
        record.tags = NoteNames.tags(draft.tags)
        record.notebook = NoteNames.notebook(draft.notebook)
        record.flags = record.flags.subtracting(note.knownFlags).union(note.flags)
        if let created = draft.created { record.created = created }
        let files = try fileChanges(database, note, over: old.record, dryRun: dryRun)
        record.attachments = files.ids
        // A file's time alone is no change: touching a folder must not rewrite every note.
        guard record != old.record || files.changeCount > 0 else { return Plan(kind: .unchanged, record: record, old: old, files: files) }
        record.modified = draft.modified ?? Machine.now
        return Plan(kind: .updated, record: record, old: old, files: files)
    }

    /// The note of the vault that this one is.
    private func present(_ database: Database, _ note: ImportedNote, _ hidden: [String: NoteID]) throws -> NoteID? {
        if let home = note.home, try isPresent(database, home) { return home }
        guard let source = note.draft.source else { return nil }
        return try self.note(database, from: source) ?? hidden[source]
    }

    private func save(_ database: Database, _ plan: Plan, _ note: ImportedNote) throws {
        let id = plan.record.noteID
        // Decided here, in the transaction: what the note was when it was looked at counts for nothing.
        let isKept = try plan.kind == .created ? note.protecting != nil : isPrivate(database, id)
        guard !note.mustBePrivate || isKept else { throw VaultError(.notPrivate) }
        switch plan.kind {
        case .unchanged: return
        case .created:
            if let slot = note.protecting?.slot { try save(database, slot) }
            try insert(database, plan.files.added, to: id, note.protecting?.opened.keys)
            try apply(database, plan.record, .create, replacing: nil)
        case .updated:
            try insert(database, plan.files.added, to: id, try isPrivate(database, id) ? records.keyring[id]?.keys : nil)
            try apply(database, plan.record, .edit, replacing: plan.old)
        }
    }
}
