// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Testing
import VaultFormat

@testable import VaultAgent

/// Each operation of the table as it lies on the wire, written down by hand from docs/agent-protocol.md §3.
@Suite struct OperationTableTests {
    /// "k7" with its length.
    private static let ref = "00000002 6b37"

    private static let fileKind = "0" + String(AttachmentDetails.Kind.file.rawValue, radix: 16)

    private static let samples: [(operation: any Handled, bytes: String)] =
        vaultSamples + noteSamples + otherSamples + conflictSamples + BookSamples.all

    private static let vaultSamples: [(operation: any Handled, bytes: String)] = [
        (ProbeVault(directory: [0x2F, 0x76], acceptRollback: true), "01 00000002 2f76 01 00"),
        (UnlockVault(), "02 01 00 00000384 0000012c 00007080 00 00 00"),
        (CreateVault(directory: [0x2F]), "03 00000001 2f 000003e8 01"),
        (CommitCreation(), "04"),
        (MeasureCost(targetMilliseconds: 500), "05 000001f4"),
        (ShowStatus(), "06"),
        (LockVault(), "07"),
        (CheckVault(rebuildIndex: true), "08 01"),
        (RepairVault(credential: .recoveryKey), "0e 02"),
        (ListKeys(), "40"),
        (VerifyKey(kind: .recoveryKey), "41 02"),
        (MakeKeyFile(), "42"),
        (
            AddKey(kind: .password, name: "a", new: NewCredential(.passwordAndKeyFile, kdfTargetMilliseconds: 1)),
            "43 01 00000001 61 03 00 00000001"
        ),
        (RemoveKey(kind: .password, ref: "k7"), "44 01 \(ref)"),
        (
            ChangeKey(kind: .recoveryKey, ref: "", new: NewCredential(.password, kdfTargetMilliseconds: 0)),
            "45 02 00000000 01 00 00000000"
        ),
        (PrepareRecoveryKey(kind: .password), "46 01"),
        (CommitRecoveryKey(), "47"),
        (PlanRotation(), "48"),
        (
            PrepareRotation(kind: .password, new: NewCredential(.password), dropped: [[1, 2]]),
            "49 01 01 00 000003e8 00000001 00000002 0102 00 00000000"
        ),
        (BeginRotation(revoked: "a"), "4a 00000001 61"),
        (AwaitRotation(), "4b"),
        (ExportNotes(.json, .document), "50 02 03 00000000 00 01 00 00"),
        (PrepareArchive(), "51 00 000003e8 00 00"),
        (WriteArchive(), "52"),
        (CreateBackup(), "53 00000000"),
        (VerifyBackup(snapshot: "a"), "54 00000001 61"),
        (RestoreVault(directory: [0x2F], snapshot: nil, credential: .password), "55 00000001 2f 00 01 000003e8 00 00"),
        (SalvageVault(directory: [0x2F], credential: .password), "5a 00000001 2f 01 000003e8 00"),
        (PruneBackup(), "56 00000000 00000000 00000000 00000000 00000000 00"), (DrillBackup(), "57"),
        (MendBackup(archive: "a", isTrial: true), "58 01 00000001 61 01"),
        (CoverArchive(archive: "a", percent: 10), "59 00000001 61 0000000a"),
        (AdoptVault(dryRun: true, file: "a"), "5b 01 01 00000001 61 00 01 00"),
        (
            AddRemote(name: "a", kind: .folder, place: [0x2F]),
            "a8 00000001 61 01 00000001 2f 00000000 00000000 00000000 00000000 00000000 00 00 00000000"
        ),
        (ListRemotes(), "a9"),
        (StartSignIn(of: AddRemote(name: "", kind: .dropbox, place: [0x61])), "cf 04 00000001 61 00000000 00000000"),
        (TestRemote(name: "a"), "aa 00000001 61"), (RemoveRemote(name: "a"), "ab 00000001 61"),
        (SyncNow(name: "a", acceptsRemovals: true), "ac 00000001 61 01 00"),
        (FollowKey(name: "a", credential: .recoveryKey), "af 00000001 61 02 00"), (SyncStatus(), "ad"),
        (ListDevices(), "b8"), (RenameDevice(ref: "a", name: "b"), "b9 00000001 61 00000001 62"),
        (RetireDevice(ref: "a"), "ba 00000001 61"), (PlanRevocation(ref: "a"), "b3 00000001 61"),
        (PairDevice(name: "a"), "b4 00000001 61"), (CompareSync(points: ["a"]), "bb 00000001 00000001 61"),
        (PauseRemote(name: "a", isPaused: true), "bc 00000001 61 01"),
        (SetRemote(name: "a", newName: "b", hasSecret: true), "bd 00000001 61 00000001 62 00 00 01"),
        (VerifyRemote(name: "a", repairs: true), "be 00000001 61 01"), (ShowSyncLog(limit: 5), "bf 00000005"),
        (
            CloneVault(
                directory: [0x2F], AddRemote(name: "a", kind: .folder, place: [0x2F]), credential: .password),
            "ae 00000001 2f 01 00000001 2f 00000000 00000000 00000000 00000000 00000000 00 00000000 01 00 00 00000000"
        ),
    ]

