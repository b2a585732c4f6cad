// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SearchText
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let organize: [any Handled.Type] = [ModifyNotes.self, DuplicateNote.self, MergeNotes.self]
}

extension ModifyNotes: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let ids = try work.ids(refs)
        func start(_ change: NoteChange, _ kind: ChangeKind) -> Outcome? {
            work.start(ModifyJob(work.store, ids, change, kind))
        }
        switch change {
        case .title(let title):
            for id in ids { try work.tellOfLinks(toTitleOf: id, whichBecomes: title) }
            return start(.title(title.flatMap { $0.isEmpty ? nil : $0 }), .title)
        case .tag(let tags): return start(.tag(try names(tags)), .tag)
        case .untag(let tags): return start(.untag(try names(tags)), .untag)
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
    /// Tells of the notes that will not find this one under another title.
    fileprivate func tellOfLinks(toTitleOf id: NoteID, whichBecomes title: String?) throws(VaultError) {
        let links = try store.names.backlinks(id, byTitle: true).filter { $0.id != id }
        guard !links.isEmpty else { return }
        let old = try store.notes.note(id).title
        guard title.map({ TextFold.fold($0) != TextFold.fold(old) }) ?? true else { return }
        connection.tell(Notice(.linkedByOldTitle, count: links.count, name: old))
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
