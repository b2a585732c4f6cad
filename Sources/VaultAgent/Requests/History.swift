// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let history: [any Handled.Type] = [
        ListHistory.self, CompareRevisions.self, RevertNote.self, UndoCommands.self, RedoCommands.self,
        ThinHistory.self,
    ]
}

extension ListHistory: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.reply(NoteHistory(try work.store.history.listed(of: work.store.notes.resolve(ref))))
        return Outcome(.ok)
    }
}

extension CompareRevisions: Handled {
    /// Tells what the newest revision changed when no name is given, and with one name what came after it.
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let id = try work.store.notes.resolve(ref)
        let newer = try work.store.history.revision(to ?? "@0", of: id)
        let older = try? work.store.history.revision(from ?? "@1", of: id)
        if older == nil, let from { _ = try work.store.history.revision(from, of: id) }
        return work.start(CompareJob(id, older, newer, byWord: byWord))
    }
}

extension RevertNote: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let id = try work.store.notes.resolve(ref)
        work.reply(
            ChangedNotes([try work.store.history.revert(id, to: work.store.history.revision(revision, of: id).id)]))
        return Outcome(.ok)
    }
}

extension UndoCommands: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.start(try UndoJob(work.store, commandCount: commandCount, consent))
    }
}

extension RedoCommands: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.start(UndoJob(redoing: work.store, commandCount: commandCount))
    }
}

extension ThinHistory: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? { work.start(ThinJob(work.store, self)) }
}
