// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import TextMerge
import VaultFormat

@testable import VaultCore

/// Edits that end, are interrupted, or meet another change.
struct DraftTests {
    private let vault: TestVault
    private let store: OpenVault

    init() throws {
        vault = try TestVault()
        store = try vault.open()
    }

    private func begin(_ id: NoteID) throws -> DraftJournal {
        var start = DraftStart()
        start.note = id
        start.base = try store.notes.note(id).revision
        return try store.drafts.begin(start)
    }

    private func commit(_ journal: DraftJournal, _ text: String) throws -> EditOutcome {
        try store.drafts.commit(journal.id, text: Array(text.utf8))
    }

    @Test func whatAnEditorSavedOutlivesACrash() throws {
        let note = try store.notes.create(NoteDraft(body: "one"))
        let journal = try begin(note.id)
        try journal.save(Array("two".utf8))
        try journal.save([0xFF, 0x00, 0x41])
        let crashed = try TestVault(copying: vault, sharingPins: true)
        let opened = try crashed.open()
        let draft = try opened.drafts.withText(#require(try opened.drafts.all().first))
        #expect(draft.text?.body == [0xFF, 0x00, 0x41] && draft.text?.sequence == 2 && draft.state == .recovered)
        #expect(draft.start.note == note.id)
        #expect(try opened.notes.note(note.id).body == "one")
    }

    @Test func aJournalGoesOnWhenTheVaultIsLocked() throws {
        let note = try store.notes.create(NoteDraft(body: "one"))
        let journal = try begin(note.id)
        try store.end()
        try journal.save(Array("written while it was locked".utf8))
        let opened = try vault.open()
        #expect(
            try opened.drafts.withText(opened.drafts.all()[0]).text?.body == Array("written while it was locked".utf8))
        guard case .saved = try opened.drafts.commit(journal.id, text: Array("done".utf8)) else {
            Issue.record("not saved")
            return
        }
        #expect(try opened.drafts.all().isEmpty && opened.notes.note(note.id).body == "done")
    }

