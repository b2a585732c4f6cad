// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultFormat

@testable import VaultCore

/// `vault adopt`: notes of another copy of the vault, which has another history.
struct AdoptionTests {
    private static func two(_ body: String = "common") throws -> (TwoCopies, NoteID) {
        var note: NoteID?
        let copies = try TwoCopies { note = try $0.notes.create(NoteDraft(body: body)).id }
        return (copies, try #require(note))
    }

    @Test func aNoteThatOnlyTheOtherHasComesWithItsHistoryAndItsPlace() throws {
        let (copies, common) = try Self.two()
        var added: NoteID?
        try copies.there { store in
            var draft = NoteDraft(body: "first")
            (draft.tags, draft.notebook) = (["red"], "Home/Kitchen")
            let note = try store.notes.create(draft).id
            _ = try store.notes.edit(note) { $0.body = "second" }
            _ = try store.notes.modify([note], .flag(.pinned, true), ChangeGroup(.pin))
            added = note
        }
        let store = try copies.ours.open()
        let report = try copies.adopt(store)
        let note = try store.notes.note(try #require(added))
        #expect(note.body == "second" && note.tags == ["red"] && note.notebook == "Home/Kitchen" && note.isPinned)
        #expect(try store.history.revisions(of: note.id).count == 3)
        #expect(report.count(.added) == 1 && report.unchangedCount == 1 && report.isComplete)
        #expect(try store.search.find("second", limit: 5, page: 1, snippetColumns: 40).hits.count == 1)
        #expect(try store.body(common) == "common")
    }

    @Test func whatOnlyOneHasChangedIsItsNewerText() throws {
        let (copies, note) = try Self.two()
        var other: NoteID?
        try copies.here { store in other = try store.notes.create(NoteDraft(body: "ours")).id }
        try copies.there { store in
            _ = try store.notes.edit(note) { $0.body = "newer" }
            _ = try store.notes.edit(note) { $0.body = "newest" }
        }
        let store = try copies.ours.open()
        let report = try copies.adopt(store)
        #expect(try store.versions(note) == ["newest"] && store.body(#require(other)) == "ours")
        #expect(report.count(.updated) == 1 && report.count(.twoVersions) == 0)
        #expect(report.onlyHere.map(\.id) == [other])
    }

    @Test func aNoteThatBothChangedHasTwoVersionsThatCanBeMerged() throws {
        let (copies, note) = try Self.two("a\nb\nc\nd\ne\n")
        try copies.here { store in _ = try store.notes.edit(note) { $0.body = "A\nb\nc\nd\ne\n" } }
        try copies.there { store in
            _ = try store.notes.edit(note) { $0.body = "a\nb\nc\nd\nX\n" }
            _ = try store.notes.edit(note) { $0.body = "a\nb\nc\nd\nE\n" }
        }
        let store = try copies.ours.open()
        let report = try copies.adopt(store)
        #expect(try store.versions(note) == ["A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n"])
        #expect(report.count(.twoVersions) == 1 && report.isComplete)
        let joined = try store.read { index in
            let shown = try index.head(of: note)
            return try index.joinHeads((shown.revision, shown.record), index.otherHeads(of: note)[0], nil)
        }
        guard case .clean(let record) = joined else {
            Issue.record("the two texts fit together")
            return
        }
        #expect(record.body == "A\nb\nc\nd\nE\n")
    }

    @Test func theSameChangeInBothIsOneVersion() throws {
        let (copies, note) = try Self.two()
        try copies.here { store in _ = try store.notes.edit(note) { $0.body = "same" } }
        try copies.there { store in
            _ = try store.notes.edit(note) { $0.body = "on the way" }
            _ = try store.notes.edit(note) { $0.body = "same" }
        }
        let store = try copies.ours.open()
        let report = try copies.adopt(store)
        #expect(try store.versions(note) == ["same"] && report.count(.updated) == 1)
    }

    @Test func anEditWinsOverTheTrashWhereverItWasMade() throws {
        let (copies, note) = try Self.two()
        try copies.here { store in _ = try store.notes.edit(note) { $0.body = "edited" } }
        try copies.there { store in _ = try store.notes.setTrashed(note, true) }
        let store = try copies.ours.open()
        #expect(try copies.adopt(store).count(.twoVersions) == 0)
        #expect(try store.versions(note) == ["edited"] && store.notes.note(note).place == .live)
        try store.end()
        let (swapped, same) = try Self.two()
        try swapped.here { store in _ = try store.notes.setTrashed(same, true) }
        try swapped.there { store in _ = try store.notes.edit(same) { $0.body = "edited" } }
        let again = try swapped.ours.open()
        #expect(try swapped.adopt(again).count(.updated) == 1)
        #expect(try again.versions(same) == ["edited"] && again.notes.note(same).place == .live)
    }

    @Test func aTextThatWasChangedAndThrownAwayStandsBesideTheOneInUse() throws {
        let (copies, note) = try Self.two()
        try copies.here { store in _ = try store.notes.edit(note) { $0.body = "ours" } }
        try copies.there { store in
            _ = try store.notes.edit(note) { $0.body = "theirs" }
            _ = try store.notes.setTrashed(note, true)
        }
        let store = try copies.ours.open()
        _ = try copies.adopt(store)
        #expect(try store.versions(note) == ["ours", "theirs"] && store.notes.note(note).place == .live)
    }

    @Test func whatOnlyTheOtherThrewAwayGoesToTheTrash() throws {
        let (copies, note) = try Self.two()
        try copies.there { store in _ = try store.notes.setTrashed(note, true) }
        let store = try copies.ours.open()
        #expect(try copies.adopt(store).count(.updated) == 1)
        #expect(try store.notes.note(note).place == .trash)
    }

    @Test func whatWasPurgedHereStaysSoUnlessTheOtherChangedIt() throws {
        var notes: [NoteID] = []
        let copies = try TwoCopies { store in
            notes = try ["left alone", "to be changed"].map { try store.notes.create(NoteDraft(body: $0)).id }
        }
        try copies.here { store in for note in notes { try store.purge(note) } }
        try copies.there { store in _ = try store.notes.edit(notes[1]) { $0.body = "changed since" } }
        let store = try copies.ours.open()
        let report = try copies.adopt(store)
        #expect(report.purgedHereCount == 1 && report.count(.comesBack) == 1 && report.isComplete)
        let back = try #require(report.notes.first?.newID)
        #expect(back != notes[1] && report.notes.first?.id == notes[1])
        #expect(try store.body(back) == "changed since")
        for note in notes { expect(.notFound) { try store.notes.note(note) } }
        // Who purges it again means it.
        try store.purge(back)
        #expect(try !copies.adopt(store).hasChanges)
    }

    @Test func whatWasPurgedThereStaysHere() throws {
        let (copies, note) = try Self.two()
        try copies.there { try $0.purge(note) }
        let store = try copies.ours.open()
        let report = try copies.adopt(store)
        #expect(try store.body(note) == "common" && report.purgedThereCount == 1 && !report.hasChanges)
    }

    @Test func aDryRunTellsBothSidesAndWritesNothing() throws {
        let (copies, note) = try Self.two()
        try copies.here { store in _ = try store.notes.create(NoteDraft(body: "only ours")) }
        try copies.there { store in
            let added = try store.notes.create(NoteDraft(body: "only theirs")).id
            _ = try store.addAttachment("a.bin", [1, 2, 3], to: added)
            _ = try store.notes.edit(note) { $0.body = "newer" }
        }
        let store = try copies.ours.open()
        let entries = try store.history.entryCount()
        let report = try TwoCopies.run(Adoption(store, copies.other(store), dryRun: true))
        #expect(report.count(.added) == 1 && report.count(.updated) == 1 && report.isComplete)
        #expect(report.onlyHere.map(\.title) == ["only ours"])
        #expect(try store.history.entryCount() == entries && store.body(note) == "common")
        #expect(try copies.ours.files().contains("objects") == false)
    }

    @Test func undoTakesAllOfItBackAtOnce() throws {
        let (copies, note) = try Self.two()
        var added: [NoteID] = []
        try copies.here { store in _ = try store.notes.edit(note) { $0.body = "ours" } }
        try copies.there { store in
            added = try (0..<120).map { try store.notes.create(NoteDraft(body: "new \($0)")).id }
            _ = try store.notes.edit(note) { $0.body = "theirs" }
        }
        let store = try copies.ours.open()
        _ = try copies.adopt(store)
        var step = try #require(try store.history.undo(limit: 50))
        while !step.isWhole { step = try #require(try store.history.undo(limit: 50, continuing: step.command)) }
        #expect(step.kind == "adopt")
        #expect(try store.versions(note) == ["ours"])
        for note in added { #expect(try store.notes.note(note).place == .trash) }
        #expect(try store.history.undo(limit: 50)?.kind == "edit", "the command before is next")
        #expect(try check(store).problems.isEmpty)
    }

    @Test func whatWasInterruptedGoesOn() throws {
        let (copies, _) = try Self.two()
        try copies.there { store in for number in 0..<130 { _ = try store.notes.create(NoteDraft(body: "n\(number)")) }
        }
        let store = try copies.ours.open()
        // Two steps read our own history and one compares, the next one takes notes over.
        _ = try TwoCopies.run(Adoption(store, copies.other(store), dryRun: false), steps: 4)
        let some = try store.notes.count(NoteFilter())
        #expect(some > 1 && some < 131)
        // The files as a crash would leave them.
        let crashed = try TestVault(copying: copies.ours)
        let opened = try crashed.open()
        let report = try copies.adopt(opened)
        #expect(try opened.notes.count(NoteFilter()) == 131 && report.count(.added) == 131 - some)
    }

    @Test func whatIsWrittenMeanwhileCounts() throws {
        let (copies, note) = try Self.two()
        try copies.there { store in _ = try store.notes.edit(note) { $0.body = "theirs" } }
        let store = try copies.ours.open()
        let adoption = Adoption(store, try copies.other(store), dryRun: false)
        _ = try TwoCopies.run(adoption, steps: 3)
        _ = try store.notes.edit(note) { $0.body = "ours, just now" }
        _ = try TwoCopies.run(adoption)
        #expect(try store.versions(note) == ["ours, just now", "theirs"])
        #expect(try check(store).problems.isEmpty)
    }

    @Test func whatTheOtherThinnedOutDoesNotMakeTwoVersions() throws {
        let (copies, note) = try Self.two()
        // Both know the second text; the other copy has thinned it out since.
        try copies.here { store in _ = try store.notes.edit(note) { $0.body = "second" } }
        let later = TwoCopies(copies.ours, try TestVault(copying: copies.ours))
        try later.there { store in
            _ = try store.notes.edit(note) { $0.body = "third" }
            var retention = Retention()
            (retention.keepAllMilliseconds, retention.keepDailyMilliseconds) = (0, 0)
            let thinning = Thinning(store, retention, dryRun: false, now: Machine.now + 1000)
            while try thinning.step() {}
            #expect(thinning.revisions > 0)
        }
        let store = try later.ours.open()
        #expect(try later.adopt(store).count(.updated) == 1)
        #expect(try store.versions(note) == ["third"])
    }

    /// An edit that was thinned out there lives on in the revision that threw its note away.
    @Test func aTrashedTextThatIsNowhereElseIsTakenOver() throws {
        let note = try NoteID([UInt8](repeating: 9, count: NoteID.byteCount))
        func revision(_ number: UInt8) throws -> RevisionID {
            try RevisionID([UInt8](repeating: number, count: RevisionID.byteCount))
        }
        func entry(_ sequence: UInt64, _ operation: Entry.Operation, _ parents: [RevisionID]) throws -> Entry {
            Entry(
                device: [UInt8](repeating: 1, count: Entry.deviceByteCount), sequence: sequence, operation: operation,
                noteID: note, revisionID: try revision(UInt8(sequence)), parents: parents,
                previous: Entry.firstPrevious)
        }
        let own = try [entry(1, .create, []), entry(2, .edit, [revision(1)])]
        var thrownAway = try AdoptionPlan.Arrival(
            source: revision(8), id: revision(8), operation: .trash, parents: [revision(1)], isTrashed: true)
        #expect(AdoptionPlan(own: own, [thrownAway], isTrashedHere: false) { _ in false }.steps.isEmpty)
        thrownAway.followsLostText = true
        let plan = AdoptionPlan(own: own, [thrownAway], isTrashedHere: false) { _ in false }
        #expect(plan.heads.count == 2 && plan.steps.map(\.leavesTrash) == [true])
    }
}
