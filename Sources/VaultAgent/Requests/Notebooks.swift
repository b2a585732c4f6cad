// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let notebooks: [any Handled.Type] = [ListNotebooks.self, RenameNotebook.self, RemoveNotebook.self]
}

extension ListNotebooks: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.reply(NameList(try work.store.names.notebooks()))
        return Outcome(.ok)
    }
}

extension RenameNotebook: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let old = NoteNames.notebook(from)
        let ids = try work.store.names.notes(inNotebook: old)
        guard !ids.isEmpty else { throw VaultError(.noSuchName, reference: .notebook(from)) }
        return work.start(
            ModifyJob(
                work.store, ids, .renameNotebook(old, to: NoteNames.notebook(to)), .notebookMove, namesNotes: false))
    }
}

extension RemoveNotebook: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let path = NoteNames.notebook(name)
        let ids = try work.store.names.notes(inNotebook: path)
        guard !ids.isEmpty else { throw VaultError(.noSuchName, reference: .notebook(name)) }
        // Without their notebook they are where it was: in the one above.
        let above = path.split(separator: "/").dropLast().joined(separator: "/")
        let change: NoteChange = withNotes ? .flag(.trashed, true) : .renameNotebook(path, to: above)
        return work.start(ModifyJob(work.store, ids, change, .notebookRemove, namesNotes: false))
    }
}
