// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

@testable import VaultCore

/// History, revert and undo.
struct UndoTests {
    private let vault: TestVault
    private let store: VaultStore

    init() throws {
        vault = try TestVault()
        store = try vault.open()
    }

    private func undo() throws -> UndoStep? { try store.undo(limit: 50) }

    @Test func undoTakesCommandsBackOneByOne() throws {
        let note = try store.create(NoteDraft(body: "one"))
        _ = try store.edit(note.id) { $0.body = "two" }
        _ = try store.modify([note.id], .tag(["a", "b"]), ChangeGroup(.tag))
        _ = try store.modify([note.id], .notebook("x/y"), ChangeGroup(.mv))
        _ = try store.setTrashed(note.id, true)
        #expect(try undo()?.kind == "rm")
        #expect(try store.note(note.id).place == .live)
        #expect(try undo()?.kind == "mv")
        #expect(try store.note(note.id).notebook == "" && store.note(note.id).tags == ["a", "b"])
        #expect(try undo()?.kind == "tag")
        #expect(try store.note(note.id).tags == [] && store.note(note.id).body == "two")
        #expect(try undo()?.kind == "edit")
        #expect(try store.note(note.id).body == "one")
        #expect(try undo()?.kind == "new")
        #expect(try store.note(note.id).place == .trash, "what was written is not destroyed")
        #expect(try undo() == nil)
        #expect(try check(store).problems.isEmpty)
    }

    @Test func oneCommandOnManyNotesIsTakenBackWhole() throws {
        let notes = try (0..<7).map { try store.create(NoteDraft(body: "note \($0)")).id }
        let group = ChangeGroup(.tag)
        _ = try store.modify(Array(notes.prefix(4)), .tag(["t"]), group)
        _ = try store.modify(Array(notes.suffix(3)), .tag(["t"]), group)
        var steps: [UndoStep] = []
        repeat { steps.append(try #require(try store.undo(limit: 2))) } while !steps.last!.isWhole
        #expect(steps.flatMap(\.notes).count == 7 && steps.count == 4)
        #expect(try store.notes(tagged: "t").isEmpty)
        #expect(try undo()?.kind == "new")
    }

    @Test func anUndoThatWasInterruptedGoesOn() throws {
        let notes = try (0..<5).map { try store.create(NoteDraft(body: "note \($0)")).id }
        _ = try store.modify(notes, .pinned(true), ChangeGroup(.pin))
        #expect(try store.undo(limit: 2)?.isWhole == false)
        let copy = try TestVault(copying: vault, sharingPins: true)
        let opened = try copy.open()
        #expect(try opened.undo(limit: 50)?.notes.count == 3)
        #expect(try opened.list(NoteFilter(), offset: 0, limit: 10).allSatisfy { !$0.isPinned })
    }

    @Test func whatWasPurgedIsPassedOver() throws {
        let kept = try store.create(NoteDraft(body: "kept"))
        let gone = try store.create(NoteDraft(body: "gone"))
        _ = try store.setTrashed(gone.id, true)
        #expect(try store.purgeTrash(limit: 10) == 1)
        let step = try #require(try undo())
        #expect(step.notes == [kept.id] && step.kind == "new")
    }

    @Test func anImportIsUndoneAsOne() throws {
        let group = ChangeGroup(.import)
        for batch in 0..<3 {
            let drafts = (0..<4).map { number in
                var draft = NoteDraft(body: "text \(batch) \(number)")
                draft.source = "s\(batch) \(number)"
                return draft
            }
            _ = try store.importNotes(drafts, dryRun: false, group)
        }
        var count = 0
        while let step = try store.undo(limit: 5) { count += step.notes.count }
        #expect(count == 12)
        #expect(try store.counts().notes[.live] == 0)
    }

    @Test func historyNamesEachRevisionAndRevertMakesANewOne() throws {
        let note = try store.create(NoteDraft(body: "one"))
        for body in ["two", "three"] { _ = try store.edit(note.id) { $0.body = body } }
        let history = try store.history(note.id)
        #expect(history.map(\.record.body) == ["three", "two", "one"])
        #expect(history.map(\.isHead) == [true, false, false])
        #expect(try store.revision("@2", of: note.id).record.body == "one")
        #expect(try store.revision(String(history[1].id.text.prefix(8)), of: note.id).record.body == "two")
        expect(.noRevision) { try store.revision("@3", of: note.id) }
        expect(.noRevision) { try store.revision("zzzz", of: note.id) }
        expect(.noRevision) { try store.revision("@-1", of: note.id) }
        _ = try store.revert(note.id, to: history[2].id)
        #expect(try store.note(note.id).body == "one")
        #expect(try store.history(note.id).count == 4)
        #expect(try undo()?.kind == "revert")
        #expect(try store.note(note.id).body == "three")
    }

    @Test func joinedNotesKeepEveryTextAndTag() throws {
        var draft = NoteDraft(body: "first\n")
        draft.tags = ["a"]
        let first = try store.create(draft)
        var second = NoteDraft(body: "second", title: "Titled")
        second.tags = ["A", "b"]
        let other = try store.create(second)
        _ = try store.join([first.id, other.id])
        let joined = try store.note(first.id)
        #expect(joined.body == "first\n\nTitled\n\nsecond" && joined.tags == ["a", "b"])
        #expect(try store.note(other.id).place == .trash)
        #expect(try undo()?.kind == "merge")
        #expect(try store.note(first.id).body == "first\n" && store.note(other.id).place == .live)
        #expect(try check(store).problems.isEmpty)
    }

    @Test func aCopyHasItsOwnHistory() throws {
        let note = try store.create(NoteDraft(body: "text", title: "T"))
        let copy = try store.duplicate(note.id)
        #expect(copy.id != note.id && copy.title == "T (copy)")
        #expect(try store.history(copy.id).count == 1)
    }
}
