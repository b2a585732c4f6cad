// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import TextMerge
public import VaultFormat

/// This extension makes a revision of an edited text.
extension Drafts {
    /// Saves what was edited and ends the draft, in one durable transaction. A note that was changed meanwhile is
    /// merged, or gets a second head: nothing is ever written over.
    ///
    /// - Parameters:
    ///   - merged: the answer to `textsToMerge(committing:text:)`. If a change came in between, it does not count, and
    ///     the vault's own comparison is asked.
    ///   - place: where in a book to put a new note.
    /// - Throws: `VaultError.noDraft`, `.notText`, `.tooLarge`, `.readOnly`, `.saveFailed`; the draft stays then.
    public func commit(
        _ id: DraftID, text bytes: [UInt8], _ kind: ChangeKind = .edit, merged: MergedTexts? = nil,
        place: NewPlace? = nil
    ) throws(VaultError) -> EditOutcome {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw VaultError(.notText) }
        guard let draft = try all().first(where: { $0.id == id }) else { throw VaultError(.noDraft) }
        let journal = try journal(of: id)
        let outcome = try vault.change(kind) { transaction in
            // A private note that was purged meanwhile must not come back as an ordinary one.
            guard try !draft.isPrivate || draft.start.note.map({ try transaction.isPrivate($0) }) == true else {
                throw VaultError(.notFound)
            }
            let outcome = try transaction.commit(draft.start, text, merged, place)
            try transaction.removeDraft(id)
            // Whoever purged the note meanwhile has no keyslot for what it is now.
            if case .created = outcome, draft.isPrivate, let note = draft.start.note {
                try transaction.tellAgain(note)
            }
            return outcome
        }
        settle(draft.start.note)
        // Somebody reads the index as it was, with the row of this draft; the next unlock removes the file.
        if !vault.isFrozen { journal.remove() }
        return outcome
    }
}

extension Drafts {
    /// Finds the texts that `commit` would have to merge now.
    ///
    /// - Returns: nil when no comparison is needed.
    /// - Throws: what `commit` throws.
    public func textsToMerge(committing id: DraftID, text bytes: [UInt8]) throws(VaultError) -> TextsToMerge? {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw VaultError(.notText) }
        guard let draft = try all().first(where: { $0.id == id }) else { throw VaultError(.noDraft) }
        return try vault.read { access in
            guard case .merge(let texts, _, _) = try access.commitPlan(draft.start, text) else { return nil }
            return texts.needsComparison ? texts : nil
        }
    }
}

/// A `CommitPlan` says what an edited text has to become.
private enum CommitPlan {
    case empty
    case create
    case unchanged
    case trash(Head)
    case save(over: Head)
    /// The note was changed meanwhile.
    case merge(TextsToMerge, base: NoteRecord?, Head)
}

extension IndexAccess {
    fileprivate func commitPlan(_ start: DraftStart, _ text: String) throws -> CommitPlan {
        let isBlank = !text.contains { !$0.isWhitespace }
        guard let note = start.note, let head = try optionalHead(of: note) else {
            // The note was purged while it was edited: its text is a note again.
            return isBlank ? .empty : .create
        }
        let base = try? start.base.map { try revision($0, of: note) }
        let isCurrent = head.id == start.base
        // Editors end a last line that had no end; that alone is no change.
        if let body = base?.body, text == body || text == body + "\n", start.joins.isEmpty { return .unchanged }
        // A book without a description is one all the same.
        if isBlank, head.record.book == nil { return isCurrent ? .trash(head) : .unchanged }
        guard !isCurrent, text != head.record.body else { return .save(over: head) }
        return .merge(
            TextsToMerge(
                base: Array((base?.body ?? "").utf8), ours: Array(text.utf8), theirs: Array(head.record.body.utf8)),
            base: base, head)
    }
}

extension Transaction {
    fileprivate func commit(
        _ start: DraftStart, _ text: String, _ merged: MergedTexts?, _ place: NewPlace?
    ) throws -> EditOutcome {
        switch try commitPlan(start, text) {
        case .empty: return .empty
        case .create: return .created(try create(start, text, place))
        case .unchanged: return .unchanged
        case .trash(let head): return .trashed(try trash(head))
        case .save(let head): return .saved(try save(text, over: head, joins: start.joins))
        case .merge(let texts, let base, let head):
            return try save(text, base: base, start, head, outcome(of: texts, known: merged))
        }
    }

