// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Dates
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let notes: [any Handled.Type] = [
        CreateNote.self, AppendText.self, TickTask.self, ReplaceText.self, ShowNotes.self, CatNotes.self,
        TrashNotes.self,
        RestoreNotes.self, EmptyTrash.self,
    ]
}

extension CreateNote: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.reply(ChangedNotes([try work.store.notes.create(work.draft(of: note))]))
        return Outcome(.ok)
    }

    /// Makes a private one.
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        work.start(try NewPrivateJob(work, .save(note), work.notePassword(secret), showsTitle: note.showsTitle))
    }
}

extension AppendText: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        try work.edit(ref, .append) { record in
            record.body =
                isFirst
                ? Self.prepended(record.body, text, hasTitle: record.title == nil)
                : RequestContext.appended(record.body, text)
        }
    }

    /// Puts a text before the rest, on lines of its own, below a first line that is the title.
    private static func prepended(_ body: String, _ text: String, hasTitle: Bool) -> String {
        guard !body.isEmpty else { return text }
        let added = text.hasSuffix("\n") ? text : text + "\n"
        guard hasTitle, let begin = body.firstIndex(where: { !$0.isWhitespace }) else { return added + body }
        // By bytes: to Swift a carriage return and a line feed are one character.
        guard let end = body.utf8[begin...].firstIndex(of: 0x0A) else { return body + "\n" + text }
        let rest = body.utf8.index(after: end)
        return String(body[..<rest]) + added + body[rest...]
    }
}

extension TickTask: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let id = try work.store.notes.resolve(ref)
        let tasks = TaskLines.all(in: try work.store.notes.note(id).body)
        // Without a number the first one that is open.
        let number = number > 0 ? Int(number) : (tasks.firstIndex { !$0.isDone } ?? tasks.count) + 1
        guard number <= tasks.count else {
            let which = self.number > 0 ? "no task \(number)" : "no open task"
            return Outcome(.notFound, "the note has \(which)", hint: "vault todo")
        }
        guard !tasks[number - 1].isDone else {
            return Outcome(.conflict, "task \(number) is done already", hint: "vault todo")
        }
        let changed = try work.store.notes.edit(id, .edit) { record in
            var bytes = Array(record.body.utf8)
            bytes[tasks[number - 1].offset] = UInt8(ascii: "x")
            record.body = String(decoding: bytes, as: UTF8.self)
        }
        work.reply(ChangedNotes([changed]))
        return Outcome(.ok)
    }
}

extension ReplaceText: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let id = try work.store.notes.resolve(ref)
        work.reply(ChangedNotes([try work.store.notes.replaceText(of: id, with: text)]))
        return Outcome(.ok)
    }
}

extension ShowNotes: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.start(ShowJob(work.store, try work.versions(refs), withDetails: withDetails))
    }
}

extension CatNotes: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.start(ShowJob(work.store, try work.versions(refs), withDetails: withDetails))
    }
}

extension TrashNotes: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let notes =
            try templates
            ? refs.map { name throws(VaultError) in try work.store.names.template(name).id } : work.ids(refs)
        return work.start(ModifyJob(work.store, notes, .flag(.trashed, true), .rm))
    }
}

extension RestoreNotes: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.start(ModifyJob(work.store, try work.ids(refs, isInTrash: true), .flag(.trashed, false), .restore))
    }
}

extension EmptyTrash: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? { work.start(EmptyTrashJob(work.store)) }
}

extension NewNote {
    /// Finds the book that the note is to stand in.
    func place(_ store: OpenVault) throws(VaultError) -> NewPlace? {
        guard let book else { return nil }
        return NewPlace(book: try store.books.resolve(book), chapter: chapter)
    }
}

extension RequestContext {
    func draft(of note: NewNote) throws(VaultError) -> NoteDraft {
        var start = DraftStart()
        start.tags = note.tags
        start.notebook = note.notebook
        var draft = NoteDraft(body: try EditPlan.text(note, &start, store, clock), title: note.title)
        draft.tags = start.tags
        draft.notebook = start.notebook
        draft.place = try note.place(store)
        if !note.date.isEmpty { draft.created = try moment(of: note.date) }
        return draft
    }

    /// Returns a day's moment: at the time of day that it is now.
    func moment(of date: String) throws(VaultError) -> Int64 {
        guard let day = CivilDay(date, today: clock.civil) else { throw VaultError(.badDate) }
        let days = CivilCalendar.dayNumber(day.year, day.month, day.day) - clock.civil.dayNumber
        return clock.now + Int64(days) * 86_400_000
    }

    fileprivate func edit(_ ref: String, _ kind: ChangeKind, _ change: (inout NoteRecord) -> Void) throws(VaultError)
        -> Outcome
    {
        reply(ChangedNotes([try store.notes.edit(store.notes.resolve(ref), kind, change)]))
        return Outcome(.ok)
    }
}
