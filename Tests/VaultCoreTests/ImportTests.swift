// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// Imports: one batch is one transaction, and a second run changes nothing.
struct ImportTests {
    private let vault: TestVault
    private let store: OpenVault

    init() throws {
        vault = try TestVault()
        store = try vault.open()
    }

    @Test func anImportRunTwiceDoublesNothing() throws {
        var drafts = (0..<3).map { number in
            var draft = NoteDraft(body: "imported \(number)")
            (draft.source, draft.modified) = ("folder\nfile \(number)", 5000)
            return draft
        }
        #expect(try store.imports.save(drafts, dryRun: true) == tally(created: 3))
        #expect(try store.notes.counts().notes[.live] == 0)
        #expect(try store.imports.save(drafts, dryRun: false) == tally(created: 3))
        #expect(try store.imports.save(drafts, dryRun: false) == tally(unchanged: 3))
        drafts[1].body = "changed outside"
        drafts[2].modified = 9000
        #expect(try store.imports.save(drafts, dryRun: true) == tally(updated: 1, unchanged: 2))
        #expect(try store.imports.save(drafts, dryRun: false) == tally(updated: 1, unchanged: 2))
        #expect(try store.notes.counts().notes[.live] == 3)
        #expect(try store.search.find("imported 1", limit: 10, page: 1, snippetColumns: 60).hits.isEmpty)
        #expect(try store.search.find("changed outside", limit: 10, page: 1, snippetColumns: 60).hits.count == 1)
        let revisions = try store.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM revision") }
        #expect(revisions == 4)
    }

    @Test func whatWasChangedHereStaysAsLongAsTheSourceIsWhatItWas() throws {
        var draft = NoteDraft(body: "from the source")
        draft.source = "folder\nfile"
        _ = try store.imports.save([draft], dryRun: false)
        let note = try #require(store.notes.list(NoteFilter(), offset: 0, limit: 1).first).id
        _ = try store.notes.edit(note) { ($0.body, $0.tags) = ("changed here", ["mine"]) }
        #expect(try store.imports.save([draft], dryRun: true) == tally(unchanged: 1))
        #expect(try store.imports.save([draft], dryRun: false) == tally(unchanged: 1))
        #expect(try store.notes.note(note).body == "changed here" && store.notes.note(note).tags == ["mine"])
        // It has changed there too: what was written here is in the history.
        draft.body = "changed there"
        #expect(try store.imports.save([draft], dryRun: false) == tally(updated: 1))
        #expect(
            try store.history.all(of: note).map(\.record.body) == ["changed there", "changed here", "from the source"])
        // And back again: the last import counts, not the first.
        draft.body = "from the source"
        #expect(try store.imports.save([draft], dryRun: false) == tally(updated: 1))
        #expect(try store.notes.note(note).body == "from the source")
    }

    @Test func anImportThatWasUndoneCountsForNothing() throws {
        var draft = NoteDraft(body: "from the source")
        draft.source = "folder\nfile"
        _ = try store.imports.save([draft], dryRun: false)
        let note = try #require(store.notes.list(NoteFilter(), offset: 0, limit: 1).first).id
        draft.body = "changed there"
        #expect(try store.imports.save([draft], dryRun: false) == tally(updated: 1))
        _ = try store.history.undo(limit: 10)
        // It is what the first import made of it, and the source is not.
        #expect(try store.notes.note(note).body == "from the source")
        #expect(try store.imports.save([draft], dryRun: false) == tally(updated: 1))
    }

    @Test func notesUnderKeysWithAPlaceInThemAreFoundByTheirOwnNames() throws {
        func add(_ source: String) throws -> NoteID {
            var draft = NoteDraft(body: source)
            draft.source = source
            return try store.notes.create(draft).id
        }
        let here = try add("joplin\n/home/a\nb.jex\n11")
        let there = try add("joplin\n/other.jex\n22")
        let first = try add("joplin\n/a.jex\n33")
        let preferred = try add("joplin\n/z.jex\n33")
        for other in ["joplin\n\n44", "joplin\nsha256\n55", "enex\n/a.enex\n66", "joplin2\n/a\n77"] {
            _ = try add(other)
        }
        let found = try store.imports.notes(withPlacesIn: "joplin", preferring: "/z.jex")
        #expect(found == ["11": here, "22": there, "33": preferred])
        #expect(try store.imports.present([first, try store.notes.newID()]) == [first])
        // Known by what it is, whatever its key says.
        var note = ImportedNote(NoteDraft(body: "new text"))
        (note.draft.source, note.home) = ("joplin\n\n22", there)
        #expect(try store.imports.save([note], dryRun: false, ChangeGroup(.import)) == tally(updated: 1))
        #expect(try store.notes.note(there).body == "new text")
    }

    private func tally(created: Int = 0, updated: Int = 0, unchanged: Int = 0) -> ImportTally {
        var tally = ImportTally()
        (tally.created, tally.updated, tally.unchanged) = (created, updated, unchanged)
        return tally
    }

    @Test func aBatchWithOneBadNoteSavesNothing() throws {
        var bad = NoteDraft(body: "bad", title: String(repeating: "x", count: 5000))
        bad.source = "bad"
        expect(.tooLarge) { try store.imports.save([NoteDraft(body: "good"), bad], dryRun: false) }
        #expect(try store.notes.counts().notes[.live] == 0)
        #expect(try store.notes.create(NoteDraft(body: "next")).title == "next")
    }
}
