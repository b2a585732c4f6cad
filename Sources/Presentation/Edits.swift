// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol

extension BeginEdit: Presented {
    /// Prints the end of a merge that needed no editor: two versions that fit together are merged at once.
    public func present(_ reply: EndedEdit, on page: inout Page) {
        guard reply.ending != .unchanged else {
            if page.style.json { page.changed(ChangedNotes([]), "merged") }
            return page.talk("this note has only one version; nothing was changed")
        }
        if let note = reply.note { page.changed(ChangedNotes([note]), "merged") }
    }
}

extension CommitEdit: Presented {
    public func present(_ reply: EndedEdit, on page: inout Page) { page.ended(reply) }
}

extension SaveDraft: Presented {
    public func present(_ reply: EndedEdit, on page: inout Page) { page.ended(reply) }
}

extension JournalEdit: Presented {}
extension CancelEdit: Presented {}

extension Page {
    /// Tells how an edit ended.
    fileprivate mutating func ended(_ reply: EndedEdit) {
        let notes = reply.note.map { [$0] } ?? []
        if style.json {
            json(.answerOfNotes([("outcome", .string("\(reply.ending)")), ("notes", .array(notes.map { .note($0) }))]))
        }
        let shortID = reply.note?.shortID ?? "ID"
        switch reply.ending {
        case .unchanged: said("", notes, "nothing was changed")
        case .empty: said("", notes, "nothing was written; no note was made")
        case .created, .saved: said("saved", notes)
        case .merged: said("merged", notes, "vault: note: the note was changed meanwhile; both changes are in it")
        case .forked:
            said(
                "saved", notes,
                "vault: warning: the note was changed meanwhile at the same place; both versions are kept\nvault: hint: vault merge \(shortID)"
            )
        case .trashed:
            said("moved to the trash", notes, style.json ? nil : "vault: hint: vault undo, or vault restore \(shortID)")
        }
    }

    private mutating func said(_ word: String, _ notes: [NoteRow], _ line: String? = nil) {
        if !style.json { changed(notes, word) }
        if let line { talk(line) }
    }
}