    fileprivate func create(_ start: DraftStart, _ text: String, _ place: NewPlace?) throws -> NoteSummary {
        var draft = NoteDraft(body: text, title: start.title)
        draft.tags = start.tags
        draft.notebook = start.notebook
        draft.isTemplate = start.isTemplate
        var record = try NoteRecord(draft)
        if readsTags { record.readTags() }
        // A private one has its identifier and its key already.
        if let note = start.note, try isPrivate(note) { record.noteID = note }
        // A book that went to the trash meanwhile takes no note, and the text is one all the same.
        record.bookPlace = try place.flatMap { try isListedBook($0.book) ? newPlace($0) : nil }
        try apply(record, .create, replacing: nil)
        return try summary(of: record.noteID)
    }

    fileprivate func save(_ text: String, over head: Head, joins: [RevisionID]) throws -> NoteSummary {
        var record = head.record
        record.body = text
        if readsTags { record.readTags(before: head.record.body) }
        takeRoles(of: joins, into: &record, head.id)
        try saveEdited(record, over: head, parents: joins.isEmpty ? nil : [head.id] + joins)
        return try summary(of: record.noteID)
    }

    /// Joins what other versions say of books into the one that ends them.
    private func takeRoles(of joins: [RevisionID], into record: inout NoteRecord, _ head: RevisionID) {
        for join in joins {
            // One that does not open must not keep the text from being saved.
            guard let other = try? revision(join, of: record.noteID) else { continue }
            record.takeRole(of: other, base: try? commonAncestor(head, join, of: record.noteID))
        }
    }

    fileprivate func trash(_ head: Head) throws -> NoteSummary {
        var record = head.record
        record.flags.insert(.trashed)
        try apply(record, .trash, replacing: head)
        return try summary(of: record.noteID)
    }

    fileprivate func save(
        _ text: String, base: NoteRecord?, _ start: DraftStart, _ head: Head, _ merged: TextMerge.Outcome
    ) throws -> EditOutcome {
        var record = head.record
        record.modified = max(Machine.now, head.record.modified)
        // A person who writes in a note wants it, whatever became of it meanwhile.
        record.flags.remove(.trashed)
        takeRoles(of: start.joins, into: &record, head.id)
        switch merged {
        case .clean(let body):
            record.body = String(decoding: body, as: UTF8.self)
            try apply(record, .edit, replacing: head, parents: [head.id] + start.joins)
            return .merged(try summary(of: record.noteID))
        case .conflict:
            guard try otherHeads(of: record.noteID).count < Self.headCountMax - 1 else { throw VaultError(.tooLarge) }
            record.body = text
            try apply(
                record, .fork, replacing: head,
                parents: (base == nil ? [] : start.base.map { [$0] } ?? []) + start.joins)
            return .forked(try summary(of: record.noteID))
        }
    }
}

extension Drafts {
    /// Joins a note's heads when they fit together, or says what an editor has to be shown.
    ///
    /// - Parameter merged: the answer to `textsToMerge(joining:)`. If a change came in between, it does not count, and
    ///   the vault's own comparison is asked.
    /// - Returns: the note when that was all, else the text with both sides marked, to begin a draft with.
    /// - Throws: `VaultError.notFound`.
    public func joinHeads(of id: NoteID, merged: MergedTexts? = nil) throws(VaultError) -> (
        joined: NoteSummary?, marked: String?, start: DraftStart
    ) {
        try vault.change(.merge) { transaction in
            let head = try transaction.head(of: id)
            var start = DraftStart()
            start.note = id
            start.base = head.revision
            guard let other = try transaction.otherHeads(of: id).last else {
                return (try transaction.summary(of: id), nil, start)
            }
            switch try transaction.joinHeads((head.revision, head.record), other, merged) {
            case .conflict(let marked):
                start.joins = [other.id]
                return (nil, marked, start)
            case .clean(let record):
                try transaction.saveEdited(
                    record, over: (head.revision, head.record), parents: [head.revision, other.id])
                return (try transaction.summary(of: id), nil, start)
            }
        }
    }
    /// Finds the texts that `joinHeads` would have to merge now.
    ///
    /// - Returns: nil when no comparison is needed.
    /// - Throws: `VaultError.notFound`.
    public func textsToMerge(joining id: NoteID) throws(VaultError) -> TextsToMerge? {
        try vault.read { access in
            let head = try access.head(of: id)
            guard let other = try access.otherHeads(of: id).last else { return nil }
            let (texts, _) = try access.textsToJoin((head.revision, head.record), other)
            return texts.needsComparison ? texts : nil
        }
    }
}
