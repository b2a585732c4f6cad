// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension ModifyNotes: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let ids = try work.ids(refs)
        func start(_ change: NoteChange, _ kind: ChangeKind, _ word: String) -> Outcome? {
            work.start(ModifyJob(work.store, ids, change, kind, word: word))
        }
        switch change {
        case .title(let title): return start(.title(title.flatMap { $0.isEmpty ? nil : $0 }), .title, "titled")
        case .tag(let tags): return start(.tag(try names(tags)), .tag, "tagged")
        case .untag(let tags): return start(.untag(try names(tags)), .untag, "untagged")
        case .notebook(let path): return start(.notebook(path), .mv, "moved")
        case .pinned(let isSet): return start(.pinned(isSet), isSet ? .pin : .unpin, isSet ? "pinned" : "unpinned")
        case .archived(let isSet): return start(.archived(isSet), isSet ? .archive : .unarchive, isSet ? "archived" : "unarchived")
        }
    }

    private func names(_ tags: [String]) throws(VaultError) -> [String] {
        let names = NoteNames.tags(tags)
        guard !names.isEmpty else { throw VaultError(.empty) }
        return names
    }
}

extension DuplicateNote: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let original = try work.store.resolve(ref)
        work.answer.saved([try work.store.duplicate(original)], "copied")
        if try !work.store.note(original).attachments.isEmpty {
            work.connection.talk("vault: note: its attachments stay with the original")
        }
        return Outcome(.ok)
    }
}

extension MergeNotes: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        var ids: [NoteID] = []
        for id in try work.ids(refs) where !ids.contains(id) { ids.append(id) }
        guard ids.count > 1 else { return Outcome(.usage, "a note cannot be merged with itself", hint: "vault merge ID OTHER") }
        guard ids.count <= 200 else { return Outcome(.usage, "at most 200 notes are merged at once") }
        work.answer.saved([try work.store.join(ids)], "merged")
        work.answer.hint("vault undo takes it back")
        return Outcome(.ok)
    }
}
