// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let tags: [any Handled.Type] = [ListTags.self, RenameTag.self]
}

extension ListTags: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? { work.start(TagsJob(work.store)) }
}

extension RenameTag: Handled {
    /// Renames a tag; a new name that is there already merges the two.
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard let new = NoteNames.tag(to), let old = NoteNames.tags(from).first else { throw VaultError(.empty) }
        guard from.count == 1 else { return try merge(NoteNames.tags(from), into: new, work) }
        let ids = try work.store.names.notes(tagged: old)
        guard !ids.isEmpty else { throw VaultError(.noSuchName, reference: .tag(old)) }
        return work.start(ModifyJob(work.store, ids, .renameTag(old, to: new), .tagRename, namesNotes: false))
    }

    private func merge(_ old: [String], into new: String, _ work: RequestContext) throws(VaultError) -> Outcome? {
        var ids: [NoteID] = []
        var known: Set<NoteID> = []
        for tag in old {
            for id in try work.store.names.notes(tagged: tag) where known.insert(id).inserted { ids.append(id) }
        }
        guard !ids.isEmpty else { throw VaultError(.noSuchName) }
        return work.start(ModifyJob(work.store, ids, .mergeTags(old, into: new), .tagRename, namesNotes: false))
    }
}
