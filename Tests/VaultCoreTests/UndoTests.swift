// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat
import VaultTesting

@testable import VaultCore

/// History, revert and undo.
struct UndoTests {
    private let vault: TestVault
    private let store: OpenVault

    init() throws {
        vault = try TestVault()
        store = try vault.open()
    }

    private func undo() throws -> UndoStep? { try store.history.undo(limit: 50) }

    @Test func undoTakesCommandsBackOneByOne() throws {
        let note = try store.notes.create(NoteDraft(body: "one"))
        _ = try store.notes.edit(note.id) { $0.body = "two" }
        _ = try store.notes.modify([note.id], .tag(["a", "b"]), ChangeGroup(.tag))
        _ = try store.notes.modify([note.id], .notebook("x/y"), ChangeGroup(.mv))
        _ = try store.notes.setTrashed(note.id, true)
        #expect(try undo()?.kind == "rm")
        #expect(try store.notes.note(note.id).place == .live)
        #expect(try undo()?.kind == "mv")
        #expect(try store.notes.note(note.id).notebook == "" && store.notes.note(note.id).tags == ["a", "b"])
        #expect(try undo()?.kind == "tag")
        #expect(try store.notes.note(note.id).tags == [] && store.notes.note(note.id).body == "two")
        #expect(try undo()?.kind == "edit")
        #expect(try store.notes.note(note.id).body == "one")
        #expect(try undo()?.kind == "new")
        #expect(try store.notes.note(note.id).place == .trash, "what was written is not destroyed")
        #expect(try undo() == nil)
        #expect(try check(store).problems.isEmpty)
    }

