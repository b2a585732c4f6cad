// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import SecretMemory
internal import VaultCore
public import VaultFormat

/// An operation that the agent carries out in an open vault.
protocol Handled: Operation {
    /// - Returns: how it ended; nil while a job continues it.
    func run(in work: RequestContext) throws(VaultError) -> Outcome?
    /// The same for operations that a secret follows.
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome?
}

extension Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        Outcome(.usage, "this is not a request of an open vault")
    }
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        Outcome(.usage, "this is not a request of an open vault")
    }
}

/// The one list of operations. It decodes requests; docs/agent-protocol.md §3 is compared with it.
public enum OperationTable {
    static let all: [any Handled.Type] = [
        ProbeVault.self, UnlockVault.self, CreateVault.self, CommitCreation.self, MeasureCost.self, ShowStatus.self,
        LockVault.self, CheckVault.self, RepairVault.self,
        CreateNote.self, AppendText.self, ReplaceText.self, ShowNotes.self, CatNotes.self, TrashNotes.self,
        RestoreNotes.self, EmptyTrash.self,
        ListNotes.self, SearchNotes.self, WatchNotes.self,
        BeginEdit.self, JournalEdit.self, CommitEdit.self, CancelEdit.self, AppendDaily.self,
        ListDrafts.self, ShowDraft.self, DiscardDrafts.self, SaveDraft.self,
        PutAttachment.self, CommitAttachments.self, DropAttachments.self, ListAttachments.self, GetAttachment.self,
        DescribeAttachment.self,
        RemoveAttachments.self, RenameAttachment.self, CaptionAttachment.self, ShowAttached.self,
        ListKeys.self, VerifyKey.self, MakeKeyFile.self, AddKey.self, RemoveKey.self, ChangeKey.self,
        PrepareRecoveryKey.self, CommitRecoveryKey.self,
        PlanRotation.self, PrepareRotation.self, BeginRotation.self, AwaitRotation.self,
        ExportNotes.self, PrepareArchive.self, WriteArchive.self, CreateBackup.self, VerifyBackup.self,
        RestoreVault.self, SalvageVault.self, PruneBackup.self, DrillBackup.self,
        MendBackup.self, CoverArchive.self,
        BeginImport.self, ImportAttachment.self, ImportNotes.self, ImportTotals.self, EndImport.self,
        ListLinks.self, LinkTarget.self, ListBacklinks.self, ShareNote.self,
        ListHistory.self, CompareRevisions.self, RevertNote.self, UndoCommands.self, RedoCommands.self,
        ThinHistory.self,
        ListTags.self, RenameTag.self, ListNotebooks.self, RenameNotebook.self, RemoveNotebook.self,
        ModifyNotes.self, DuplicateNote.self, MergeNotes.self,
        NoteState.self, ProtectNote.self, LockNotes.self, UnlockNote.self, ChangeNotePassword.self,
        RemoveNotePassword.self,
    ]

    private static let byID: [UInt8: any Handled.Type] = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// All of them, for whoever goes through the list.
    public static var operations: [any Operation.Type] { all }

    /// Reads a request frame's payload.
    ///
    /// - Throws: `FormatError` for bytes that no client of ours sends.
    public static func parse(_ payload: [UInt8]) throws(FormatError) -> (operation: any Operation, client: ClientTraits)
    {
        let (operation, client) = try handled(payload)
        return (operation, client)
    }

    static func handled(_ payload: [UInt8]) throws(FormatError) -> (operation: any Handled, client: ClientTraits) {
        var reader = ByteReader(payload)
        let client = try ClientTraits(from: &reader)
        guard let type = byID[try reader.u8()] else { throw FormatError(.unknownKind) }
        return (try type.init(from: &reader), client)
    }
}
