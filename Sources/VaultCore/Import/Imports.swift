// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedObjects
public import VaultFormat

/// An `ImportTally` says what one batch of an import did.
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

/// Imports write notes of other programs, and find again what an earlier import took over.
public struct Imports {
    let vault: OpenVault

    /// Saves a batch of foreign notes in one durable transaction. A note with the same source is updated, never
    /// doubled.
    ///
    /// - Parameter dryRun: only says what would happen.
    /// - Throws: `VaultError.tooLarge`, `.readOnly`, `.saveFailed`; then nothing of the batch is saved.
    /// - Parameter group: all batches of one import are taken back together.
    public func save(_ drafts: [NoteDraft], dryRun: Bool, _ group: ChangeGroup = ChangeGroup(.import))
        throws(VaultError) -> ImportTally
    {
        try save(drafts.map { ImportedNote($0) }, dryRun: dryRun, group)
    }

    /// Does the same for notes with all that stands beside their text.
    ///
    /// - Throws: `VaultError.attachmentsChanged` too, when a note's attachments are not what they were compared with.
    public func save(_ notes: [ImportedNote], dryRun: Bool, _ group: ChangeGroup) throws(VaultError) -> ImportTally {
        if dryRun {
            return try vault.read { index in
                let (hidden, imports) = (try index.unlockedSources(), try index.importedEntries())
                return try self.tally(notes) { try index.plan($0, hidden, imports, dryRun: true) }
            }
        }
        let new = notes.compactMap(\.protecting)
        // The transaction reads what it writes.
        for made in new {
            vault.records.keyring.insert(made.note, made.opened.keys, showsTitle: made.opened.showsTitle)
        }
        defer { forgetUnheard(new.map(\.note)) }
        let isLarge = notes.count >= Transaction.putOffCountMin
        let tally = try vault.change(group) { transaction in
            var transaction = transaction
            transaction.putsWordsOff = try isLarge && transaction.hasUnindexedTable()
            let (hidden, imports) = (try transaction.unlockedSources(), try transaction.importedEntries())
            return try self.tally(notes) { note in
                let plan = try transaction.plan(note, hidden, imports, dryRun: false)
                try transaction.save(plan, note)
                return plan
            }
        }
        for note in notes { note.files.forEach { $0.own?.file?.keep() } }
        if isLarge { vault.mayHaveUnindexed = true }
        return tally
    }

    private func tally(_ notes: [ImportedNote], _ body: (ImportedNote) throws -> ImportPlan) throws -> ImportTally {
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

    /// Returns the notes that an import of this format took over when its keys still held the place that the export lay
    /// in, by their own names there.
    ///
    /// - Parameter place: where two imports took over one note, the one from here counts.
    public func notes(withPlacesIn format: String, preferring place: String) throws(VaultError) -> [String: NoteID] {
        try vault.read { index in
            let beginning = format + "\n" + place + "\n"
            var found: [String: NoteID] = [:]
            func take(_ source: String, _ note: NoteID) {
                guard source.utf8.starts(with: (format + "\n/").utf8), let cut = source.utf8.lastIndex(of: 0x0A) else {
                    return
                }
                let name = String(source[source.utf8.index(after: cut)...])
                if found[name] == nil || source == beginning + name { found[name] = note }
            }
            // A place is a full path, so that they all lie beside each other in the index.
            let rows = try Row.fetchCursor(
                index.database, sql: "SELECT id, source FROM note WHERE source >= ? AND source < ?",
                arguments: [format + "\n/", format + "\n0"])
            while let row = try rows.next() { take(try row.text("source"), try NoteID(try row.bytes("id"))) }
            for (source, note) in try index.unlockedSources() { take(source, note) }
            return found
        }
    }

    /// Returns those of these notes that the vault has.
    public func present(_ notes: some Collection<NoteID>) throws(VaultError) -> Set<NoteID> {
        try vault.read { index in try Set(notes.filter { try index.isPresent($0) }) }
    }
}

extension IndexAccess {
    fileprivate func plan(
        _ note: ImportedNote, _ hidden: [String: NoteID], _ imports: [ClosedRange<Int64>], dryRun: Bool
    ) throws -> ImportPlan {
        let draft = note.draft
        guard let id = try present(note, hidden) else {
            var record = try NoteRecord(draft)
            if let id = note.protecting?.note ?? note.id { record.noteID = id }
            record.flags.formUnion(note.flags)
            let files = try fileChanges(note, over: nil, dryRun: dryRun)
            record.attachments = files.ids
            try describe(note, &record, files, isNew: true)
            return ImportPlan(kind: .created, record: record, files: files)
        }
        let head = try head(of: id)
        let old: Head = (head.revision, head.record)
        let files = try fileChanges(note, over: old.record, dryRun: dryRun)
        var record = try written(note, over: old.record, files)
        if record != old.record, old.record.book == nil, try isAsImported(note, id, files, imports) {
            // What was changed here stays as long as the source is what it was; its files may have changed alone.
            record = old.record
            record.attachments = files.ids
        }
        // A file's time alone is no change: touching a folder must not rewrite every note.
        guard record != old.record || files.changeCount > 0 else {
            return ImportPlan(kind: .unchanged, record: record, old: old, files: files)
        }
        record.modified = draft.modified ?? Machine.now
        return ImportPlan(kind: .updated, record: record, old: old, files: files)
    }

