// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCore
internal import VaultFormat

/// One draft as `draft ls` shows it.
struct DraftRow {
    let draft: Draft
    let title: String
    /// An editor has it open now.
    let isOpen: Bool

    init(_ draft: Draft, title: String, isOpen: Bool) {
        self.draft = draft
        self.title = title
        self.isOpen = isOpen
    }

    var id: String { String(draft.id.text.prefix(6)) }
    var state: String { isOpen ? NoteStateMachine.State.unsaved.rawValue : draft.state.rawValue }
    var saved: Int64 { draft.text?.saved ?? draft.created }
    var shownTitle: String { title.isEmpty ? "(new note)" : title }

    /// A person is told in words what to think of it.
    var remark: String {
        if isOpen { return "an editor has it open" }
        if draft.isLocked { return "of a private note: vault note unlock shows it" }
        if draft.isDamaged { return "damaged: its file was changed" }
        return draft.discarded == nil ? "" : "discarded"
    }

    var json: JSONText {
        .object([
            ("id", .string(draft.id.text)), ("note", draft.start.note.map { .string($0.text) } ?? .null), ("title", .string(title)),
            ("state", .string(state)), ("begun", .date(draft.created)), ("saved", .date(saved)),
            ("byteCount", .int(Int64(draft.text?.body.count ?? 0))), ("damaged", .bool(draft.isDamaged)),
        ])
    }
}
