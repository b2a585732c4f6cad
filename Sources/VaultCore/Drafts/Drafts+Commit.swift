// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import TextMerge
public import VaultFormat

/// How an edited text becomes a revision.
extension Drafts {
    /// Saves what was edited and ends the draft, in one durable transaction. A note that was changed meanwhile is
    /// merged, or gets a second head: nothing is ever written over.
    ///
    /// - Throws: `VaultError.noDraft`, `.notText`, `.tooLarge`, `.readOnly`, `.saveFailed`; the draft stays then.
    public func commit(_ id: DraftID, text bytes: [UInt8], _ kind: ChangeKind = .edit) throws(VaultError) -> EditOutcome
    {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw VaultError(.notText) }
        guard let draft = try all().first(where: { $0.id == id }) else { throw VaultError(.noDraft) }
        let journal = try journal(of: id)
        let outcome = try vault.change(kind) { transaction in
            // A private note that was purged meanwhile must not come back as an ordinary one.
            guard try !draft.isPrivate || draft.start.note.map({ try transaction.isPrivate($0) }) == true else {
                throw VaultError(.notFound)
            }
            let outcome = try transaction.commit(draft.start, text)
            try transaction.removeDraft(id)
            return outcome
        }
        // Somebody reads the index as it was, with the row of this draft; the next unlock removes the file.
        if !vault.isFrozen { journal.remove() }
        return outcome
    }
}

extension Transaction {
    fileprivate func commit(_ start: DraftStart, _ text: String) throws -> EditOutcome {
        let isBlank = !text.contains { !$0.isWhitespace }
        guard let note = start.note, let head = try optionalHead(of: note) else {
            // The note was purged while it was edited: its text is a note again.
            return isBlank ? .empty : .created(try create(start, text))
        }
        let base = try? start.base.map { try revision($0, of: note) }
        let isCurrent = head.id == start.base
        // Editors end a last line that had no end; that alone is no change.
        if let body = base?.body, text == body || text == body + "\n", start.joins.isEmpty { return .unchanged }
        if isBlank {
            guard isCurrent else { return .unchanged }
            return .trashed(try trash(head))
        }
        guard !isCurrent, text != head.record.body else {
            return .saved(try save(text, over: head, joins: start.joins))
        }
        return try merge(text, base: base, start, head)
    }

    fileprivate func create(_ start: DraftStart, _ text: String) throws -> NoteSummary {
        var draft = NoteDraft(body: text, title: start.title)
        draft.tags = start.tags
        draft.notebook = start.notebook
        draft.isTemplate = start.isTemplate
        var record = try NoteRecord(draft)
        // A private one has its identifier and its key already.
        if let note = start.note, try isPrivate(note) { record.noteID = note }
        try apply(record, .create, replacing: nil)
        return try summary(of: record.noteID)
    }

    fileprivate func save(_ text: String, over head: Head, joins: [RevisionID]) throws -> NoteSummary {
        var record = head.record
        record.body = text
        try saveEdited(record, over: head, parents: joins.isEmpty ? nil : [head.id] + joins)
        return try summary(of: record.noteID)
    }

    fileprivate func trash(_ head: Head) throws -> NoteSummary {
        var record = head.record
        record.flags.insert(.trashed)
        try apply(record, .trash, replacing: head)
        return try summary(of: record.noteID)
    }

    fileprivate func merge(
        _ text: String, base: NoteRecord?, _ start: DraftStart, _ head: Head
    ) throws -> EditOutcome {
        let merged = try TextMerge.merge(
            base: Array((base?.body ?? "").utf8), ours: Array(text.utf8), theirs: Array(head.record.body.utf8),
            ourLabel: "", theirLabel: "",
            by: comparison)
        var record = head.record
        record.modified = max(Machine.now, head.record.modified)
        // Whoever writes in a note wants it, whatever became of it meanwhile.
        record.flags.remove(.trashed)
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
    /// - Returns: the note when that was all, else the text with both sides marked, to begin a draft with.
    /// - Throws: `VaultError.notFound`.
    public func joinHeads(of id: NoteID) throws(VaultError) -> (
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
            switch try transaction.joinHeads((head.revision, head.record), other) {
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
}
