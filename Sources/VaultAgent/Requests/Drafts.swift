// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension ListDrafts: Handled {
    /// Drafts with what they are of, and whether an editor has them open.
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        var rows: [DraftList.Row] = []
        for found in try work.store.drafts.all() where withDiscarded || found.discarded == nil {
            let draft = try work.store.drafts.withText(found)
            let isOpen = work.session.isOpen(draft)
            guard isOpen || draft.state != .new else { continue }
            var title = draft.start.title ?? ""
            if let note = draft.start.note, let found = try? work.store.notes.note(note) { title = found.title }
            rows.append(DraftList.Row(draft, title: title, isOpen: isOpen))
        }
        work.reply(DraftList(rows))
        return Outcome(.ok)
    }
}

extension ShowDraft: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let draft = try work.store.drafts.withText(work.store.drafts.find(ref))
        guard !draft.isLocked else { throw VaultError(.noteLocked) }
        work.reply(DraftBody(draft.text?.body ?? []))
        return Outcome(.ok)
    }
}

extension DiscardDrafts: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        for ref in refs {
            let draft = try work.store.drafts.find(ref)
            guard !work.session.isOpen(draft) else { throw VaultError(.draftIsOpen) }
            try work.store.drafts.discard(draft.id)
        }
        work.reply(DiscardedDrafts(count: refs.count))
        return Outcome(.ok)
    }
}

extension SaveDraft: Handled {
    /// Commits a draft as an editor that ends well would.
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let draft = try work.store.drafts.withText(work.store.drafts.find(ref))
        guard !work.session.isOpen(draft) else { throw VaultError(.draftIsOpen) }
        guard !draft.isLocked else { throw VaultError(.noteLocked) }
        guard !draft.isDamaged else { throw VaultError(.integrity) }
        let name = String(draft.id.text.prefix(6))
        // Of an editor that emptied its text somebody knows; whoever names a draft may not.
        guard let text = draft.text?.body, text.contains(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
            return Outcome(
                .usage, "draft \(name) is empty: there is nothing to save",
                hint: "vault draft resume \(name), or vault draft discard \(name)")
        }
        do throws(VaultError) {
            work.reply(EndedEdit(try work.store.drafts.commit(draft.id, text: text, EditPlan(draft).kind)))
            return Outcome(.ok)
        } catch {
            guard error.code == .notText else { throw error }
            return work.notText(draft.id)
        }
    }
}
