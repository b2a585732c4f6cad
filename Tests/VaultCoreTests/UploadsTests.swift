// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import SearchText
import Testing
import VaultFormat

@testable import VaultCore

/// Which notes the remotes have as they are, as the index says it.
struct UploadsTests {
    private let vault: TestVault
    private let store: OpenVault
    private let note: NoteID

    init() throws {
        vault = try TestVault()
        store = try vault.open()
        note = try store.notes.create(NoteDraft(body: "first")).id
    }

    private func addRemote(_ name: String = "home") throws {
        _ = try store.remotes.add(RemoteEntry(name: name, settings: [1], credentials: []))
    }

    /// The store says that it has all that was told so far, or up to a position.
    private func acknowledge(_ name: String = "home", through position: UInt64? = nil) throws {
        let last = try store.remotes.tellNew(over: name)
        try store.remotes.record(RemoteState(name, [1], sentThrough: position ?? last))
    }

    private func state(_ note: NoteID) throws -> UploadState {
        let listed = try store.notes.listed(note).upload
        #expect(try store.remotes.uploads()[note] == listed && store.notes.note(note).upload == listed)
        return listed
    }

    @Test func aVaultWithoutRemotesHasItsNotesOnThisDevice() throws {
        #expect(try state(note) == .persisted)
        #expect(try store.remotes.uploadCounts() == nil)
        #expect(try store.notes.create(NoteDraft(body: "second")).upload == .persisted)
        try addRemote()
        try acknowledge()
        try store.remotes.forget("home")
        #expect(try state(note) == .persisted)
        try store.end()
    }

    @Test func X63ANoteIsPendingUntilAStoreHasAcknowledgedAllOfIt() throws {
        try addRemote()
        #expect(try state(note) == .pending)
        let second = try store.notes.create(NoteDraft(body: "second"))
        #expect(second.upload == .pending)
        // A position is no acknowledgement, and one of another note is none of this one.
        _ = try store.remotes.tellNew(over: "home")
        #expect(try state(note) == .pending)
        try acknowledge(through: 1)
        #expect(try state(note) == .uploaded)
        #expect(try state(second.id) == .pending)
        #expect(try store.remotes.uploadCounts() == UploadCounts(uploaded: 1, pending: 1, removals: 0))
        try acknowledge()
        #expect(try state(second.id) == .uploaded)
        // What a change answers knows of that very change.
        #expect(try store.notes.edit(note) { $0.body += "!" }.upload == .pending)
        #expect(try state(second.id) == .uploaded)
        try acknowledge()
        #expect(try state(note) == .uploaded)
        try store.end()
        let again = try vault.open()
        #expect(try again.notes.listed(note).upload == .uploaded)
        try again.end()
    }

    @Test func X63WhatIsWrittenDownWithEntriesOfOthersCountsToo() throws {
        try addRemote()
        let last = try store.remotes.tellNew(over: "home")
        try store.devices.apply([], state: RemoteState("home", [2], sentThrough: last))
        #expect(try state(note) == .uploaded)
        try store.end()
    }

    @Test func aNoteIsUploadedWhenAllRemotesHaveIt() throws {
        try addRemote()
        try acknowledge()
        try addRemote("away")
        #expect(try state(note) == .pending)
        try acknowledge("away")
        #expect(try state(note) == .uploaded)
        try store.end()
    }

    @Test func aDeletionIsPendingToo() throws {
        try addRemote()
        try acknowledge()
        _ = try store.notes.setTrashed(note, true)
        #expect(try store.notes.purgeTrash(limit: 10) == 1)
        #expect(try store.remotes.uploadCounts() == UploadCounts(uploaded: 0, pending: 0, removals: 1))
        try acknowledge()
        #expect(try store.remotes.uploadCounts() == UploadCounts(uploaded: 0, pending: 0, removals: 0))
        try store.end()
    }

    @Test func aPasswordIsPendingBeforeItIsAnEntry() throws {
        try addRemote()
        try acknowledge()
        try store.makePrivate(note)
        #expect(try store.remotes.uploads()[note] == .pending)
        try acknowledge()
        #expect(try store.remotes.uploads()[note] == .uploaded)
        try store.openPrivate(note)
        try store.privateNotes.unprotect(note)
        #expect(try store.remotes.uploads()[note] == .pending)
        try acknowledge()
        #expect(try state(note) == .uploaded)
        try store.end()
    }

