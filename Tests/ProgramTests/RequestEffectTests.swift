// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Testing
import VaultFormat

/// The class of each operation, written a second time by hand: a new operation does not compile without one, and one that is moved fails here.
@Suite struct RequestEffectTests {
    @Test func operationsThatReadAreNotCalledChanges() {
        let reading: [Request] = [
            .probe(directory: [], acceptRollback: false), .create(CreateOptions(directory: [])), .status, .lock,
            .show(refs: [], raw: false), .cat(refs: []), .list(ListQuery()), .search(SearchOrder(query: "")),
            .editing(.list(withDiscarded: false)),
            .editing(.show(ref: "")), .editing(.cancel(.forget)), .measureCost(targetMilliseconds: 1), .editing(.begin(.note(ref: ""), folder: "")),
            .attaching(.list(ref: "", kind: nil)), .attaching(.describe(ref: "", name: "")),
            .attaching(.drop(count: 1)), .attaching(.tell(ref: "")), .keying(.list), .keying(.verify(.password)), .keying(.newKeyFile),
            .keying(.prepareRecovery(.password)),
            .keying(.plan), .archiving(.verify(snapshot: "")), .archiving(.prepare(NewArchive())), .importing(.totals),
        ]
        for request in reading { #expect(request.effect == .nothing, "\(request)") }
        let operations: [any Operation] = [
            ListTags(), ListNotebooks(), ListHistory(), CompareRevisions(), trial, ListLinks(), LinkTarget(), ListBacklinks(), ShareNote(),
            NoteState(), LockNotes(), UnlockNote(),
        ]
        for operation in operations { #expect(operation.effect == .nothing, "\(operation)") }
    }

    @Test func operationsThatChangeSomethingNeverPromiseThatNothingWas() {
        let changing: [Request] = [
            .commitCreation, .new(NewNote(text: "")), .append(ref: "", text: ""), .replace(ref: "", text: ""), .remove(refs: []), .restore(refs: []),
            .emptyTrash, .editing(.save(ref: "")), .editing(.journal(text: [])),
            .editing(.commit(text: [])), .editing(.appendDaily(DailyNote(), text: "")), .editing(.discard(refs: [])),
            .editing(.begin(.heads(ref: ""), folder: "")),
            .attaching(.commit(ref: "")), .attaching(.remove(ref: "", names: [])), .attaching(.rename(ref: "", name: "", to: "")),
            .attaching(.caption(ref: "", name: "", to: "")), .attaching(.put(ref: "", AddedFile(name: "", kind: .file, mediaType: ""))),
            .keying(.remove(.password, ref: "")), .keying(.commitRecovery), .keying(.rotate), .importing(.notes([])), .importing(.end(ImportEnd())),
            .archiving(.restore(Restoring(directory: [], snapshot: nil, credential: .password))),
        ]
        for request in changing { #expect(request.effect == .change, "\(request)") }
        let operations: [any Operation] = [
            ModifyNotes(), DuplicateNote(), MergeNotes(), RenameTag(), RenameNotebook(), RemoveNotebook(), RevertNote(), UndoCommands(),
            RedoCommands(), ThinHistory(), ProtectNote(), ChangeNotePassword(), RemoveNotePassword(),
        ]
        for operation in operations { #expect(operation.effect == .change, "\(operation)") }
    }

    @Test func whatIsWrittenElsewhereAndUpkeepHaveClassesOfTheirOwn() {
        for request: Request in [
            .exporting(Exporting(.text, .document)), .archiving(.write), .archiving(.backup), .attaching(.get(ref: "", name: "", range: nil)),
        ] {
            #expect(request.effect == .output, "\(request)")
        }
        for request: Request in [.check(rebuildIndex: false), .check(rebuildIndex: true), .keying(.resume)] {
            #expect(request.effect == .upkeep, "\(request)")
        }
    }

    private var trial: ThinHistory {
        var options = ThinHistory()
        options.dryRun = true
        return options
    }
}
