// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Dates
internal import TextMerge
internal import VaultCore
internal import VaultFormat

/// `EditPlan` is what an editor is given, and what its text will be.
struct EditPlan {
    var start = DraftStart()
    var text: [UInt8] = []
    var title = ""
    var kind = ChangeKind.edit
    /// A draft that goes on.
    var resumes: Draft?
    /// Nothing has to be edited: this note is the outcome.
    var joined: NoteSummary?
    /// Where in a book a new note is to stand.
    var place: NewPlace?

    var origin: EditOrigin { resumes != nil ? .draft : start.base == nil ? .new : .note }

    init() {}

    init(_ target: EditTarget, _ store: OpenVault, _ clock: RenderingClock) throws(VaultError) {
        switch target {
        case .note(let ref): self.init(try store.notes.note(store.notes.resolve(ref)))
        case .new(let note): try self.init(note, store, clock)
        case .template(let name): try self.init(template: name, store)
        case .daily(let day): try self.init(day, store, clock)
        case .draft(let ref):
            let draft = try store.drafts.withText(store.drafts.find(ref))
            guard !draft.isLocked else { throw VaultError(.noteLocked) }
            self.init(draft)
        case .heads(let ref): try self.init(heads: store.notes.resolve(ref), store, nil)
        }
    }

    private init(_ note: Note) {
        start.note = note.id
        start.base = note.revision
        text = Array(note.body.utf8)
        title = note.title
    }

    private init(_ note: NewNote, _ store: OpenVault, _ clock: RenderingClock) throws(VaultError) {
        start.title = note.title
        start.tags = NoteNames.tags(note.tags)
        start.notebook = NoteNames.notebook(note.notebook)
        title = note.title ?? "new note"
        kind = .new
        place = try note.place(store)
        text = Array(try Self.text(note, &start, store, clock).utf8)
    }

    private init(template name: String, _ store: OpenVault) throws(VaultError) {
        do throws(VaultError) {
            self.init(try store.names.template(name))
        } catch {
            guard error.code == .noSuchName else { throw error }
            self.init()
            start.title = name
            start.isTemplate = true
            title = name
        }
        kind = .template
    }

    private init(_ daily: DailyNote, _ store: OpenVault, _ clock: RenderingClock) throws(VaultError) {
        guard let day = CivilDay(daily.date, today: clock.civil) else { throw VaultError(.badDate) }
        let notebook = NoteNames.notebook(daily.notebook)
        if let id = try store.names.note(titled: day.iso, inNotebook: notebook) {
            self.init(try store.notes.note(id))
        } else {
            self.init()
            var note = NewNote(text: "")
            note.title = day.iso
            note.notebook = notebook
            note.template = (try? store.names.template(daily.template)) == nil ? nil : daily.template
            start.title = day.iso
            start.notebook = notebook
            title = day.iso
            text = Array(try Self.text(note, &start, store, clock.at(day)).utf8)
        }
        kind = .daily
    }

    init(_ draft: Draft) {
        start = draft.start
        text = draft.text?.body ?? []
        title = draft.start.title ?? "draft"
        resumes = draft
        kind = draft.start.note == nil ? .new : .edit
    }

    /// Plans the join of a note's heads; it is made at once where their texts do not conflict.
    ///
    /// - Parameter merged: the texts of both heads, merged before.
    init(heads id: NoteID, _ store: OpenVault, _ merged: MergedTexts?) throws(VaultError) {
        let (joined, marked, start) = try store.drafts.joinHeads(of: id, merged: merged)
        self.joined = joined
        self.start = start
        text = Array((marked ?? "").utf8)
        title = try store.notes.note(id).title
        kind = .merge
    }

    /// Returns the template with its blanks filled in, then the text that was given; the template's tags and notebook
    /// count where none were given.
    static func text(_ note: NewNote, _ start: inout DraftStart, _ store: OpenVault, _ clock: RenderingClock)
        throws(VaultError) -> String
    {
        guard let name = note.template else { return note.text }
        let template = try store.names.template(name)
        guard template.protection == .none || note.isPrivate else { throw VaultError(.isPrivate) }
        start.tags = NoteNames.tags(start.tags + template.tags)
        if start.notebook.isEmpty { start.notebook = template.notebook }
        let text = try TemplateText(title: note.title ?? "", day: clock.civil).expanded(template.body)
        return note.text.isEmpty || text.isEmpty || text.hasSuffix("\n") ? text + note.text : text + "\n" + note.text
    }
}

extension RenderingClock {
    /// Now, as the reader's calendar and clock show it.
    var civil: CivilTime { CivilTime(milliseconds: now, offset: offset(now)) }

    /// Returns the same time of another day.
    func at(_ day: CivilDay) -> RenderingClock {
        guard let noon = CivilTime(day) else { return self }
        var moved = self
        moved.now += Int64(noon.dayNumber - civil.dayNumber) * 86_400_000
        return moved
    }
}
