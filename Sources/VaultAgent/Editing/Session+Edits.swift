// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension Session {
    func began(_ edit: RunningEdit) { edits.began(edit) }
    func ended(_ edit: RunningEdit) { edits.ended(edit) }
    func isOpen(_ draft: DraftID, besides folder: String? = nil) -> Bool { store.map { edits.isOpen(draft, $0, besides: folder) } ?? false }

    /// What a client's edit may still ask for when the vault is locked: to keep its text. Keys are gone but the draft's own.
    func serveLocked(_ request: Request, _ edit: RunningEdit) throws(VaultError) -> Outcome? {
        guard case .editing(let editing) = request else { return nil }
        switch editing {
        case .journal(let text):
            try edit.save(text)
            return Outcome(.ok)
        case .commit(let text):
            try edit.save(text)
            edits.ended(edit)
            return Outcome(
                .locked, "the vault was locked meanwhile; your text is kept as a draft",
                hint: "vault unlock, then vault draft resume \(edit.journal.id.text.prefix(6))")
        case .cancel:
            edits.ended(edit)
            return Outcome(.ok)
        case .begin, .appendDaily, .list, .show, .discard: return nil
        }
    }
}
