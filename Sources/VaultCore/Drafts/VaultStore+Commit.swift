// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import TextMerge
public import VaultFormat

/// How an edited text becomes a revision.
extension VaultStore {
    /// Saves what was edited and ends the draft, in one durable transaction. A note that was changed meanwhile is merged, or gets a second head:
    /// nothing is ever written over.
    ///
    /// - Throws: `VaultError.noDraft`, `.notText`, `.tooLarge`, `.readOnly`, `.saveFailed`; the draft stays then.
    public func commitDraft(_ id: DraftID, text bytes: [UInt8], _ kind: ChangeKind = .edit) throws(VaultError) -> EditOutcome {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw VaultError(.notText) }
        guard let draft = try drafts().first(where: { $0.id == id }) else { throw VaultError(.noDraft) }
        let journal = try journal(of: id)
        let outcome = try change(kind) { database in
            // A private note that was purged meanwhile must not come back as an ordinary one.
            guard try !draft.isPrivate || draft.start.note.map({ try self.isPrivate(database, $0) }) == true else { throw VaultError(.notFound) }
            let outcome = try self.commit(database, draft.start, text)
            try self.removeDraft(database, id)
            return outcome
        }
        // Somebody reads the index as it was, with the row of this draft; the next unlock removes the file.
        if !isFrozen { journal.remove() }
        return outcome
    }

    private func commit(_ database: Database, _ start: DraftStart, _ text: String) throws -> EditOutcome {
        let isBlank = !text.contains { !$0.isWhitespace }
        guard let note = start.note, let head = try optionalHead(database, of: note) else {
            // The note was purged while it was edited: its text is a note again.
            return isBlank ? .empty : .created(try create(database, start, text))
        }
        let base = try? start.base.map { try self.revision(database, $0, of: note) }
        let isCurrent = head.id == start.base
        // Editors end a last line that had no end; that alone is no change.
        if let body = base?.body, text == body || text == body + "\n", start.joins.isEmpty { return .unchanged }
        if isBlank {
            guard isCurrent else { return .unchanged }
            return .trashed(try trash(database, head))
        }
        guard !isCurrent, text != head.record.body else {
            return .saved(try save(database, text, over: head, joins: start.joins))
        }
        return try merge(database, text, base: base, start, head)
    }

    private func create(_ database: Database, _ start: DraftStart, _ text: String) throws -> NoteSummary {
        var draft = NoteDraft(body: text, title: start.title)
        draft.tags = start.tags
        draft.notebook = start.notebook
        draft.isTemplate = start.isTemplate
        var record = try newRecord(draft)
        // A private one has its identifier and its key already.
        if let note = start.note, try isPrivate(database, note) { record.noteID = note }
        try apply(database, record, .create, replacing: nil)
        return try summary(database, of: record.noteID)
    }

    private func save(_ database: Database, _ text: String, over head: Head, joins: [RevisionID]) throws -> NoteSummary {
        var record = head.record
        record.body = text
        try saveEdited(database, record, over: head, parents: joins.isEmpty ? nil : [head.id] + joins)
        return try summary(database, of: record.noteID)
    }

    private func trash(_ database: Database, _ head: Head) throws -> NoteSummary {
        var record = head.record
        record.flags.insert(.trashed)
        try apply(database, record, .trash, replacing: head)
        return try summary(database, of: record.noteID)
    }

    private func merge(
        _ database: Database, _ text: String, base: NoteRecord?, _ start: DraftStart, _ head: Head
    ) throws -> EditOutcome {
        let merged = try TextMerge.merge(
            base: Array((base?.body ?? "").utf8), ours: Array(text.utf8), theirs: Array(head.record.body.utf8), ourLabel: "", theirLabel: "",
            by: comparison)
        var record = head.record
        record.modified = max(Machine.now, head.record.modified)
        // Whoever writes in a note wants it, whatever became of it meanwhile.
        record.flags.remove(.trashed)
        switch merged {
        case .clean(let body):
            record.body = String(decoding: body, as: UTF8.self)
            try apply(database, record, .edit, replacing: head, parents: [head.id] + start.joins)
            return .merged(try summary(database, of: record.noteID))
        case .conflict:
            guard try otherHeads(database, of: record.noteID).count < Self.headCountMax - 1 else { throw VaultError(.tooLarge) }
            record.body = text
            try apply(database, record, .fork, replacing: head, parents: (base == nil ? [] : start.base.map { [$0] } ?? []) + start.joins)
            return .forked(try summary(database, of: record.noteID))
        }
    }

    /// Joins a note's heads when they fit together, or says what an editor has to be shown.
    ///
    /// - Returns: the note when that was all, else the text with both sides marked, to begin a draft with.
    /// - Throws: `VaultError.notFound`.
    public func joinHeads(of id: NoteID) throws(VaultError) -> (joined: NoteSummary?, marked: String?, start: DraftStart) {
        try change(.merge) { database in
            let head = try self.head(database, of: id)
            var start = DraftStart()
            start.note = id
            start.base = head.revision
            guard let other = try self.otherHeads(database, of: id).last else { return (try self.summary(database, of: id), nil, start) }
            switch try self.joinHeads(database, (head.revision, head.record), other) {
            case .conflict(let marked):
                start.joins = [other.id]
                return (nil, marked, start)
            case .clean(let record):
                try self.saveEdited(database, record, over: (head.revision, head.record), parents: [head.revision, other.id])
                return (try self.summary(database, of: id), nil, start)
            }
        }
    }
}
