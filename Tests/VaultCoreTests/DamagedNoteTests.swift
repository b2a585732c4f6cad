// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// A note whose text does not open is listed, explained, brought back and thrown away.
struct DamagedNoteTests {
    private let vault: TestVault
    private let store: OpenVault
    private let note: NoteID
    private let only: NoteID

    init() throws {
        vault = try TestVault()
        store = try vault.open()
        var draft = NoteDraft(body: "First text\nof three")
        draft.tags = ["kept"]
        note = try store.notes.create(draft).id
        _ = try store.notes.edit(note) { $0.body = "Second text\nof three [[elsewhere]]" }
        _ = try store.notes.edit(note) { $0.body = "Third text\nof three" }
        only = try store.notes.create(NoteDraft(body: "Only text")).id
        try lose("rowid = (SELECT max(rowid) FROM revision WHERE note = ?)", note)
        try lose("note = ?", only)
    }

    private func lose(_ condition: String, _ note: NoteID) throws {
        try store.write {
            try $0.database.execute(
                sql: "UPDATE revision SET sealed = zeroblob(300) WHERE " + condition, arguments: [note.bytes.blob])
        }
    }

    private func problems() throws -> Set<CheckProblem.Kind> { Set(try check(store).problems.map(\.kind)) }

    @Test func readingItSaysWhatOpensAndTheListMarksItThen() throws {
        let error = try #require(throws: VaultError.self) { try store.notes.note(note) }
        #expect(error.code == .noteDamaged && error.found == 1 && error.candidates.map(\.id) == [note])
        let other = try #require(throws: VaultError.self) { try store.notes.note(only) }
        #expect(other.code == .noteDamaged && other.found == nil)
        let listed = try store.notes.list(NoteFilter(), offset: 0, limit: 10)
        #expect(listed.count == 2 && listed.allSatisfy(\.isDamaged))
        #expect(Set(listed.map(\.title)) == ["Third text", "Only text"])
        expect(.noteDamaged) { try store.notes.edit(note) { $0.body += "!" } }
    }

    @Test func historyShowsWhichRevisionsOpen() throws {
        let listed = try store.history.listed(of: note)
        #expect(listed.map { $0.summary == nil } == [true, false, false])
        #expect(try store.history.note(note, revision: 1).body == "Second text\nof three [[elsewhere]]")
        expect(.noteDamaged) { try store.history.note(note, revision: 0) }
    }

    @Test func anEarlierRevisionThatOpensIsBroughtBack() throws {
        _ = try store.history.revert(note, to: store.history.revision("@1", of: note).id)
        #expect(try store.notes.note(note).body == "Second text\nof three [[elsewhere]]")
        #expect(try store.names.notes(tagged: "kept") == [note])
        #expect(try store.notes.listed(note).isDamaged == false)
        _ = try store.notes.setTrashed(only, true)
        // The revision that was lost stays in the past, and nothing else is wrong: words, tags, links and counters.
        #expect(try problems() == [.revisionUnreadable])
        _ = try store.notes.edit(note) { $0.body += "!" }
        expect(.revisionDamaged) { try store.history.note(note, revision: 2) }
    }

    @Test func itIsGivenAnotherText() throws {
        for (id, title) in [(note, "New text"), (only, "Only text")] {
            _ = try store.notes.replaceText(of: id, with: "New text")
            #expect(try store.notes.note(id).body == "New text")
            #expect(try store.notes.listed(id).isDamaged == false)
            #expect(try store.notes.listed(id).title == title)
        }
        #expect(try store.names.notes(tagged: "kept") == [note])
        #expect(try problems() == [.revisionUnreadable])
    }

    @Test func itIsThrownAwayTakenBackAndRemovedForGood() throws {
        for id in [note, only] { #expect(try store.notes.setTrashed(id, true).isTrashed) }
        #expect(try store.notes.note(note).body == "Second text\nof three [[elsewhere]]", "what opens of it")
        #expect(try store.notes.note(only).title == "Only text")
        #expect(try store.notes.note(only).body.isEmpty)
        #expect(try store.history.undo(limit: 10)?.notes == [only])
        #expect(try store.notes.note(only).isTrashed == false)
        _ = try store.notes.setTrashed(only, true)
        #expect(try store.notes.purgeTrash(limit: 10) == 2)
        #expect(try problems().isEmpty)
        #expect(try store.notes.count(NoteFilter()) == 0)
    }

    @Test func oneThatIsDamagedInTheTrashIsRemovedWithTheOthers() throws {
        let other = try store.notes.create(NoteDraft(body: "sound")).id
        let late = try store.notes.create(NoteDraft(body: "damaged in the trash")).id
        for id in [other, late] { _ = try store.notes.setTrashed(id, true) }
        try lose("note = ?", late)
        #expect(try store.notes.purgeTrash(limit: 10) == 2)
        #expect(try store.notes.listedIfPresent(late) == nil)
        #expect(try store.notes.counts().notes[.trash] == 0)
    }

    @Test func oneWhoseTextLiesOnAPageThatDoesNotOpenIsThrownAwayToo() throws {
        let long = try store.notes.create(NoteDraft(body: String(repeating: "a long text ", count: 3000))).id
        try store.end()
        let before = try vault.bytes("index-1.db").count / 4096
        // The last page of that text, found by trying.
        let copy = try TestVault(copying: vault, sharingPins: true)
        var found = false
        for page in (2...before).reversed() {
            try vault.putBack(copy)
            try vault.change("index-1.db") { $0[(page - 1) * 4096 + 100] ^= 1 }
            guard let store = try? vault.open() else { continue }
            defer { try? store.end() }
            guard (try? store.history.damage(of: long)) ?? nil != nil else { continue }
            found = true
            #expect(try store.notes.setTrashed(long, true).isTrashed)
            #expect(try store.notes.purgeTrash(limit: 10) == 1)
            #expect(try store.notes.listedIfPresent(long) == nil)
            break
        }
        #expect(found)
    }
}
