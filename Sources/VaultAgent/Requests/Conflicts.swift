// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let conflicts: [any Handled.Type] = [ListConflicts.self, ShowConflict.self, ResolveConflict.self]
}

extension ListConflicts: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.start(try ConflictListJob(work.store))
    }
}

extension ShowConflict: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let conflict = try work.store.conflicts.conflict(of: work.store.notes.resolve(ref))
        guard conflict.versions.count > 1 else { return .noConflict }
        return work.start(try ConflictJob(work.store, conflict, byWord: byWord))
    }
}

extension ResolveConflict: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let (store, id) = (work.store, try work.store.notes.resolve(ref))
        let conflict = try store.conflicts.conflict(of: id)
        guard conflict.versions.count > 1 else { return .noConflict }
        guard let kept else {
            work.reply(ChangedNotes(try store.conflicts.keepAll(of: id)))
            return Outcome(.ok)
        }
        do throws(VaultError) {
            let version = try store.conflicts.version(kept, of: id)
            work.reply(ChangedNotes([try store.conflicts.keep(version, of: id)]))
            return Outcome(.ok)
        } catch {
            guard error.code == .noRevision else { throw error }
            return Outcome(
                .notFound, "that revision is not one of the note's versions",
                hint: "vault conflict show \(conflict.note.shortID)")
        }
    }
}

extension Outcome {
    fileprivate static var noConflict: Outcome {
        Outcome(.notFound, "this note has one version only", hint: "vault conflict ls")
    }
}

extension ConflictRow {
    init(_ conflict: Conflict) {
        self.init()
        note = NoteRow(conflict.note)
        versions = conflict.versions.map { version in
            var row = VersionRow()
            (row.revision, row.made) = (version.revision.text, version.made)
            row.device = version.device.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            (row.isOwn, row.isShown) = (version.isOwn, version.isShown)
            return row
        }
    }
}
