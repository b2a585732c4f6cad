// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension DraftList.Row {
    /// - Parameter isOpen: an editor has it open now.
    init(_ draft: Draft, title: String, isOpen: Bool) {
        self.init()
        (id, note, self.title) = (draft.id.text, draft.start.note?.text, title)
        state = isOpen ? .open : draft.discarded == nil ? .left : .discarded
        stateName = isOpen ? NoteStateMachine.State.unsaved.rawValue : draft.state.rawValue
        (begun, saved, byteCount) = (draft.created, draft.text?.saved ?? draft.created, draft.text?.body.count ?? 0)
        (isLocked, isDamaged) = (draft.isLocked, draft.isDamaged)
    }
}

extension EndedEdit {
    init(_ outcome: EditOutcome) {
        switch outcome {
        case .unchanged: self.init(Ending.unchanged)
        case .empty: self.init(Ending.empty)
        case .created(let note): self.init(.created, NoteRow(note))
        case .saved(let note): self.init(.saved, NoteRow(note))
        case .merged(let note): self.init(.merged, NoteRow(note))
        case .forked(let note): self.init(.forked, NoteRow(note))
        case .trashed(let note): self.init(.trashed, NoteRow(note))
        }
    }
}
