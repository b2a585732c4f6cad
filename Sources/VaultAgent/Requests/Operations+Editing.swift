// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension Operations {
    func editing(_ editing: Editing) throws(VaultError) -> Outcome? {
        switch editing {
        case .begin(let target, let folder): return try begin(target, folder: folder)
        case .journal(let text):
            guard let edit = connection.edit else { return Self.noEdit }
            try edit.save(text)
        case .commit(let text): return try commit(text)
        case .cancel(let leaving): try cancel(leaving)
        case .appendDaily(let day, let text): try appendDaily(day, text)
        case .list(let withDiscarded): answer.drafts(try drafts(withDiscarded: withDiscarded))
        case .show(let ref):
            let draft = try store.withText(store.draft(ref))
            guard !draft.isLocked else { throw VaultError(.noteLocked) }
            answer.draftText(draft.text?.body ?? [])
        case .discard(let refs): try discard(refs)
        case .save(let ref): return try save(ref)
        }
        return Outcome(.ok)
    }

    private static let noEdit = Outcome(.usage, "no edit has begun on this connection")

    private func begin(_ target: EditTarget, folder: String) throws(VaultError) -> Outcome {
        guard connection.edit == nil else { return Outcome(.usage, "an edit is already running on this connection") }
        return try begin(try EditPlan(target, store, answer.clock), folder: folder)
    }

    /// - Parameter protecting: the key of a private note that is still to be made.
    func begin(_ plan: EditPlan, folder: String, _ protecting: NoteProtecting? = nil) throws(VaultError) -> Outcome {
        guard EditFolderLayout.isFolder(folder) else { return Outcome(.usage, "this is not a folder for an edit") }
        if let joined = plan.joined {
            answer.saved([joined], "merged")
            return Outcome(.ok)
        }
        var start = plan.start
        start.folder = folder
        let journal: DraftJournal
        if let draft = plan.resumes {
            // Whoever names the folder that the editor's file lies in is the one who edits.
            guard !session.isOpen(draft, besides: folder) else { throw VaultError(.draftIsOpen) }
            journal = try store.resumeDraft(draft.id, folder: folder)
        } else {
            tellOfDraft(of: start.note)
            if let protecting {
                journal = try store.beginPrivateDraft(start, protecting)
                start.note = protecting.note
            } else {
                journal = try store.beginDraft(start)
            }
            // What a new note begins with is no work of its writer.
            if start.base == nil || !start.joins.isEmpty { try begin(journal, plan.text) }
        }
        let edit = RunningEdit(journal, plan.kind, note: start.note)
        connection.edit = edit
        session.began(edit)
        var text = EditText(draft: journal.id.bytes, title: plan.title, text: plan.text, origin: plan.origin)
        if let note = start.note, let found = try? store.note(note) { text.attachmentCount = UInt32(clamping: found.attachments.count) }
        connection.send(.editText, text.encoded)
        return Outcome(.ok)
    }

    private func tellOfDraft(of note: NoteID?) {
        guard let note, let found = (try? store.drafts())?.first(where: { $0.start.note == note && $0.discarded == nil }),
            let draft = try? store.withText(found)
        else { return }
        if session.isOpen(draft) {
            connection.talk("vault: note: this note is being edited elsewhere; changes of both will be merged")
        } else if draft.state == .recovered {
            connection.talk("vault: note: there is a recovered draft of this note: vault draft resume \(draft.id.text.prefix(6))")
        }
    }

    /// A text that cannot be kept leaves no draft without one.
    private func begin(_ journal: DraftJournal, _ text: [UInt8]) throws(VaultError) {
        do throws(VaultError) {
            try journal.begin(text)
        } catch {
            try? store.discardDraft(journal.id)
            throw error
        }
    }

    private func commit(_ text: [UInt8]) throws(VaultError) -> Outcome {
        guard let edit = connection.edit else { return Self.noEdit }
        do throws(VaultError) {
            let outcome = try edit.commit(text, to: store)
            session.ended(edit)
            connection.edit = nil
            return answer.edited(outcome)
        } catch {
            guard error.code == .notText else { throw error }
            return notText(edit.journal.id)
        }
    }

    private func cancel(_ leaving: EditLeaving) throws(VaultError) {
        guard let edit = connection.edit else { return }
        switch leaving {
        case .discard: try store.discardDraft(edit.journal.id)
        case .forget: try store.forgetDraft(edit.journal.id)
        case .keep: break
        }
        session.ended(edit)
        connection.edit = nil
    }

    private func appendDaily(_ daily: DailyNote, _ text: String) throws(VaultError) {
        let plan = try EditPlan(.daily(daily), store, answer.clock)
        if let id = plan.start.note {
            answer.saved([try store.edit(id, .daily) { $0.body = Self.appended($0.body, text) }], "saved")
            return
        }
        var draft = NoteDraft(body: Self.appended(String(decoding: plan.text, as: UTF8.self), text), title: plan.start.title)
        draft.tags = plan.start.tags
        draft.notebook = plan.start.notebook
        answer.saved([try store.create(draft, .daily)], "saved")
    }

    /// Drafts with what they are of, and whether an editor has them open.
    private func drafts(withDiscarded: Bool) throws(VaultError) -> [DraftRow] {
        var rows: [DraftRow] = []
        for found in try store.drafts() where withDiscarded || found.discarded == nil {
            let draft = try store.withText(found)
            let isOpen = session.isOpen(draft)
            guard isOpen || draft.state != .new else { continue }
            var title = draft.start.title ?? ""
            if let note = draft.start.note, let found = try? store.note(note) { title = found.title }
            rows.append(DraftRow(draft, title: title, isOpen: isOpen))
        }
        return rows
    }

    private func notText(_ draft: DraftID) -> Outcome {
        Outcome(
            .usage, "what the editor saved is not UTF-8 text; it is kept as a draft",
            hint: "vault draft resume \(draft.text.prefix(6)), and save it as UTF-8")
    }

    /// Commits a draft as an editor that ends well would.
    private func save(_ ref: String) throws(VaultError) -> Outcome {
        let draft = try store.withText(store.draft(ref))
        guard !session.isOpen(draft) else { throw VaultError(.draftIsOpen) }
        guard !draft.isLocked else { throw VaultError(.noteLocked) }
        guard !draft.isDamaged else { throw VaultError(.integrity) }
        let name = String(draft.id.text.prefix(6))
        // Of an editor that emptied its text somebody knows; whoever names a draft may not.
        guard let text = draft.text?.body, text.contains(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
            return Outcome(
                .usage, "draft \(name) is empty: there is nothing to save", hint: "vault draft resume \(name), or vault draft discard \(name)")
        }
        do throws(VaultError) {
            return answer.edited(try store.commitDraft(draft.id, text: text, EditPlan(draft).kind))
        } catch {
            guard error.code == .notText else { throw error }
            return notText(draft.id)
        }
    }

    private func discard(_ refs: [String]) throws(VaultError) {
        for ref in refs {
            let draft = try store.draft(ref)
            guard !session.isOpen(draft) else { throw VaultError(.draftIsOpen) }
            try store.discardDraft(draft.id)
        }
        answer.discarded(refs.count)
    }
}
