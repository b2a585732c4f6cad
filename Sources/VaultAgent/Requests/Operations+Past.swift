// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TextMerge
internal import VaultCore
internal import VaultFormat

extension Operations {
    func past(_ past: Past) throws(VaultError) -> Outcome? {
        switch past {
        case .history(let ref): answer.history(try store.history(store.resolve(ref)))
        case .diff(let ref, let from, let to): try diff(store.resolve(ref), from, to)
        case .revert(let ref, let revision):
            let id = try store.resolve(ref)
            answer.saved([try store.revert(id, to: store.revision(revision, of: id).id)], "reverted")
            answer.hint("vault undo takes it back")
        case .undo(let commandCount, let consent): return start(try UndoJob(store, commandCount: commandCount, consent))
        case .redo(let commandCount): return start(UndoJob(redoing: store, commandCount: commandCount))
        case .thin(let options): return start(ThinJob(store, options))
        }
        return Outcome(.ok)
    }

    /// Without names: what the newest revision changed; with one: what came after it.
    private func diff(_ id: NoteID, _ from: String?, _ to: String?) throws(VaultError) {
        let newer = try store.revision(to ?? "@0", of: id)
        guard let older = try? store.revision(from ?? "@1", of: id) else {
            if let from { _ = try store.revision(from, of: id) }
            return try answer.diff(nil, newer)
        }
        try answer.diff(older, newer)
    }
}