    @Test func A01aJournalThatWasChangedIsRefused() throws {
        let note = try store.notes.create(NoteDraft(body: "one"))
        let journal = try begin(note.id)
        try journal.save(Array("two".utf8))
        let file = vault.folder.appending(path: "drafts/\(journal.id.hex)")
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: file)
        let other = try begin(note.id)
        try other.save(Array("whole".utf8))
        #expect(
            try store.drafts.all().map { try store.drafts.withText($0).isDamaged }.sorted { $0 && !$1 } == [
                true, false,
            ], "the others stay readable")
        #expect(try check(store).problems.map(\.kind) == [.draft])
        try store.end()
        let opened = try vault.open()
        try opened.drafts.sweep()
        expect(.integrity) { try opened.drafts.journal(of: journal.id) }
        try opened.drafts.discard(journal.id)
        #expect(try opened.drafts.all().count { $0.discarded == nil } == 1)
    }

    @Test func A02theJournalOfAnotherDraftIsRefused() throws {
        let note = try store.notes.create(NoteDraft(body: "one"))
        let (first, second) = (try begin(note.id), try begin(note.id))
        try first.save(Array("first".utf8))
        try second.save(Array("second".utf8))
        let folder = vault.folder.appending(path: "drafts")
        try FileManager.default.removeItem(at: folder.appending(path: first.id.hex))
        try FileManager.default.copyItem(
            at: folder.appending(path: second.id.hex), to: folder.appending(path: first.id.hex))
        expect(.integrity) { try store.drafts.journal(of: first.id) }
    }

    @Test func A02theKeyAndTheJournalOfAnotherDraftAreRefused() throws {
        let note = try store.notes.create(NoteDraft(body: "one"))
        let (first, second) = (try begin(note.id), try begin(note.id))
        try first.save(Array("first".utf8))
        try second.save(Array("second".utf8))
        try store.write {
            try $0.database.execute(
                sql: "UPDATE draft SET wrapped = (SELECT wrapped FROM draft WHERE id = ?) WHERE id = ?",
                arguments: [second.id.bytes.blob, first.id.bytes.blob])
        }
        let folder = vault.folder.appending(path: "drafts")
        try FileManager.default.removeItem(at: folder.appending(path: first.id.hex))
        try FileManager.default.copyItem(
            at: folder.appending(path: second.id.hex), to: folder.appending(path: first.id.hex))
        expect(.integrity) { try store.drafts.journal(of: first.id) }
    }

    @Test func unchangedTextSavesNothing() throws {
        let note = try store.notes.create(NoteDraft(body: "one"))
        let before = try store.notes.counts().generation
        #expect(try commit(begin(note.id), "one") == .unchanged)
        #expect(try store.history.all(of: note.id).count == 1)
        #expect(try store.notes.counts().generation == before + 2, "the draft came and went")
        #expect(try FileManager.default.contentsOfDirectory(atPath: vault.folder.path + "/drafts").isEmpty)
    }

    @Test func emptiedTextGoesToTheTrash() throws {
        let note = try store.notes.create(NoteDraft(body: "one"))
        guard case .trashed = try commit(begin(note.id), " \n") else {
            Issue.record("not in the trash")
            return
        }
        #expect(try store.notes.note(note.id).body == "one" && store.notes.note(note.id).place == .trash)
        #expect(try store.history.undo(limit: 5) != nil)
        #expect(try store.notes.note(note.id).place == .live)
    }

    @Test func aChangeMadeMeanwhileIsMerged() throws {
        let note = try store.notes.create(NoteDraft(body: "a\nb\nc\nd\ne\n"))
        let journal = try begin(note.id)
        _ = try store.notes.edit(note.id) { $0.body = "A\nb\nc\nd\ne\n" }
        guard case .merged = try commit(journal, "a\nb\nc\nd\nE\n") else {
            Issue.record("not merged")
            return
        }
        #expect(try store.notes.note(note.id).body == "A\nb\nc\nd\nE\n")
        #expect(try check(store).problems.isEmpty)
    }

    @Test func textsThatWereMergedBeforeAnotherChangeDoNotCount() throws {
        let note = try store.notes.create(NoteDraft(body: "a\nb\nc\nd\ne\n"))
        let journal = try begin(note.id)
        let mine = Array("a\nb\nc\nd\nE\n".utf8)
        #expect(try store.drafts.textsToMerge(committing: journal.id, text: mine) == nil)
        _ = try store.notes.edit(note.id) { $0.body = "A\nb\nc\nd\ne\n" }
        let texts = try #require(try store.drafts.textsToMerge(committing: journal.id, text: mine))
        let merged = try texts.merged(by: store.comparison)
        _ = try store.notes.edit(note.id) { $0.body = "A\nb\nC\nd\ne\n" }
        guard case .merged = try store.drafts.commit(journal.id, text: mine, merged: merged) else {
            Issue.record("not merged")
            return
        }
        #expect(try store.notes.note(note.id).body == "A\nb\nC\nd\nE\n")
    }

    @Test func textsThatWereMergedBeforeAreNotComparedAgain() throws {
        let note = try store.notes.create(NoteDraft(body: "a\nb\nc\nd\ne\n"))
        let journal = try begin(note.id)
        let mine = Array("a\nb\nc\nd\nE\n".utf8)
        _ = try store.notes.edit(note.id) { $0.body = "A\nb\nc\nd\ne\n" }
        let texts = try #require(try store.drafts.textsToMerge(committing: journal.id, text: mine))
        let merged = try texts.merged(by: store.comparison)
        store.comparison = WholeTexts()
        guard case .merged = try store.drafts.commit(journal.id, text: mine, merged: merged) else {
            Issue.record("compared again")
            return
        }
        #expect(try store.notes.note(note.id).body == "A\nb\nc\nd\nE\n")
    }

    @Test func aChangeAtTheSamePlaceBecomesASecondHead() throws {
        let note = try store.notes.create(NoteDraft(body: "one\n"))
        let journal = try begin(note.id)
        _ = try store.notes.edit(note.id) { $0.body = "theirs\n" }
        guard case .forked(let forked) = try commit(journal, "ours\n") else {
            Issue.record("not forked")
            return
        }
        #expect(forked.isForked)
        #expect(try store.notes.note(note.id).body == "ours\n")
        let heads = try store.history.all(of: note.id).filter(\.isHead).map(\.record.body)
        #expect(Set(heads) == ["ours\n", "theirs\n"])
        #expect(try check(store).problems.isEmpty)
        #expect(try store.checks.rebuildIndex() == 1)
        #expect(try store.notes.note(note.id).isForked && store.notes.note(note.id).body == "ours\n")
        // An edit of what is shown leaves the other version alone.
        _ = try store.notes.edit(note.id) { $0.body = "ours, again\n" }
        #expect(try store.notes.note(note.id).isForked)
        #expect(try check(store).problems.isEmpty)

        let (joined, marked, start) = try store.drafts.joinHeads(of: note.id)
        #expect(joined == nil && marked?.contains("theirs") == true && marked?.contains("ours, again") == true)
        let joining = try store.drafts.begin(start)
        guard case .saved(let whole) = try commit(joining, "both\n") else {
            Issue.record("not joined")
            return
        }
        #expect(!whole.isForked)
        #expect(try check(store).problems.isEmpty)
        #expect(try store.history.undo(limit: 5) != nil)
        #expect(try store.notes.note(note.id).isForked && store.notes.note(note.id).body == "ours, again\n")
        #expect(try check(store).problems.isEmpty)
    }

    @Test func undoOfASecondHeadLeavesTheFirst() throws {
        let note = try store.notes.create(NoteDraft(body: "one\n"))
        let journal = try begin(note.id)
        _ = try store.notes.edit(note.id) { $0.body = "theirs\n" }
        _ = try commit(journal, "ours\n")
        #expect(try store.history.undo(limit: 5) != nil)
        #expect(try store.notes.note(note.id).body == "theirs\n" && !store.notes.note(note.id).isForked)
        #expect(try check(store).problems.isEmpty)
    }

    @Test func aNoteThatWasPurgedMeanwhileIsWrittenAgain() throws {
        let note = try store.notes.create(NoteDraft(body: "one"))
        let journal = try begin(note.id)
        _ = try store.notes.setTrashed(note.id, true)
        _ = try store.notes.purgeTrash(limit: 1)
        guard case .created(let again) = try commit(journal, "two") else {
            Issue.record("not created")
            return
        }
        #expect(try store.notes.note(again.id).body == "two")
    }

    @Test func aDraftThatIsThrownAwayIsKeptForADay() throws {
        let journal = try store.drafts.begin(DraftStart())
        try journal.save(Array("thrown away".utf8))
        try store.drafts.discard(journal.id)
        try store.drafts.sweep()
        #expect(try store.drafts.all().first?.state == .discarded)
        _ = try store.drafts.resume(journal.id, folder: "")
        #expect(try store.drafts.withText(store.drafts.all()[0]).state == .recovered)
        try store.drafts.discard(journal.id)
        try store.write { try $0.database.execute(sql: "UPDATE draft SET discarded = discarded - 86400001") }
        try store.drafts.sweep()
        #expect(try store.drafts.all().isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: vault.folder.path + "/drafts").isEmpty)
    }

    @Test func textThatIsNotUTF8StaysADraft() throws {
        let journal = try store.drafts.begin(DraftStart())
        try journal.save([0x61, 0xFF])
        expect(.notText) { try store.drafts.commit(journal.id, text: [0x61, 0xFF]) }
        #expect(try store.drafts.all().count == 1)
    }

    @Test func gcKeepsWhatUndoNeedsAndWhatAnOlderIndexDoesNotDate() throws {
        let note = try store.notes.create(NoteDraft(body: "0"))
        for number in 1...4 { _ = try store.notes.edit(note.id) { $0.body = "\(number)" } }
        let day: Int64 = 24 * 3600 * 1000
        let now = Machine.now
        // Four revisions of one day, forty days ago; the change that made the last of them is younger than the limit.
        try store.write { transaction in
            try transaction.database.execute(
                sql: "UPDATE revision SET made = ? WHERE rowid < 5", arguments: [now - 40 * day])
            try transaction.database.execute(
                sql: "UPDATE change SET made = ? WHERE id < 5", arguments: [now - 40 * day])
        }
        let thinning = Thinning(store, Retention(), dryRun: false, now: now)
        while try thinning.step() {}
        #expect(thinning.revisions == 3)
        #expect(try store.history.all(of: note.id).map(\.record.body) == ["4", "3"])
        #expect(try store.history.undo(limit: 5) != nil && store.notes.note(note.id).body == "3")
        #expect(try store.history.undo(limit: 5) == nil)
        #expect(try check(store).problems.isEmpty, "the chain says what was dropped")
        try store.write { try $0.database.execute(sql: "UPDATE revision SET made = 0") }
        let undated = Thinning(store, Retention(), dryRun: true, now: now)
        while try undated.step() {}
        #expect(undated.revisions == 0)
    }

    @Test func anUndoDoesNotGoOnWithAnotherCommand() throws {
        let notes = try (0..<3).map { try store.notes.create(NoteDraft(body: "n\($0)")).id }
        _ = try store.notes.modify(notes, .flag(.pinned, true), ChangeGroup(.pin))
        let step = try #require(try store.history.undo(limit: 2))
        #expect(!step.isWhole)
        let fresh = try store.notes.create(NoteDraft(body: "fresh"))
        #expect(try store.history.undo(limit: 2, continuing: step.command)?.notes.isEmpty == true)
        #expect(try store.notes.note(fresh.id).place == .live)
    }
}
