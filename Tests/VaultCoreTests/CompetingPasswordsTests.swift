// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// Passwords of one note that are set, changed and removed on several devices at once. Which of two counts follows from
/// random bytes, so each test has several notes.
struct CompetingPasswordsTests {
    private static let noteCount = 6

    /// Devices that have notes with the password "rosebud".
    private func sharing(among count: Int = 2) throws -> (set: DeviceSet, notes: [NoteID]) {
        var notes: [NoteID] = []
        let set = try DeviceSet(count) { store in
            for number in 0..<Self.noteCount {
                notes.append(try store.notes.create(NoteDraft(body: "zebra \(number)")).id)
            }
        }
        for note in notes { try set[0].makePrivate(note) }
        try set.exchange()
        return (set, notes)
    }

    /// - Parameter first: what the first byte of the new keyslot's SHA-256 has to be: the smallest one counts.
    private func change(
        _ store: OpenVault, _ note: NoteID, from old: String, to new: String, first: ClosedRange<UInt8> = 0...255
    ) throws {
        let key = try store.privateNotes.opening(of: note).open(secret(Array(old.utf8)))
        try store.privateNotes.unlock(note, with: key)
        let epoch = try store.privateNotes.openedKey(of: note).keys.epoch
        for _ in 0..<200 {
            let next = try store.protecting(note, new, keeping: key, epoch: epoch)
            guard try first.contains(Digest.sha256(next.slot.encoded)[0]) else { continue }
            return try store.privateNotes.protect(note, next)
        }
        Issue.record("no keyslot fits")
    }

    /// Begins an edit of a note.
    private func edit(_ note: NoteID, on store: OpenVault) throws -> DraftJournal {
        var start = DraftStart()
        start.note = note
        start.base = try store.notes.note(note).revision
        return try store.drafts.begin(start)
    }

    private func opens(_ store: OpenVault, _ note: NoteID, _ password: String) throws -> Bool {
        store.privateNotes.relock(note)
        do { try store.openPrivate(note, password) } catch let error as VaultError {
            guard error.code == .wrongNotePassword else { throw error }
            return false
        }
        _ = try store.body(note)
        return true
    }

    /// Before it was told that it was taken away, and after.
    @Test(arguments: [false, true]) func aPasswordThatIsSetAgainHasAKeyThatIsNotTakenForTheOneBefore(_ isTold: Bool)
        throws
    {
        let (set, notes) = try sharing()
        let note = notes[0]
        for number in 0..<2 { try set[number].openPrivate(note) }
        _ = try set[1].notes.edit(note) { $0.body += "\nof the second" }
        let late = try set.news(of: 1, to: 0)
        try set[0].privateNotes.unprotect(note)
        if isTold {
            try set.tell(0, 1)
            _ = try set[0].devices.apply(late)
        }
        try set[0].makePrivate(note, "again")
        // What waited is tried here.
        try set[0].openPrivate(note, "again")
        if !isTold { _ = try set[0].devices.apply(late) }
        #expect(try set[0].body(note) == "zebra 0")
        #expect(try check(set[0]).problems.isEmpty)
        try set.tell(0, 1)
        if try set[1].privateNotes.isPrivate(note), !set[1].privateNotes.isUnlocked(note) {
            try set[1].openPrivate(note, "again")
        }
        #expect(try set[1].body(note).hasPrefix("zebra 0"))
    }

