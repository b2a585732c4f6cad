// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import TextMerge
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let edits: [any Handled.Type] = [
        BeginEdit.self, JournalEdit.self, CommitEdit.self, CancelEdit.self, AppendDaily.self,
    ]
}

extension BeginEdit: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard work.connection.edit == nil else { return RequestContext.isEditing }
        guard case .heads(let ref) = target else {
            return try work.begin(try EditPlan(target, work.store, work.clock), folder: folder)
        }
        let (store, note) = (work.store, try work.store.notes.resolve(ref))
        let listed = try store.notes.listed(note)
        guard listed.isForked else {
            work.reply(EndedEdit(.unchanged, NoteRow(listed)))
            return Outcome(.ok)
        }
        return try work.make(
            MergeJob.Change(
                note: note, texts: { try? store.drafts.textsToMerge(joining: note) },
                make: { merged throws(VaultError) in
                    try work.begin(EditPlan(heads: note, store, merged), folder: folder)
                }))
    }

    /// Begins a private note that is still to be made.
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        let password = try work.notePassword(secret)
        guard work.connection.edit == nil, case .new(let note) = target else { return RequestContext.isEditing }
        let plan = try EditPlan(target, work.store, work.clock)
        return work.start(try NewPrivateJob(work, .edit(plan, folder: folder), password, showsTitle: note.showsTitle))
    }
}

extension JournalEdit: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard let edit = work.connection.edit else { return RequestContext.noEdit }
        try edit.save(text)
        return Outcome(.ok)
    }
}

extension CommitEdit: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard let edit = work.connection.edit else { return RequestContext.noEdit }
        let (store, session) = (work.store, work.session)
        let change = MergeJob.Change(
            note: edit.note, texts: { try? store.drafts.textsToMerge(committing: edit.journal.id, text: text) },
            make: { merged throws(VaultError) in try commit(edit, work, merged) },
            locked: {
                work.connection.edit = nil
                return session.endLocked(edit)
            })
        // A lock, or the end of the client, may come before the merge does.
        return try work.make(change) { () throws(VaultError) in try edit.save(text) }
    }

    private func commit(_ edit: RunningEdit, _ work: RequestContext, _ merged: MergedTexts?) throws(VaultError)
        -> Outcome
    {
        do throws(VaultError) {
            let outcome = try edit.commit(text, to: work.store, merged: merged)
            work.session.ended(edit)
            work.connection.edit = nil
            work.reply(EndedEdit(outcome))
            return Outcome(.ok)
        } catch {
            guard error.code == .notText else { throw error }
            return work.notText(edit.journal.id)
        }
    }
}

extension CancelEdit: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard let edit = work.connection.edit else { return Outcome(.ok) }
        switch leaving {
        case .discard: try work.store.drafts.discard(edit.journal.id)
        case .forget: try work.store.drafts.forget(edit.journal.id)
        case .keep: break
        }
        work.session.ended(edit)
        work.connection.edit = nil
        return Outcome(.ok)
    }
}

extension AppendDaily: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let plan = try EditPlan(.daily(day), work.store, work.clock)
        if let id = plan.start.note {
            work.reply(
                ChangedNotes([
                    try work.store.notes.edit(id, .daily) { $0.body = RequestContext.appended($0.body, text) }
                ]))
            return Outcome(.ok)
        }
        var draft = NoteDraft(
            body: RequestContext.appended(String(decoding: plan.text, as: UTF8.self), text), title: plan.start.title)
        draft.tags = plan.start.tags
        draft.notebook = plan.start.notebook
        work.reply(ChangedNotes([try work.store.notes.create(draft, .daily)]))
        return Outcome(.ok)
    }
}

extension RequestContext {
    fileprivate static let isEditing = Outcome(.usage, "an edit is already running on this connection")
    fileprivate static let noEdit = Outcome(.usage, "no edit has begun on this connection")

    /// Begins an edit, and sends its text to the client. Heads that were joined without an editor end it at once.
    ///
    /// - Parameter protecting: the key of a private note that is still to be made.
    func begin(_ plan: EditPlan, folder: String, _ protecting: NoteProtecting? = nil) throws(VaultError) -> Outcome {
        // An edit without a folder is held by its connection alone: a page has no editor's file.
        guard folder.isEmpty || EditFolderLayout.isFolder(folder) else {
            return Outcome(.usage, "this is not a folder for an edit")
        }
        if let joined = plan.joined {
            reply(EndedEdit(.merged, NoteRow(joined)))
            return Outcome(.ok)
        }
        var start = plan.start
        start.folder = folder
        let journal: DraftJournal
        if let draft = plan.resumes {
            // The client that names the folder of the editor's file is the one that edits.
            guard !session.isOpen(draft, besides: folder) else { throw VaultError(.draftIsOpen) }
            journal = try store.drafts.resume(draft.id, folder: folder)
        } else {
            tellOfDraft(of: start.note)
            if let protecting {
                journal = try store.drafts.beginPrivate(start, protecting)
                start.note = protecting.note
            } else {
                journal = try store.drafts.begin(start)
            }
            // What a new note begins with is no work of its writer.
            if start.base == nil || !start.joins.isEmpty { try begin(journal, plan.text) }
        }
        let edit = RunningEdit(journal, plan.kind, note: start.note, hasFolder: !folder.isEmpty, place: plan.place)
        connection.edit = edit
        session.began(edit)
        var text = EditText(draft: journal.id.bytes, title: plan.title, text: plan.text, origin: plan.origin)
        if let note = start.note, let found = try? store.notes.note(note) {
            text.attachmentCount = UInt32(clamping: found.attachments.count)
        }
        connection.send(.editText, text.encoded)
        return Outcome(.ok)
    }

    private func tellOfDraft(of note: NoteID?) {
        guard let note,
            let found = (try? store.drafts.all())?.first(where: { $0.start.note == note && $0.discarded == nil }),
            let draft = try? store.drafts.withText(found)
        else { return }
        if session.isOpen(draft) {
            connection.tell(Notice(.editedElsewhere))
        } else if draft.state == .recovered {
            connection.tell(Notice(.draftExists, name: String(draft.id.text.prefix(6))))
        }
    }

    /// Begins a journal with a text; one that cannot be kept leaves no draft without a text.
    private func begin(_ journal: DraftJournal, _ text: [UInt8]) throws(VaultError) {
        do throws(VaultError) {
            try journal.begin(text)
        } catch {
            try? store.drafts.discard(journal.id)
            throw error
        }
    }

    func notText(_ draft: DraftID) -> Outcome {
        Outcome(
            .usage, "what the editor saved is not UTF-8 text; it is kept as a draft",
            hint: "vault draft resume \(draft.text.prefix(6)), and save it as UTF-8")
    }
}