    private static let conflictSamples: [(operation: any Handled, bytes: String)] = [
        (ListConflicts(), "b0"),
        (ShowConflict(ref: "k7", byWord: true), "b1 \(ref) 01"),
        (ResolveConflict(ref: "k7", keeping: "@3"), "b2 \(ref) 01 00000002 4033"),
        (ResolveConflict(ref: "k7", keeping: nil), "b2 \(ref) 00"),
    ]

    private static let noteSamples: [(operation: any Handled, bytes: String)] = [
        (CreateNote(NewNote(text: "x")), "10 00000001 78 00 00000000 00000000 00 00 00 00 00 00000000"),
        (AppendText(ref: "k7", text: "x"), "11 \(ref) 00000001 78 00"),
        (TickTask(ref: "k7", number: 2), "1b \(ref) 00000002"),
        (ReplaceText(ref: "k7", text: ""), "12 \(ref) 00000000"),
        (ShowNotes(refs: ["k7"], raw: true, withDetails: false), "13 00000001 \(ref) 01 00"),
        (CatNotes(refs: ["k7"], withDetails: true), "14 00000001 \(ref) 01"),
        (TrashNotes(refs: []), "15 00000000 00"),
        (RestoreNotes(refs: []), "16 00000000"),
        (EmptyTrash(), "17"),
        (ListNotes(), "18 00 00 00 00 00000000 00 00 00 00 00000014 00000001"),
        (SearchNotes(query: "x"), "19 00000001 78 00000000 00 00 00000014 00000001 00"),
        (WatchNotes(since: 5, limit: 1), "1a 01 0000000000000005 00000001"),
        (BeginEdit(target: .note(ref: "k7"), folder: "/f"), "20 01 \(ref) 00000002 2f66"),
        (
            BeginEdit(target: .new(NewNote(text: "")), folder: ""),
            "20 02 00000000 00 00000000 00000000 00 00 00 00 00 00000000 00000000"
        ),
        (BeginEdit(target: .template(name: "a"), folder: ""), "20 03 00000001 61 00000000"),
        (
            BeginEdit(target: .daily(DailyNote()), folder: ""),
            "20 04 00000000 00000005 4461696c79 00000005 6461696c79 00000000"
        ),
        (BeginEdit(target: .draft(ref: "k7"), folder: ""), "20 05 \(ref) 00000000"),
        (BeginEdit(target: .heads(ref: "k7"), folder: ""), "20 06 \(ref) 00000000"),
        (JournalEdit(text: [0xFF]), "21 00000001 ff"),
        (CommitEdit(text: []), "22 00000000"),
        (CancelEdit(leaving: .keep), "23 03"),
        (AppendDaily(day: DailyNote(), text: "x"), "24 00000000 00000005 4461696c79 00000005 6461696c79 00000001 78"),
        (ListDrafts(withDiscarded: true), "28 01"),
        (ShowDraft(ref: "k7"), "29 \(ref)"),
        (DiscardDrafts(refs: []), "2a 00000000"),
        (SaveDraft(ref: "k7"), "2b \(ref)"),
        (
            PutAttachment(ref: "k7", file: AddedFile(name: "a", kind: .file, mediaType: "b")),
            "30 \(ref) 00000001 61 00000000 \(fileKind) 00000001 62 00000000 00000000 00 0000000000000000 00"
        ),
        (CommitAttachments(ref: "k7"), "31 \(ref)"),
        (DropAttachments(count: 2), "32 00000002"),
        (ListAttachments(ref: "k7", kind: nil), "33 \(ref) 00"),
        (
            GetAttachment(ref: "k7", name: "a", range: ByteRange(offset: 1, count: 2)),
            "34 \(ref) 00000001 61 01 0000000000000001 0000000000000002"
        ),
        (DescribeAttachment(ref: "k7", name: "a"), "35 \(ref) 00000001 61"),
        (RemoveAttachments(ref: "k7", names: ["a"]), "36 \(ref) 00000001 00000001 61"),
        (RenameAttachment(ref: "k7", name: "a", to: "b"), "37 \(ref) 00000001 61 00000001 62"),
        (CaptionAttachment(ref: "k7", name: "a", caption: ""), "38 \(ref) 00000001 61 00000000"),
        (ShowAttached(ref: "k7"), "39 \(ref)"),
        (ShowThumbnail(ref: "k7", name: "a"), "3A \(ref) 00000001 61"),
        (BeginImport(format: "jex", source: "a"), "60 00000003 6a6578 00000001 61 00 00 00 00"),
        (
            ImportAttachment(key: "a", file: AddedFile(name: "a", kind: .file, mediaType: "b")),
            "61 00000001 61 00000001 61 00000000 \(fileKind) 00000001 62 00000000 00000000 00 0000000000000000"
        ),
        (ImportNotes(records: [[7]]), "62 00000001 00000001 07"),
        (ImportTotals(), "63"),
        (EndImport(), "64 00000000 0000000000000000 00000000 0000000000000000 00"),
    ]