    /// Returns a note of the vault as the source has it now.
    func written(_ note: ImportedNote, over old: NoteRecord, _ files: ImportedFiles) throws -> NoteRecord {
        var record = old
        record.body = note.draft.body
        record.title = note.draft.title
        record.tags = NoteNames.tags(note.draft.tags)
        record.notebook = NoteNames.notebook(note.draft.notebook)
        record.flags = record.flags.subtracting(note.knownFlags).union(note.flags)
        if let created = note.draft.created { record.created = created }
        record.attachments = files.ids
        try describe(note, &record, files, isNew: false)
        if old.book != nil { keepKnown(of: old, in: &record) }
        return record
    }

    /// Returns the note of the vault that this one is.
    fileprivate func present(_ note: ImportedNote, _ hidden: [String: NoteID]) throws -> NoteID? {
        if let home = note.home, try isPresent(home) { return home }
        guard let source = note.draft.source else { return nil }
        return try self.note(from: source) ?? hidden[source]
    }

    /// Compares files by name, then by content. What the source does not name stays: it may have been attached here.
    func fileChanges(_ note: ImportedNote, over old: NoteRecord?, dryRun: Bool) throws -> ImportedFiles {
        var changes = ImportedFiles(ids: old?.attachments ?? [])
        guard !note.files.isEmpty else { return changes }
        var present: [[UInt8]: Int] = [:]
        for (index, id) in changes.ids.enumerated() {
            guard let old else { break }
            present[TagKey.bytes(try attachment(id, of: old.noteID).name)] = index
        }
        for file in note.files {
            let place = present[TagKey.bytes(file.name)]
            if let place, changes.ids[place] == file.same { continue }
            changes.changeCount += 1
            if dryRun { continue }
            // It was the same when it was compared, and is not any more.
            guard let own = file.own, let made = own.file else { throw VaultError(.attachmentsChanged) }
            if let place { changes.ids[place] = made.id } else { changes.ids.append(made.id) }
            changes.added.append((own, file.name))
        }
        return changes
    }
}

extension Transaction {
    fileprivate func save(_ plan: ImportPlan, _ note: ImportedNote) throws {
        let id = plan.record.noteID
        // Decided here, in the transaction: what the note was when it was looked at counts for nothing.
        let isKept = try plan.kind == .created ? note.protecting != nil : isPrivate(id)
        guard !note.mustBePrivate || isKept else { throw VaultError(.notPrivate) }
        switch plan.kind {
        case .unchanged: return
        case .created:
            if let slot = note.protecting?.slot { try save(slot) }
            try addChapter(of: note)
            try insert(plan.files.added, to: id, note.protecting?.opened.keys)
            try apply(plan.record, .create, replacing: nil)
        case .updated:
            try addChapter(of: note)
            try insert(plan.files.added, to: id, try isPrivate(id) ? records.keyring[id]?.keys : nil)
            try apply(plan.record, .edit, replacing: plan.old)
        }
    }

    /// Adds the chapter of an imported note to a book that is there and does not have it.
    private func addChapter(of note: ImportedNote) throws {
        guard let place = note.place, !place.chapter.isEmpty, try isListedBook(place.book),
            try !bookRecord(place.book).details.chapters.contains(where: { $0.title == place.chapter })
        else { return }
        let chapter = BookChapter(id: try .imported(place.chapter, in: place.book), title: place.chapter)
        try changeBook(place.book) { (_, book) in
            if !book.chapters.contains(where: { $0.id == chapter.id }) { book.chapters.append(chapter) }
        }
    }

    /// Writes the rows of new attachments, in the transaction that saves their note.
    func insert(_ added: [(file: StagedFile, name: String)], to note: NoteID, _ noteKeys: NoteKeys?) throws {
        for (staged, name) in added {
            // Nothing comes in under a key that is not the vault's or the note's any more.
            guard let file = staged.file, let sealed = staged.sealed, file.epoch == layer.epoch,
                file.noteKeys === noteKeys,
                noteKeys == nil || file.note == note
            else { throw VaultError(.attachmentsChanged) }
            var details = staged.details
            details.name = name
            details.byteCount = sealed.contentByteCount
            guard details.isWithinLimits else { throw VaultError(.tooLarge) }
            let record = AttachmentRecord(
                id: file.id, noteID: note, object: file.object, fileByteCount: sealed.fileByteCount,
                commitment: sealed.commitment,
                isPrivate: noteKeys != nil, details: try sealer.details(details, file.id, note: note, noteKeys))
            try insert(record, epoch: file.epoch)
        }
    }
}

/// An `ImportPlan` says what becomes of one note of an import.
private struct ImportPlan {
    enum Kind { case created, updated, unchanged }
    var kind: Kind
    var record: NoteRecord
    var old: Head?
    var files: ImportedFiles
}

/// `ImportedFiles` says what the files of one imported note come to.
struct ImportedFiles {
    /// Of the note as it is to be.
    var ids: [AttachmentID]
    var added: [(file: StagedFile, name: String)] = []
    /// How many are not what they were; a dry run has no new files.
    var changeCount = 0
}