    @Test func whatIsThinnedOutLeavesANoteUploaded() throws {
        for round in 0..<5 { _ = try store.notes.edit(note) { $0.body += "\(round)" } }
        try addRemote()
        try acknowledge()
        let name = try #require(try store.remotes.stored().first?.name)
        let mark = ReadMark(epoch: 1, vector: [try store.devices.own: 1])
        try store.remotes.note(mark, over: name, wasRead: false, isRead: true)
        var retention = Retention()
        (retention.keepAllMilliseconds, retention.keepDailyMilliseconds) = (0, 0)
        let thinning = Thinning(store, retention, dryRun: false, now: Machine.now + 1000)
        while try thinning.step() {}
        #expect(thinning.revisions > 0)
        #expect(try state(note) == .uploaded)
        try store.end()
    }

    @Test func listsChooseByState() throws {
        let second = try store.notes.create(NoteDraft(body: "second")).id
        func listed(_ state: UploadState) throws -> Set<NoteID> {
            var search = FilteredSearch()
            search.upload = state
            var bySearch = FilteredSearch()
            bySearch.query = try NoteQuery(
                "state:" + state.name, clock: QueryClock(now: 0, offset: { _ in 0 }))
            let found = try [search, bySearch].map { search in
                let scan = try FilteredScan(store, search)
                while try scan.step() {}
                #expect(!scan.isCutShort)
                return Set(scan.notes.map(\.id))
            }
            #expect(found[0] == found[1])
            return found[0]
        }
        #expect(try listed(.persisted) == [note, second] && listed(.pending).isEmpty && listed(.uploaded).isEmpty)
        try addRemote()
        #expect(try listed(.pending) == [note, second] && listed(.persisted).isEmpty && listed(.uploaded).isEmpty)
        try acknowledge()
        _ = try store.notes.edit(second) { $0.body += "!" }
        #expect(try listed(.pending) == [second] && listed(.uploaded) == [note])
        try store.end()
    }

    @Test func changesOfStateAreThoseOfTheNotesThatAreThere() throws {
        var before = try store.remotes.uploads()
        #expect(try store.remotes.changes(since: before).isEmpty)
        try addRemote()
        #expect(try store.remotes.changes(since: before) == [note])
        before = try store.remotes.uploads()
        try acknowledge()
        #expect(try store.remotes.changes(since: before) == [note])
        before = try store.remotes.uploads()
        _ = try store.notes.setTrashed(note, true)
        #expect(try store.notes.purgeTrash(limit: 10) == 1)
        #expect(try store.remotes.changes(since: before).isEmpty)
        try store.end()
    }

    @Test func aWriteThatFailsChangesNoState() throws {
        try addRemote()
        try acknowledge()
        #expect(throws: VaultError.self) {
            try store.write { transaction in
                let head = try transaction.head(of: note)
                try transaction.apply(head.record, .edit, replacing: (head.revision, head.record))
                #expect(try transaction.uploadState(of: note) == .pending)
                throw VaultError(.tooLarge)
            }
        }
        #expect(try state(note) == .uploaded)
        try store.end()
    }

    /// What is counted on, and what an index says when it is asked anew.
    private func expectCounted(_ what: String) throws {
        let counted = try store.remotes.uploads()
        store.uploads.forgetAll()
        let found = try store.remotes.uploads()
        #expect(counted == found, "after \(what)")
    }

    @Test func whatIsCountedOnIsWhatTheIndexSays() throws {
        try addRemote()
        try acknowledge()
        let second = try store.notes.create(NoteDraft(body: "second")).id
        try expectCounted("a new note")
        _ = try store.notes.edit(note) { $0.body = "changed" }
        try expectCounted("an edit")
        try acknowledge()
        try expectCounted("an acknowledgement")
        _ = try store.notes.setTrashed(second, true)
        try expectCounted("a removal")
        _ = try store.history.undo(limit: 1)
        try expectCounted("an undo")
        try store.makePrivate(note)
        try expectCounted("a password")
        try acknowledge()
        _ = try store.notes.edit(second) { $0.body = "again" }
        try expectCounted("an edit beside a private note")
        var drafts = (0..<3).map { NoteDraft(body: "import \($0)") }
        for index in drafts.indices { drafts[index].source = "test\n\(index)" }
        _ = try store.imports.save(drafts, dryRun: false)
        try expectCounted("an import")
        try store.purge(second)
        try expectCounted("a purge")
        try store.remotes.forget("home")
        try expectCounted("the end of the remote")
        try store.end()
    }

    @Test func aChangeThatFailsIsNotCountedOn() throws {
        try addRemote()
        try acknowledge()
        _ = try store.remotes.uploads()
        expect(.busy) {
            try store.change(.edit) { transaction in
                let head = try transaction.head(of: note)
                try transaction.apply(head.record, .edit, replacing: (head.revision, head.record))
                throw VaultError(.busy)
            }
        }
        #expect(try state(note) == .uploaded)
        try store.end()
    }
}
