// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import TextMerge
public import VaultFormat

/// These functions are for copying and joining notes.
extension Notes {
    /// Makes a second note with the content of one; its own history begins.
    ///
    /// - Throws: `VaultError.notFound`, `.readOnly`, `.saveFailed`.
    public func duplicate(_ id: NoteID) throws(VaultError) -> NoteSummary {
        try vault.change(.dup) { transaction in
            guard try !transaction.isPrivate(id) else { throw VaultError(.isPrivate) }
            let original = try transaction.head(of: id).record
            var draft = NoteDraft(body: original.body, title: original.title.map { $0 + " (copy)" })
            draft.tags = original.tags
            draft.notebook = original.notebook
            draft.isTemplate = original.flags.contains(.template)
            var record = try NoteRecord(draft)
            record.role = original.role
            // A copy has no attachments.
            if var book = original.book {
                book.cover = nil
                record.book = book
            }
            try transaction.apply(record, .create, replacing: nil)
            return try transaction.summary(of: record.noteID)
        }
    }

    /// Adds the texts and tags of other notes to the first one, and moves those to the trash.
    ///
    /// - Throws: `VaultError.notFound`, `.tooLarge`, `.readOnly`, `.saveFailed`; then nothing is changed.
    public func join(_ ids: [NoteID]) throws(VaultError) -> NoteSummary {
        guard let target = ids.first else { throw VaultError(.notFound) }
        return try vault.change(.merge) { transaction in
            guard try !ids.contains(where: { try transaction.isPrivate($0) }) else { throw VaultError(.isPrivate) }
            guard try !ids.contains(where: { try transaction.isBook($0) }) else { throw VaultError(.isBook) }
            let head = try transaction.head(of: target)
            var record = head.record
            try transaction.refuseTooMuch(ids)
            for id in ids.dropFirst() {
                let other = try transaction.head(of: id)
                record.body = Self.joined(record.body, Self.text(other.record))
                record.tags = NoteNames.tags(record.tags + other.record.tags)
                var trashed = other.record
                // They go along with the text that shows them.
                let brought = trashed.attachments.filter { !record.attachments.contains($0) }
                try transaction.giveUnusedNames(brought, from: id, besides: record.attachments, of: target)
                record.attachments += brought
                trashed.attachments = []
                trashed.flags.insert(.trashed)
                if trashed != other.record {
                    try transaction.apply(trashed, .trash, replacing: (other.revision, other.record))
                }
            }
            try transaction.saveEdited(record, over: (head.revision, head.record))
            return try transaction.summary(of: target)
        }
    }
}

extension IndexAccess {
    /// Refuses notes whose texts do not fit into one note together, before anything is put together.
    fileprivate func refuseTooMuch(_ ids: [NoteID]) throws {
        let statement = try database.cachedStatement("SELECT byteCount FROM note WHERE id = ?")
        let sum = try ids.reduce(0) { $0 + (try statement.row([$1.bytes.blob])?.count("byteCount") ?? 0) }
        guard sum <= NoteRecord.bodyByteCountMax else { throw VaultError(.tooLarge) }
    }
}

extension Notes {
    /// Returns the text with the title that was set, which would be lost otherwise.
    private static func text(_ record: NoteRecord) -> String {
        record.title.map { $0 + "\n\n" + record.body } ?? record.body
    }

    /// Joins two texts with one blank line between them.
    private static func joined(_ first: String, _ second: String) -> String {
        guard !first.isEmpty else { return second }
        return first + (first.hasSuffix("\n\n") ? "" : first.hasSuffix("\n") ? "\n" : "\n\n") + second
    }

    /// `JoinedHeads` says how the heads of a note fit together.
    enum JoinedHeads {
        case clean(NoteRecord)
        case conflict(marked: String)
    }
}

extension IndexAccess {
    /// Joins a note's two heads by what they have in common.
    func joinHeads(_ shown: Head, _ other: Head, _ merged: MergedTexts?) throws -> Notes.JoinedHeads {
        let (texts, base) = try textsToJoin(shown, other)
        switch try outcome(of: texts, known: merged) {
        case .conflict(let marked): return .conflict(marked: String(decoding: marked, as: UTF8.self))
        case .clean(let body):
            var record = shown.record
            record.body = String(decoding: body, as: UTF8.self)
            record.tags = NoteNames.tags(
                FieldMerge.list(base: base?.tags ?? [], ours: shown.record.tags, theirs: other.record.tags))
            if let base {
                record.title =
                    FieldMerge.value(base: base.title, ours: shown.record.title, theirs: other.record.title).0
                record.notebook =
                    FieldMerge.value(base: base.notebook, ours: shown.record.notebook, theirs: other.record.notebook).0
            }
            record.takeRole(of: other.record, base: base)
            return .clean(record)
        }
    }

    /// Returns the texts of both heads, and what they came from.
    func textsToJoin(_ shown: Head, _ other: Head) throws -> (texts: TextsToMerge, base: NoteRecord?) {
        let base = try commonAncestor(shown.id, other.id, of: shown.record.noteID)
        let texts = TextsToMerge(
            base: Array((base?.body ?? "").utf8), ours: Array(shown.record.body.utf8),
            theirs: Array(other.record.body.utf8), ourLabel: "this one", theirLabel: "the other one")
        return (texts, base)
    }

    /// Merges texts, unless these very texts were merged before.
    func outcome(of texts: TextsToMerge, known: MergedTexts?) throws -> TextMerge.Outcome {
        if let known, known.texts == texts { return known.outcome }
        return try texts.merged(by: comparison).outcome
    }

    /// Returns the deepest revision that both came from; nil when there is none, or it was thinned out.
    func commonAncestor(_ first: RevisionID, _ second: RevisionID, of note: NoteID) throws -> NoteRecord? {
        try graph(of: note).commonAncestor(first, second).flatMap { try? revision($0, of: note) }
    }
}