    @Test func oneCommandOnManyNotesIsTakenBackWhole() throws {
        let notes = try (0..<7).map { try store.notes.create(NoteDraft(body: "note \($0)")).id }
        let group = ChangeGroup(.tag)
        _ = try store.notes.modify(Array(notes.prefix(4)), .tag(["t"]), group)
        _ = try store.notes.modify(Array(notes.suffix(3)), .tag(["t"]), group)
        var steps: [UndoStep] = []
        repeat { steps.append(try #require(try store.history.undo(limit: 2))) } while !steps.last!.isWhole
        #expect(steps.flatMap(\.notes).count == 7 && steps.count == 4)
        #expect(try store.names.notes(tagged: "t").isEmpty)
        #expect(try undo()?.kind == "new")
    }

    @Test func anUndoThatWasInterruptedGoesOn() throws {
        let notes = try (0..<5).map { try store.notes.create(NoteDraft(body: "note \($0)")).id }
        _ = try store.notes.modify(notes, .flag(.pinned, true), ChangeGroup(.pin))
        #expect(try store.history.undo(limit: 2)?.isWhole == false)
        let copy = try TestVault(copying: vault, sharingPins: true)
        let opened = try copy.open()
        #expect(try opened.history.undo(limit: 50)?.notes.count == 3)
        #expect(try opened.notes.list(NoteFilter(), offset: 0, limit: 10).allSatisfy { !$0.isPinned })
    }

    @Test func whatWasPurgedIsPassedOver() throws {
        let kept = try store.notes.create(NoteDraft(body: "kept"))
        let gone = try store.notes.create(NoteDraft(body: "gone"))
        _ = try store.notes.setTrashed(gone.id, true)
        #expect(try store.notes.purgeTrash(limit: 10) == 1)
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
            _ = try store.imports.save(drafts, dryRun: false, group)
        }
        var count = 0
        while let step = try store.history.undo(limit: 5) { count += step.notes.count }
        #expect(count == 12)
        #expect(try store.notes.counts().notes[.live] == 0)
    }

    @Test func historyNamesEachRevisionAndRevertMakesANewOne() throws {
        let note = try store.notes.create(NoteDraft(body: "one"))
        for body in ["two", "three"] { _ = try store.notes.edit(note.id) { $0.body = body } }
        let history = try store.history.all(of: note.id)
        #expect(history.map(\.record.body) == ["three", "two", "one"])
        #expect(history.map(\.isHead) == [true, false, false])
        #expect(try store.history.revision("@2", of: note.id).record.body == "one")
        #expect(try store.history.revision(String(history[1].id.text.prefix(8)), of: note.id).record.body == "two")
        expect(.noRevision) { try store.history.revision("@3", of: note.id) }
        expect(.noRevision) { try store.history.revision("zzzz", of: note.id) }
        expect(.noRevision) { try store.history.revision("@-1", of: note.id) }
        _ = try store.history.revert(note.id, to: history[2].id)
        #expect(try store.notes.note(note.id).body == "one")
        #expect(try store.history.all(of: note.id).count == 4)
        #expect(try undo()?.kind == "revert")
        #expect(try store.notes.note(note.id).body == "three")
    }

    @Test func joinedNotesKeepEveryTextAndTag() throws {
        var draft = NoteDraft(body: "first\n")
        draft.tags = ["a"]
        let first = try store.notes.create(draft)
        var second = NoteDraft(body: "second", title: "Titled")
        second.tags = ["A", "b"]
        let other = try store.notes.create(second)
        _ = try store.notes.join([first.id, other.id])
        let joined = try store.notes.note(first.id)
        #expect(joined.body == "first\n\nTitled\n\nsecond" && joined.tags == ["a", "b"])
        #expect(try store.notes.note(other.id).place == .trash)
        #expect(try undo()?.kind == "merge")
        #expect(try store.notes.note(first.id).body == "first\n" && store.notes.note(other.id).place == .live)
        #expect(try check(store).problems.isEmpty)
    }

    @Test func aCopyHasItsOwnHistory() throws {
        let note = try store.notes.create(NoteDraft(body: "text", title: "T"))
        let copy = try store.notes.duplicate(note.id)
        #expect(copy.id != note.id && copy.title == "T (copy)")
        #expect(try store.history.all(of: copy.id).count == 1)
    }

    // MARK: Redo

    /// What a person sees of all notes.
    private func seen() throws -> [String] {
        var all: [String] = []
        for place in [NotePlace.live, .archive, .trash, .template] {
            var filter = NoteFilter()
            filter.place = place
            for summary in try store.notes.list(filter, offset: 0, limit: 1000) {
                let note = try store.notes.note(summary.id)
                all.append(
                    "\(note.id.text) \(place) \(note.title) \(note.body) \(note.tags) \(note.notebook) \(note.isPinned) \(note.isForked)"
                )
            }
        }
        return all.sorted()
    }

    @Test func redoBringsBackWhatEachUndoTookBack() throws {
        let note = try store.notes.create(NoteDraft(body: "one"))
        var states = [try seen()]
        for change in [{ $0.body = "two" }, { $0.tags = ["a"] }, { $0.notebook = "x/y" }]
            as [(inout NoteRecord) -> Void]
        {
            _ = try store.notes.edit(note.id, .edit, change)
            states.append(try seen())
        }
        _ = try store.notes.setTrashed(note.id, true)
        states.append(try seen())
        for state in states.dropLast().reversed() {
            #expect(try undo() != nil)
            #expect(try seen() == state)
        }
        for (kind, state) in zip(["edit", "edit", "edit", "rm"], states.dropFirst()) {
            #expect(try store.history.redo()?.kind == kind)
            #expect(try seen() == state)
        }
        #expect(try store.history.redo() == nil)
        #expect(try undo()?.kind == "rm", "what was redone can be undone again")
        #expect(try seen() == states[3])
        #expect(try check(store).problems.isEmpty)
    }

    @Test func theNextChangeEndsWhatCanBeRedone() throws {
        let note = try store.notes.create(NoteDraft(body: "one"))
        _ = try store.notes.edit(note.id) { $0.body = "two" }
        _ = try undo()
        let other = try store.notes.create(NoteDraft(body: "other"))
        #expect(try store.history.redo() == nil)
        #expect(try store.notes.note(note.id).body == "one")
        #expect(try undo()?.notes == [other.id])
        #expect(try store.history.redo()?.notes == [other.id])
    }

    @Test func whatWasUndoneInPartsIsRedoneWhole() throws {
        let notes = try (0..<7).map { try store.notes.create(NoteDraft(body: "note \($0)")).id }
        let group = ChangeGroup(.tag)
        _ = try store.notes.modify(Array(notes.prefix(4)), .tag(["t"]), group)
        _ = try store.notes.modify(Array(notes.suffix(3)), .tag(["t"]), group)
        let tagged = try seen()
        while try store.history.undo(limit: 2)?.isWhole == false {}
        let untagged = try seen()
        for _ in 0..<2 {
            var step = try #require(try store.history.redo())
            var count = step.notes.count
            while !step.isWhole {
                step = try #require(try store.history.redo(continuing: step.command))
                count += step.notes.count
            }
            #expect(count == 7 && step.kind == "tag")
            #expect(try seen() == tagged)
            #expect(try store.history.redo() == nil)
            while try store.history.undo(limit: 3)?.isWhole == false {}
            #expect(try seen() == untagged)
        }
    }

    @Test func whatWasUndoneIsRedoneAfterALock() throws {
        let note = try store.notes.create(NoteDraft(body: "one"))
        _ = try store.notes.edit(note.id) { $0.body = "two" }
        _ = try undo()
        try store.end()
        let opened = try vault.open()
        #expect(try opened.history.redo()?.notes == [note.id])
        #expect(try opened.notes.note(note.id).body == "two")
    }

    @Test func aSecondHeadThatWasUndoneComesBack() throws {
        let note = try store.notes.create(NoteDraft(body: "one\n"))
        var start = DraftStart()
        start.note = note.id
        start.base = try store.notes.note(note.id).revision
        let journal = try store.drafts.begin(start)
        _ = try store.notes.edit(note.id) { $0.body = "theirs\n" }
        guard case .forked = try store.drafts.commit(journal.id, text: Array("ours\n".utf8)) else {
            Issue.record("no second head")
            return
        }
        _ = try undo()
        #expect(try store.notes.note(note.id).isForked == false)
        _ = try store.history.redo()
        #expect(try store.notes.note(note.id).isForked)
        #expect(
            try store.history.all(of: note.id).filter(\.isHead).map(\.record.body).sorted() == ["ours\n", "theirs\n"])
        #expect(try check(store).problems.isEmpty)
    }

