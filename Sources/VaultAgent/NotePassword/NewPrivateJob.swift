// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `NewPrivateJob` makes the key of a note that is private from its first word on, then the note, or the draft that an
/// editor begins with.
final class NewPrivateJob: Job {
    enum Purpose {
        case save(NewNote)
        case edit(EditPlan, folder: String)
    }

    private let operations: RequestContext
    private let purpose: Purpose
    private let work: Background<Result<ProtectionWork.Made, VaultError>>

    init(_ operations: RequestContext, _ purpose: Purpose, _ password: PasswordBox, showsTitle: Bool) throws(VaultError)
    {
        self.operations = operations
        self.purpose = purpose
        let store = operations.store
        let slot = ProtectionWork.NewSlot(
            note: try store.notes.newID(), vaultID: store.header.vaultID, epoch: 1, showsTitle: showsTitle,
            targetMilliseconds: store.privateNotes.passwordTargetMilliseconds)
        let plan = ProtectionWork(opening: nil, newSlot: slot)
        work = Background { goesOn in plan.run(password, nil, wait: 0, goesOn: goesOn) }
    }

    deinit { work.cancel() }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let result = work.takeResult() else { return nil }
        do throws(VaultError) {
            guard let protecting = try result.get().protecting else { preconditionFailure("a new slot was asked for") }
            switch purpose {
            case .save(let note):
                let draft = try operations.draft(of: note)
                connection.reply(ChangedNotes([try operations.store.privateNotes.create(draft, protecting)]))
                return Outcome(.ok)
            case .edit(let plan, let folder): return try operations.begin(plan, folder: folder, protecting)
            }
        } catch { return error.outcome }
    }
}
