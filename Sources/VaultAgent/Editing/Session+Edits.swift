// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension Session {
    func began(_ edit: RunningEdit) { edits.began(edit) }
    func ended(_ edit: RunningEdit) { edits.ended(edit) }
    func isOpen(_ draft: Draft, besides folder: String? = nil) -> Bool { edits.isOpen(draft, besides: folder) }

    /// Serves what a client's edit may still ask for when the vault is locked: to keep its text. Keys are gone but the
    /// draft's own.
    ///
    /// - Returns: the answer, and whether the edit is over with it; nil for everything that is not an edit's.
    func serveLocked(_ operation: any Handled, _ edit: RunningEdit) throws(VaultError) -> (
        outcome: Outcome, isOver: Bool
    )? {
        switch operation {
        case let journal as JournalEdit:
            try edit.save(journal.text)
            return (Outcome(.ok), false)
        case let commit as CommitEdit:
            try edit.save(commit.text)
            return (endLocked(edit), true)
        case let cancel as CancelEdit:
            edits.ended(edit)
            if cancel.leaving == .forget { edit.forget() }
            guard cancel.leaving == .discard else { return (Outcome(.ok), true) }
            return (
                Outcome(
                    .locked, "the vault was locked meanwhile; what was saved is kept as a draft",
                    hint: "vault unlock, then vault draft ls"), true
            )
        default: return nil
        }
    }

    /// Ends an edit whose text was saved, without its revision: the vault was locked.
    func endLocked(_ edit: RunningEdit) -> Outcome {
        edits.ended(edit)
        return Outcome(
            .locked, "the vault was locked meanwhile; your text is kept as a draft",
            hint: "vault unlock, then vault draft resume \(edit.journal.id.text.prefix(6))")
    }
}
