// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// All edits that this agent knows of: those of its own clients, and those whose folder somebody else's editor still holds.
final class EditRegistry {
    private var running: [DraftID: RunningEdit] = [:]
    /// Drafts whose folder has to be looked at before the next request.
    private var watched: Set<DraftID> = []
    private var recoveredCount = 0

    /// Whether somebody writes: it holds off the idle lock.
    var isEmpty: Bool { running.isEmpty }

    func began(_ edit: RunningEdit) {
        running[edit.journal.id] = edit
        watched.remove(edit.journal.id)
    }

    func ended(_ edit: RunningEdit) { running[edit.journal.id] = nil }

    /// The client went away; its editor may still be there.
    func interrupted(_ edit: RunningEdit) {
        edit.interrupt()
        running[edit.journal.id] = nil
        watched.insert(edit.journal.id)
    }

    /// Whether an editor has a draft open, here or under another agent.
    ///
    /// - Parameter folder: one that does not count, because it is the asking editor's own.
    func isOpen(_ id: DraftID, _ store: VaultStore, besides folder: String? = nil) -> Bool {
        if running[id] != nil { return true }
        guard let draft = (try? store.drafts())?.first(where: { $0.id == id }), draft.start.folder != folder, case .inUse = EditLeftover(draft.start.folder) else { return false }
        return true
    }

    /// Looks at every draft: after an unlock.
    func lookAtAll(_ store: VaultStore) throws(VaultError) {
        watched = Set(try store.drafts().filter { $0.discarded == nil && running[$0.id] == nil }.map(\.id))
        try look(store)
    }

    /// Takes over what editors left that nobody waits for any more. Costs nothing while there is none.
    func look(_ store: VaultStore) throws(VaultError) {
        guard !watched.isEmpty, !store.isReadOnly else { return }
        for draft in try store.drafts() where watched.contains(draft.id) && draft.discarded == nil {
            switch EditLeftover(draft.start.folder) {
            case .inUse: continue
            case .gone: try settle(draft, nil, store)
            case .free(let text):
                try settle(draft, text, store)
                EditLeftover.remove(draft.start.folder)
            }
            watched.remove(draft.id)
        }
    }

    /// News for the next command; nil when there is none.
    func takeNews() -> String? {
        defer { recoveredCount = 0 }
        guard recoveredCount > 0 else { return nil }
        return "vault: note: \(recoveredCount) recovered draft\(recoveredCount == 1 ? "" : "s"): vault draft ls"
    }

    /// Keeps whatever the editor saved that is not in the journal yet. What nobody has written in is no draft.
    private func settle(_ draft: Draft, _ left: [UInt8]?, _ store: VaultStore) throws(VaultError) {
        recoveredCount += draft.isDamaged ? 1 : 0
        guard !draft.isDamaged else { return }
        let given = draft.text?.body ?? base(of: draft, store)
        let isNew = left.map { !$0.isEmpty && $0 != given } ?? false
        if draft.state == .new {
            guard isNew, let left else { return try store.discardDraft(draft.id) }
            try store.journal(of: draft.id).save(left)
        } else if isNew, let left {
            // The journal has an earlier save, or the file was cut short while it was written: both are kept.
            var start = draft.start
            start.folder = ""
            try store.beginDraft(start).save(left)
            recoveredCount += 1
        }
        recoveredCount += 1
    }

    private func base(of draft: Draft, _ store: VaultStore) -> [UInt8] {
        guard let note = draft.start.note, let base = draft.start.base, let text = try? store.text(of: base, note) else { return [] }
        return text
    }
}
