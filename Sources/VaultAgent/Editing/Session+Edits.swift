// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension Session {
    func began(_ edit: RunningEdit) { edits.began(edit) }
    func ended(_ edit: RunningEdit) { edits.ended(edit) }
    func isOpen(_ draft: Draft, besides folder: String? = nil) -> Bool { edits.isOpen(draft, besides: folder) }

    /// What a client's edit may still ask for when the vault is locked: to keep its text. Keys are gone but the draft's own.
    ///
    /// - Returns: the answer, and whether the edit is over with it; nil for everything that is not an edit's.
    func serveLocked(_ asked: Asked, _ edit: RunningEdit) throws(VaultError) -> (outcome: Outcome, isOver: Bool)? {
        guard case .request(.editing(let editing)) = asked else { return nil }
        switch editing {
        case .journal(let text):
            try edit.save(text)
            return (Outcome(.ok), false)
        case .commit(let text):
            try edit.save(text)
            edits.ended(edit)
            return (
                Outcome(
                    .locked, "the vault was locked meanwhile; your text is kept as a draft",
                    hint: "vault unlock, then vault draft resume \(edit.journal.id.text.prefix(6))"), true
            )
        case .cancel(let leaving):
            edits.ended(edit)
            if leaving == .forget { edit.forget() }
            guard leaving == .discard else { return (Outcome(.ok), true) }
            return (
                Outcome(.locked, "the vault was locked meanwhile; what was saved is kept as a draft", hint: "vault unlock, then vault draft ls"), true
            )
        case .begin, .appendDaily, .list, .show, .discard, .save: return nil
        }
    }
}
