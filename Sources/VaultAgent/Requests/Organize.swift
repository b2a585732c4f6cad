// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SearchText
internal import TextReading
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let organize: [any Handled.Type] = [ModifyNotes.self, DuplicateNote.self, MergeNotes.self]
}

extension ModifyNotes: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let ids = try work.ids(refs)
        func start(_ change: NoteChange, _ kind: ChangeKind, _ notice: Notice? = nil) -> Outcome? {
            work.start(ModifyJob(work.store, ids, change, kind, notice: notice))
        }
        switch change {
        case .title(let title):
            let title = title.flatMap { $0.isEmpty ? nil : $0 }
            return start(.title(title), .title, ids.count == 1 ? work.lostLinks(of: ids[0], titled: title) : nil)
        case .tag(let tags): return start(.tag(try names(tags)), .tag)
        case .untag(let tags):
            let gone = try names(tags)
            // One that is locked does not tell.
            if let id = ids.first, ids.count == 1, let present = try? work.store.notes.note(id).tags,
                Set(present.map(TextFold.fold)).isDisjoint(with: gone.map(TextFold.fold))
            {
                return Outcome(
                    .notFound, "the note has no such tag", hint: "vault show ID shows its tags, vault tag ls all tags")
            }
            return start(.untag(gone), .untag)
        case .notebook(let path): return start(.notebook(path), .mv)
        case .date(let day): return start(.created(try work.moment(of: day)), .date)
        case .flag(let flag, let isSet): return start(.flag(flag, isSet), ChangeKind(flag, isSet: isSet))
        }
    }

    private func names(_ tags: [String]) throws(VaultError) -> [String] {
        let names = NoteNames.tags(tags)
        guard !names.isEmpty else { throw VaultError(.empty) }
        return names
    }
}

extension RequestContext {
    /// Returns what is to be told of the notes that will not find this one under another title; nil when there are
    /// none. What cannot be read keeps nobody from the change.
    fileprivate func lostLinks(of id: NoteID, titled title: String?) -> Notice? {
        guard let note = try? store.notes.note(id), let links = try? store.names.backlinks(id, byTitle: true) else {
            return nil
        }
        let count = links.count { $0.id != id }
        let next = NoteTitle.display(title: title, body: note.body)
        guard count > 0, TextFold.fold(next) != TextFold.fold(note.title) else { return nil }
        return Notice(.linkedByOldTitle, count: count, name: note.title)
    }
}

extension DuplicateNote: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let original = try work.store.notes.resolve(ref)
        work.reply(ChangedNotes([try work.store.notes.duplicate(original)]))
        if try !work.store.notes.note(original).attachments.isEmpty {
            work.connection.tell(Notice(.attachmentsStay))
        }
        return Outcome(.ok)
    }
}

extension MergeNotes: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        var ids: [NoteID] = []
        for id in try work.ids(refs) where !ids.contains(id) { ids.append(id) }
        guard ids.count > 1 else {
            return Outcome(.usage, "a note cannot be merged with itself", hint: "vault merge ID OTHER")
        }
        guard ids.count <= 200 else { return Outcome(.usage, "at most 200 notes are merged at once") }
        work.reply(ChangedNotes([try work.store.notes.join(ids)]))
        return Outcome(.ok)
    }
}
