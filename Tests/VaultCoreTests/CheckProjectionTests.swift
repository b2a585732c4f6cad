// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// `vault check` and `--rebuild-index`: lists, tags, words and counters that say other than the revisions.
struct CheckProjectionTests {
    private let fixture: CheckFixture

    init() throws { fixture = try CheckFixture() }

    @Test(arguments: [
        "title = 'Other'", "snippet = ''", "titleKey = x'00'", "notebook = 'Elsewhere'", "tags = 'other'",
        "modified = modified + 1",
        "created = 0", "byteCount = 1", "source = 'x'",
    ])
    func aListThatSaysOtherThanTheRevisionIsSeenAndMended(assignment: String) throws {
        try fixture.change("UPDATE note SET \(assignment) WHERE id = ?", [fixture.id(5)])
        #expect(try check(fixture.store).problems == [CheckProblem(kind: .projection, noteID: fixture.notes[5])])
        _ = try fixture.store.checks.rebuildIndex()
        #expect(try fixture.problems().isEmpty)
    }

    @Test(arguments: [
        "UPDATE folded SET text = 'note 5' || char(10) || 'with other words' WHERE row = ?",
        "DELETE FROM folded WHERE row = ?",
        "INSERT INTO folded VALUES(1000 + ?, 'nobody')",
    ])
    func aFoldedTextThatIsNotTheNotesIsSeenAndMended(sql: String) throws {
        try fixture.change("\(sql.replacing("?", with: "(SELECT row FROM note WHERE id = ?)"))", [fixture.id(5)])
        #expect(try Set(fixture.problems()) == [.projection])
        _ = try fixture.store.checks.rebuildIndex()
        #expect(try fixture.problems().isEmpty)
    }

    @Test func aNoteWhoseFoldedTextIsGoneIsNotChanged() throws {
        try fixture.change("DELETE FROM folded WHERE row = (SELECT row FROM note WHERE id = ?)", [fixture.id(5)])
        #expect(throws: VaultError(.integrity)) { try fixture.store.notes.edit(fixture.notes[5]) { $0.body = "x" } }
    }

    @Test func aTagThatIsMissingOrTooManyIsSeenAndMended() throws {
        for sql in ["DELETE FROM noteTag WHERE note = ?", "INSERT INTO noteTag VALUES(x'7878', ?)"] {
            try fixture.change(sql, [fixture.id(5)])
            #expect(try fixture.problems() == [.projection], "\(sql)")
            _ = try fixture.store.checks.rebuildIndex()
            #expect(try fixture.problems().isEmpty)
        }
    }

    @Test func missingWordsAreSeenAndMended() throws {
        try fixture.change("INSERT INTO search(search) VALUES('delete-all')")
        #expect(try fixture.problems() == [.words])
        _ = try fixture.store.checks.rebuildIndex()
        #expect(try fixture.problems().isEmpty)
        #expect(try fixture.store.search.find("some words", limit: 9, page: 1, snippetColumns: 60).hits.count == 3)
    }

    @Test(arguments: ["live = live + 1", "trashed = 0"])
    func wrongCountersAreSeenAndMended(assignment: String) throws {
        try fixture.change("UPDATE state SET \(assignment)")
        #expect(try fixture.problems() == [.counters])
        _ = try fixture.store.checks.rebuildIndex()
        #expect(try fixture.problems().isEmpty)
    }

    @Test func rebuildingKeepsEveryNoteAndItsWords() throws {
        let before = try fixture.store.notes.list(NoteFilter(), offset: 0, limit: 100)
        let trash = NoteFilter.inTrash
        let trashedBefore = try fixture.store.notes.list(trash, offset: 0, limit: 100)
        #expect(try fixture.store.checks.rebuildIndex() == 5)
        #expect(try fixture.store.notes.list(NoteFilter(), offset: 0, limit: 100) == before)
        #expect(try fixture.store.notes.list(trash, offset: 0, limit: 100) == trashedBefore)
        #expect(
            try fixture.store.search.find("other words", limit: 9, page: 1, snippetColumns: 60).hits.map(\.note.id) == [
                fixture.notes[0]
            ])
        _ = try fixture.store.notes.edit(fixture.notes[0]) { $0.body = "again" }
        #expect(try fixture.store.search.find("other words", limit: 9, page: 1, snippetColumns: 60).hits.isEmpty)
        #expect(try fixture.problems().isEmpty)
    }
}