    @Test(arguments: [1, 2, 3, 4]) func anyNumberOfUndosAndRedosComesBackToTheSame(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        let notes = try (0..<4).map { try store.notes.create(NoteDraft(body: "note \($0)")).id }
        var states = [try seen()]
        for number in 0..<25 {
            let note = notes[Int(random.next() % 4)]
            switch random.next() % 5 {
            case 0: _ = try store.notes.edit(note) { $0.body += " \(number)" }
            case 1: _ = try store.notes.modify([note], .tag(["t\(number)"]), ChangeGroup(.tag))
            case 2: _ = try store.notes.modify(notes, .notebook("n\(number)"), ChangeGroup(.mv))
            case 3: _ = try store.notes.setTrashed(note, try !store.notes.note(note).isTrashed)
            default:
                let isPinned = try store.notes.note(note).isPinned
                _ = try store.notes.modify([note], .flag(.pinned, !isPinned), ChangeGroup(.pin))
            }
            states.append(try seen())
        }
        var at = states.count - 1
        for _ in 0..<60 {
            if random.next() % 5 < 3, at > 0 {
                var step = try #require(try store.history.undo(limit: 2))
                while !step.isWhole { step = try #require(try store.history.undo(limit: 2, continuing: step.command)) }
                at -= 1
            } else if at < states.count - 1 {
                var step = try #require(try store.history.redo())
                while !step.isWhole { step = try #require(try store.history.redo(continuing: step.command)) }
                at += 1
            }
            #expect(try seen() == states[at])
        }
        #expect(try check(store).problems.isEmpty)
    }

    @Test func aPreviewTellsWhatWouldLeaveTheListAndWritesNothing() throws {
        let kept = try store.notes.create(NoteDraft(body: "kept"))
        let young = try store.notes.create(NoteDraft(body: "young"))
        _ = try store.notes.edit(kept.id) { $0.body = "kept, and more" }
        _ = try store.notes.setTrashed(young.id, true)
        _ = try store.notes.setTrashed(young.id, false)
        func preview(_ count: Int) throws -> UndoPreview {
            let preview = try UndoPreview(store, commandCount: count)
            while try preview.step() {}
            return preview
        }
        let before = try store.notes.counts().generation
        #expect(try preview(1).commands.map(\.kind) == ["restore"] && preview(1).leavingCount == 1)
        #expect(try preview(2).leavingCount == 0, "rm and restore together change nothing")
        #expect(
            try preview(3).commands.map(\.notes) == [[young.id], [young.id], [kept.id]] && preview(3).leavingCount == 0)
        #expect(try preview(500).commands.count == 5 && preview(500).leavingCount == 2)
        #expect(try store.notes.counts().generation == before)
    }
}