    /// Two at once: one counts. What is set after that counts on all, also where the loser would beat it.
    @Test func theLoserOfTwoPasswordsDoesNotBeatAThird() throws {
        let (set, notes) = try sharing()
        let note = notes[0]
        try change(set[0], note, from: "rosebud", to: "first", first: 0...84)
        try change(set[1], note, from: "rosebud", to: "second", first: 85...169)
        // Both were sent before either was heard.
        let (ours, theirs) = (try set.news(of: 0, to: 1), try set.news(of: 1, to: 0))
        _ = try set[1].devices.apply(ours)
        _ = try set[0].devices.apply(theirs)
        for number in 0..<2 { #expect(try opens(set[number], note, "first")) }
        try change(set[1], note, from: "first", to: "third", first: 170...255)
        try set.exchange()
        for number in 0..<2 { #expect(try opens(set[number], note, "third")) }
        try set.expectAlike([])
    }

    /// A device that seals what waited there says again what it knows; a password that was set meanwhile stays.
    @Test func whatIsSaidAgainDoesNotBeatANewPassword() throws {
        let (set, notes) = try sharing(among: 3)
        for note in notes {
            try change(set[0], note, from: "rosebud", to: "new")
            try set[1].write { try $0.tellNoteKey(of: note) }
        }
        try set.exchange()
        for note in notes { for number in 0..<3 { #expect(try opens(set[number], note, "new")) } }
        try set.expectAlike([])
    }

    /// What a change here says is not written over by what came before it was told.
    @Test func aPasswordThatWasNotToldYetIsNotWrittenOver() throws {
        let (set, notes) = try sharing()
        for note in notes {
            try change(set[0], note, from: "rosebud", to: "first")
            try change(set[1], note, from: "rosebud", to: "second")
        }
        let ranks = try (0..<2).map { number in
            try notes.map { note in try Digest.sha256(set[number].read { try $0.keyslot(note).encoded }) }
        }
        _ = try set[1].devices.apply(set.news(of: 0, to: 1))
        // The keyslot with the smaller hash counts, whichever came first.
        for (at, note) in notes.enumerated() {
            let isFirst = ranks[0][at].lexicographicallyPrecedes(ranks[1][at])
            #expect(try opens(set[1], note, isFirst ? "first" : "second"))
        }
        try set.exchange()
        for note in notes {
            let known = try opens(set[1], note, "first") ? "first" : "second"
            #expect(try opens(set[0], note, known))
        }
        try set.expectAlike([])
    }

    @Test func aPrivateEditBesideTheRemovalOfThePasswordIsShownEverywhere() throws {
        let (set, notes) = try sharing()
        let note = notes[0]
        for number in 0..<2 { try set[number].openPrivate(note) }
        _ = try set[1].notes.edit(note) { $0.body += "\nof the second" }
        try set[0].privateNotes.unprotect(note)
        try set.exchange()
        for number in 0..<2 {
            #expect(try !set[number].privateNotes.isPrivate(note))
            #expect(try set[number].body(note) == "zebra 0\nof the second")
        }
        try set.expectAlike([note])
        #expect(try set[0].devices.apply([]).waitingCount == 0)
    }

    /// With its key the text of an edit would be lost.
    @Test func aPurgeElsewhereLeavesAnEditThatIsNotFinished() throws {
        let (set, notes) = try sharing()
        let note = notes[0]
        try set[1].openPrivate(note)
        let journal = try edit(note, on: set[1])
        try journal.save(Array("unfinished".utf8))
        _ = try set[0].notes.setTrashed(note, true)
        #expect(try set[0].notes.purgeTrash(limit: 10) == 1)
        try set.tell(0, 1)
        let found = try #require(try set[1].drafts.journal(of: journal.id).load()).body
        #expect(found == Array("unfinished".utf8))
        guard case .created = try set[1].drafts.commit(journal.id, text: found) else {
            Issue.record("it is a note again")
            return
        }
        #expect(try set[1].privateNotes.isPrivate(note) && set[1].body(note) == "unfinished")
        try set.exchange()
        #expect(try opens(set[0], note, "rosebud"))
        try set.expectAlike([note])
    }

    /// Another key that came with what outlives the purge waits for the edit's end.
    @Test func aNewKeyBesideAPurgeLeavesAnEditThatIsNotFinished() throws {
        let (set, notes) = try sharing(among: 3)
        let note = notes[0]
        for number in 0..<2 { try set[number].openPrivate(note) }
        let journal = try edit(note, on: set[0])
        try journal.save(Array("unfinished".utf8))
        let next = try set[1].protecting(note, "other", epoch: set[1].privateNotes.nextKeyEpoch(of: note))
        try set[1].privateNotes.protect(note, next)
        _ = try set[1].notes.edit(note) { $0.body += "\nunder the other key" }
        _ = try set[2].notes.setTrashed(note, true)
        #expect(try set[2].notes.purgeTrash(limit: 10) == 1)
        try set.tell(2, 0)
        try set.tell(1, 0)
        #expect(try set[0].drafts.journal(of: journal.id).load()?.body == Array("unfinished".utf8))
        #expect(try set[0].drafts.all().map(\.id) == [journal.id])
        try set[0].drafts.forget(journal.id)
        try set.exchange()
        for number in 0..<3 { #expect(try opens(set[number], note, "other")) }
        try set.expectAlike([note])
    }

    @Test func aPasswordThatCameWhileANoteWasEditedCountsWhenTheEditEnds() throws {
        let (set, id) = try DeviceSet.sharing()
        let journal = try edit(id, on: set[1])
        try set[0].makePrivate(id)
        try set.tell(0, 1)
        #expect(try !set[1].privateNotes.isPrivate(id))
        try set[1].drafts.forget(journal.id)
        #expect(try set[1].privateNotes.isPrivate(id) && set[1].privateNotes.hasWordsLeft())
        try set[1].openPrivate(id)
        #expect(try set[1].body(id) == "hidden zebra")
    }

    /// A text that was thrown away is not kept in the open until tomorrow.
    @Test func aPasswordTakesWhatWasThrownAwayWithIt() throws {
        let (set, id) = try DeviceSet.sharing()
        let journal = try edit(id, on: set[1])
        try journal.save(Array("thrown away".utf8))
        try set[1].drafts.discard(journal.id)
        try set[0].makePrivate(id)
        try set.tell(0, 1)
        #expect(try set[1].privateNotes.isPrivate(id) && set[1].drafts.all().isEmpty)
    }
}