    private static let otherSamples: [(operation: any Handled, bytes: String)] = [
        (ListLinks(ref: "k7"), "80 \(ref)"),
        (LinkTarget(ref: "k7", number: 3), "81 \(ref) 00000003"),
        (ListBacklinks(ref: "k7"), "82 \(ref)"),
        (ShareNote(ref: "k7", line: 2, field: "u"), "83 \(ref) 00000002 00000001 75 00000000"),
        (ListHistory(ref: "k7"), "88 \(ref)"),
        (CompareRevisions(ref: "k7", from: "@3", to: nil, byWord: true), "89 \(ref) 01 00000002 4033 00 01"),
        (RevertNote(ref: "k7", revision: "@3"), "8a \(ref) 00000002 4033"),
        (UndoCommands(commandCount: 2, consent: .answered), "8b 00000002 02"),
        (RedoCommands(commandCount: 2), "8c 00000002"),
        (ThinHistory(), "8d 00278d00 01e13380 00"),
        (ListTags(), "90"),
        (RenameTag(from: ["a", "b"], to: "c"), "91 00000002 00000001 61 00000001 62 00000001 63"),
        (ListNotebooks(), "94"),
        (RenameNotebook(from: "a", to: "b"), "95 00000001 61 00000001 62"),
        (RemoveNotebook(name: "a", withNotes: true), "96 00000001 61 01"),
        (ModifyNotes(refs: ["k7"], change: .title("T")), "98 00000001 \(ref) 01 01 00000001 54"),
        (ModifyNotes(refs: [], change: .title(nil)), "98 00000000 01 00"),
        (ModifyNotes(refs: [], change: .tag(["a"])), "98 00000000 02 00000001 00000001 61"),
        (ModifyNotes(refs: [], change: .untag([])), "98 00000000 03 00000000"),
        (ModifyNotes(refs: [], change: .notebook("a")), "98 00000000 04 00000001 61"),
        (ModifyNotes(refs: [], change: .flag(.pinned, true)), "98 00000000 05 01"),
        (ModifyNotes(refs: [], change: .flag(.archived, false)), "98 00000000 06 00"),
        (DuplicateNote(ref: "k7"), "99 \(ref)"),
        (MergeNotes(refs: ["k7", "k7"]), "9a 00000002 \(ref) \(ref)"),
        (NoteState(ref: "k7"), "a0 \(ref)"),
        (ProtectNote(ref: "k7", showsTitle: true), "a1 \(ref) 01"),
        (LockNotes(refs: ["k7"]), "a2 00000001 \(ref)"),
        (UnlockNote(ref: "k7"), "a3 \(ref)"),
        (UnlockNotes(refs: ["k7"], notebook: "a"), "a6 00000001 \(ref) 01 00000001 61"),
        (ChangeNotePassword(ref: "k7", newKey: false), "a4 \(ref) 00"),
        (RemoveNotePassword(ref: "k7"), "a5 \(ref)"),
    ]

    private static let traitsByteCount = ShowStatus().encoded(for: ClientTraits()).count - 1

    private func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.filter { $0 != " " }
        return stride(from: 0, to: digits.count, by: 2).compactMap { at in
            let start = digits.index(digits.startIndex, offsetBy: at)
            return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
        }
    }

    private func read(_ payload: [UInt8]) throws -> any Handled {
        try OperationTable.handled(payload).operation
    }

    private func areEqual<One: Operation>(_ one: One, _ other: any Operation) -> Bool { other as? One == one }

    @Test func everyOperationHasTheBytesOfItsSpecification() throws {
        for (operation, expected) in Self.samples {
            let payload = operation.encoded(for: ClientTraits())
            #expect(Array(payload.dropFirst(Self.traitsByteCount)) == bytes(expected), "\(operation)")
            #expect(areEqual(operation, try read(payload)), "\(operation)")
        }
    }

    @Test func noOtherBytesAreAnOperation() {
        for (operation, _) in Self.samples {
            let payload = operation.encoded(for: ClientTraits())
            for count in 0..<payload.count {
                #expect(throws: FormatError.self, "\(operation) \(count)") {
                    try OperationTable.parse(Array(payload[..<count]))
                }
            }
            #expect(throws: FormatError.self, "\(operation)") { try OperationTable.parse(payload + [0]) }
        }
    }

    @Test func everyOperationHasAByteOfItsOwnAndASample() {
        let ids = OperationTable.all.map { $0.id }
        #expect(Set(ids).count == ids.count)
        #expect(Set(Self.samples.map { type(of: $0.operation).id }) == Set(ids))
    }

    @Test func aLongListOfNamesIsRefusedBeforeItIsRead() {
        let names = [String](repeating: "", count: 10_001)
        let payload = MergeNotes(refs: names).encoded(for: ClientTraits())
        let error = #expect(throws: FormatError.self) { try OperationTable.parse(payload) }
        #expect(error?.code == .tooLarge)
    }
}
