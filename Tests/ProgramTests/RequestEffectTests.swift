// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Testing
import VaultFormat

/// The effect of each operation, written a second time by hand: one that is given another effect fails here.
@Suite struct RequestEffectTests {
    @Test func operationsThatReadAreNotCalledChanges() {
        var trial = ThinHistory()
        trial.dryRun = true
        let look = AdoptVault(dryRun: true)
        let reading: [any Operation] = [
            ProbeVault(), CreateVault(), ShowStatus(), LockVault(), MeasureCost(), ShowNotes(), CatNotes(), ListNotes(),
            SearchNotes(),
            ListDrafts(), ShowDraft(), CancelEdit(), BeginEdit(), ListTags(), ListNotebooks(), ListHistory(),
            CompareRevisions(), ListConflicts(), ShowConflict(), trial, look,
            ListLinks(), LinkTarget(), ListBacklinks(), ShareNote(), NoteState(), LockNotes(), UnlockNote(), UnlockNotes(),
            PutAttachment(), ListAttachments(), DescribeAttachment(), DropAttachments(), ShowAttached(),
            ListKeys(), VerifyKey(), MakeKeyFile(), PrepareRecoveryKey(), PlanRotation(), PrepareRotation(),
            VerifyBackup(), DrillBackup(), PrepareArchive(), ListRemotes(), TestRemote(), SyncStatus(), ImportTotals(),
            ListDevices(), PlanRevocation(), CompareSync(), ShowSyncLog(), VerifyRemote(),
            BeginImport(), ImportAttachment(),
        ]
        for operation in reading { #expect(operation.effect == .nothing, "\(operation)") }
    }

    @Test func operationsThatChangeSomethingNeverPromiseThatNothingWas() {
        let changing: [any Operation] = [
            CommitCreation(), CreateNote(), AppendText(), TickTask(), ReplaceText(), TrashNotes(), RestoreNotes(), EmptyTrash(),
            ResolveConflict(),
            ModifyNotes(), DuplicateNote(), MergeNotes(), RenameTag(), RenameNotebook(), RemoveNotebook(),
            RevertNote(), UndoCommands(), RedoCommands(), ThinHistory(),
            SaveDraft(), JournalEdit(), CommitEdit(), AppendDaily(), DiscardDrafts(),
            BeginEdit(target: .heads(ref: ""), folder: ""),
            ProtectNote(), ChangeNotePassword(), RemoveNotePassword(),
            CommitAttachments(), RemoveAttachments(), RenameAttachment(), CaptionAttachment(),
            AddKey(), RemoveKey(), ChangeKey(), CommitRecoveryKey(), BeginRotation(),
            ImportNotes(), EndImport(), RestoreVault(), SalvageVault(), AdoptVault(), CloneVault(),
        ]
        for operation in changing { #expect(operation.effect == .change, "\(operation)") }
    }

    @Test func whatIsWrittenElsewhereAndUpkeepHaveEffectsOfTheirOwn() {
        let outputs: [any Operation] = [
            ExportNotes(), WriteArchive(), CreateBackup(), PruneBackup(), MendBackup(), CoverArchive(), GetAttachment(),
            VerifyRemote(name: "", repairs: true),
        ]
        for operation in outputs { #expect(operation.effect == .output, "\(operation)") }
        let upkeep: [any Operation] = [
            CheckVault(rebuildIndex: false), CheckVault(rebuildIndex: true), AwaitRotation(), UnlockVault(),
            RepairVault(), AddRemote(), RemoveRemote(), SyncNow(), RenameDevice(), RetireDevice(), PauseRemote(),
            SetRemote(), PairDevice(),
        ]
        for operation in upkeep { #expect(operation.effect == .upkeep, "\(operation)") }
    }
}
