// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TextMerge
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let drafts: [any Handled.Type] = [ListDrafts.self, ShowDraft.self, DiscardDrafts.self, SaveDraft.self]
}

extension ListDrafts: Handled {
    /// Lists drafts with what they are of, and whether an editor has them open.
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
        let draft = try draft(try work.store.drafts.find(ref).id, work)
        guard let text = Self.text(of: draft) else { return Self.empty(draft) }
        let store = work.store
        return try work.make(
            MergeJob.Change(
                note: draft.start.note, texts: { try? store.drafts.textsToMerge(committing: draft.id, text: text) },
                make: { merged throws(VaultError) in try commit(draft.id, work, merged) }))
    }

    /// Returns a draft that can be saved: an editor may have taken it up, or its note been locked, while texts were
    /// merged.
    private func draft(_ id: DraftID, _ work: RequestContext) throws(VaultError) -> Draft {
        let draft = try work.store.drafts.withText(work.store.drafts.find(id.text))
        guard !work.session.isOpen(draft) else { throw VaultError(.draftIsOpen) }
        guard !draft.isLocked else { throw VaultError(.noteLocked) }
        guard !draft.isDamaged else { throw VaultError(.integrity) }
        return draft
    }

    /// Returns the text of a draft; nil when it is blank. A person who names a draft may not know that it is, as one
    /// who empties it in an editor does.
    private static func text(of draft: Draft) -> [UInt8]? {
        draft.text.map(\.body).flatMap { text in
            text.contains { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ? text : nil
        }
    }

    private static func empty(_ draft: Draft) -> Outcome {
        let name = String(draft.id.text.prefix(6))
        return Outcome(
            .usage, "draft \(name) is empty: there is nothing to save",
            hint: "vault draft resume \(name), or vault draft discard \(name)")
    }

    private func commit(_ id: DraftID, _ work: RequestContext, _ merged: MergedTexts?) throws(VaultError) -> Outcome {
        let draft = try draft(id, work)
        guard let text = Self.text(of: draft) else { return Self.empty(draft) }
        do throws(VaultError) {
            let kind = EditPlan(draft).kind
            work.reply(EndedEdit(try work.store.drafts.commit(id, text: text, kind, merged: merged)))
            return Outcome(.ok)
        } catch {
            guard error.code == .notText else { throw error }
            return work.notText(id)
        }
    }
}

extension DraftList.Row {
    /// Makes the row of a draft.
    ///
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
