// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension Operations {
    func order(_ order: Order) throws(VaultError) -> Outcome? {
        switch order {
        case .modify(let refs, let change): return try modify(refs, change)
        case .duplicate(let ref):
            let original = try store.resolve(ref)
            answer.saved([try store.duplicate(original)], "copied")
            if try !store.note(original).attachments.isEmpty { connection.talk("vault: note: its attachments stay with the original") }
        case .join(let refs): return try join(refs)
        case .tags: return start(TagsJob(store))
        case .renameTag(let from, let to): return try renameTag(from, to)
        case .notebooks: answer.names(try store.notebooks(), "notebooks", prefix: "")
        case .renameNotebook(let from, let to): return try renameNotebook(from, to)
        case .removeNotebook(let name, let withNotes): return try removeNotebook(name, withNotes: withNotes)
        }
        return Outcome(.ok)
    }

    private func modify(_ refs: [String], _ change: FieldChange) throws(VaultError) -> Outcome? {
        let ids = try self.ids(refs)
        switch change {
        case .title(let title):
            let shown = title.flatMap { $0.isEmpty ? nil : $0 }
            return start(ModifyJob(store, ids, .title(shown), .title, word: "titled"))
        case .tag(let tags): return start(ModifyJob(store, ids, .tag(try names(tags)), .tag, word: "tagged"))
        case .untag(let tags): return start(ModifyJob(store, ids, .untag(try names(tags)), .untag, word: "untagged"))
        case .notebook(let path): return start(ModifyJob(store, ids, .notebook(path), .mv, word: "moved"))
        case .pinned(let isSet): return start(ModifyJob(store, ids, .pinned(isSet), isSet ? .pin : .unpin, word: isSet ? "pinned" : "unpinned"))
        case .archived(let isSet):
            return start(ModifyJob(store, ids, .archived(isSet), isSet ? .archive : .unarchive, word: isSet ? "archived" : "unarchived"))
        }
    }

    private func names(_ tags: [String]) throws(VaultError) -> [String] {
        let names = NoteNames.tags(tags)
        guard !names.isEmpty else { throw VaultError(.empty) }
        return names
    }

    private func join(_ refs: [String]) throws(VaultError) -> Outcome? {
        var ids: [NoteID] = []
        for id in try self.ids(refs) where !ids.contains(id) { ids.append(id) }
        guard ids.count > 1 else { return Outcome(.usage, "a note cannot be merged with itself", hint: "vault merge ID OTHER") }
        guard ids.count <= 200 else { return Outcome(.usage, "at most 200 notes are merged at once") }
        answer.saved([try store.join(ids)], "merged")
        answer.hint("vault undo takes it back")
        return Outcome(.ok)
    }

    /// Renaming to a name that is there merges the two.
    private func renameTag(_ from: [String], _ to: String) throws(VaultError) -> Outcome? {
        guard let new = NoteNames.tag(to), let old = NoteNames.tags(from).first else { throw VaultError(.empty) }
        guard from.count == 1 else { return try mergeTags(NoteNames.tags(from), into: new) }
        let ids = try store.notes(tagged: old)
        guard !ids.isEmpty else { throw VaultError(.noSuchName) }
        return start(ModifyJob(store, ids, .renameTag(old, to: new), .tagRename, word: nil))
    }

    private func mergeTags(_ old: [String], into new: String) throws(VaultError) -> Outcome? {
        var ids: [NoteID] = []
        var known: Set<NoteID> = []
        for tag in old { for id in try store.notes(tagged: tag) where known.insert(id).inserted { ids.append(id) } }
        guard !ids.isEmpty else { throw VaultError(.noSuchName) }
        return start(ModifyJob(store, ids, .mergeTags(old, into: new), .tagRename, word: nil))
    }

    private func renameNotebook(_ from: String, _ to: String) throws(VaultError) -> Outcome? {
        let old = NoteNames.notebook(from)
        let ids = try store.notes(inNotebook: old)
        guard !ids.isEmpty else { throw VaultError(.noSuchName) }
        return start(ModifyJob(store, ids, .renameNotebook(old, to: NoteNames.notebook(to)), .notebookMove, word: nil))
    }

    private func removeNotebook(_ name: String, withNotes: Bool) throws(VaultError) -> Outcome? {
        let path = NoteNames.notebook(name)
        let ids = try store.notes(inNotebook: path)
        guard !ids.isEmpty else { throw VaultError(.noSuchName) }
        // Without their notebook they are where it was: in the one above.
        let above = path.split(separator: "/").dropLast().joined(separator: "/")
        let change: NoteChange = withNotes ? .trashed(true) : .renameNotebook(path, to: above)
        return start(ModifyJob(store, ids, change, .notebookRemove, word: nil))
    }
}
