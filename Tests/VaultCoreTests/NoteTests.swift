// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// Writing notes: what comes back, what is counted, what is refused.
struct NoteTests {
    private let vault: TestVault
    private let store: OpenVault

    init() throws {
        vault = try TestVault()
        store = try vault.open()
    }

    private func entries() throws -> [Entry] {
        try store.read { index in
            try Row.fetchAll(index.database, sql: "SELECT bytes FROM entry ORDER BY sequence").map {
                try Entry(parsing: $0.bytes("bytes"))
            }
        }
    }

    private func revisionCount() throws -> Int {
        try store.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM revision") ?? -1 }
    }

    @Test func aNoteComesBackAsItWasWritten() throws {
        var draft = NoteDraft(body: "# Über den Wolken\n\nmuß die Freiheit\u{0000}wohl 🦉", title: "Set title")
        draft.tags = ["Lied", "deutsch"]
        draft.notebook = "Music/Songs"
        draft.created = -5
        draft.modified = 1_700_000_000_000
        let summary = try store.notes.create(draft)
        let note = try store.notes.note(summary.id)
        #expect(note.body == draft.body)
        #expect(note.title == "Set title" && note.titleIsSet)
        #expect(note.tags == draft.tags && note.notebook == draft.notebook)
        #expect(note.created == -5 && note.modified == 1_700_000_000_000)
        #expect(summary.byteCount == draft.body.utf8.count)
        #expect(summary.tags == draft.tags)
        #expect(
            try store.notes.note(store.notes.create(NoteDraft(body: "\n# First line \nrest")).id).title == "First line")
    }

    @Test func countersChainAndRevisionsFollowEveryChange() throws {
        let note = try store.notes.create(NoteDraft(body: "one"))
        _ = try store.notes.edit(note.id) { $0.body = "two" }
        _ = try store.notes.edit(note.id) { _ in }
        _ = try store.notes.setTrashed(note.id, true)
        _ = try store.notes.setTrashed(note.id, true)
        #expect(try store.notes.counts().notes[.live] == 0 && store.notes.counts().notes[.trash] == 1)
        _ = try store.notes.setTrashed(note.id, false)
        #expect(try store.notes.counts().notes[.live] == 1 && store.notes.counts().notes[.trash] == 0)
        _ = try store.notes.setTrashed(note.id, true)
        let other = try store.notes.create(NoteDraft(body: "stays"))
        #expect(try revisionCount() == 6)
        #expect(try store.notes.purgeTrash(limit: 10) == 1)
        #expect(try store.notes.purgeTrash(limit: 10) == 0)
        #expect(try revisionCount() == 1)
        #expect(try store.notes.counts().notes[.live] == 1 && store.notes.counts().notes[.trash] == 0)
        expect(.notFound) { try store.notes.note(note.id) }

        let chain = try entries()
        #expect(chain.map(\.operation) == [.create, .edit, .trash, .restore, .trash, .create, .purge])
        #expect(chain.map(\.sequence) == Array(1...7))
        #expect(chain[1].parents == [chain[0].revisionID] && chain[6].parents == [chain[4].revisionID])
        #expect(chain[5].noteID == other.id && chain[5].parents.isEmpty)
        #expect(Set(chain.map(\.revisionID)).count == 7)
    }

    @Test func generationRisesWithEveryTransactionAndSurvivesTheClose() throws {
        let before = try store.notes.counts().generation
        for number in 0..<4 { _ = try store.notes.create(NoteDraft(body: "\(number)")) }
        #expect(try store.notes.counts().generation == before + 4)
        try store.end()
        #expect(try vault.open().notes.counts().generation == before + 4)
    }

    @Test func whatCouldNeverBeReadAgainIsNotWritten() throws {
        let long = String(repeating: "x", count: 4097)
        let note = try store.notes.create(NoteDraft(body: "short"))
        expect(.empty) { try store.notes.create(NoteDraft(body: "")) }
        expect(.empty) { try store.notes.edit(note.id) { $0.body = "" } }
        expect(.tooLarge) { try store.notes.create(NoteDraft(body: "x", title: long)) }
        expect(.tooLarge) { try store.notes.edit(note.id) { $0.title = long } }
        expect(.tooLarge) { try store.notes.edit(note.id) { $0.notebook = long } }
        expect(.tooLarge) { try store.notes.edit(note.id) { $0.tags = [long] } }
        expect(.tooLarge) { try store.notes.edit(note.id) { $0.tags = (0...256).map { "tag\($0)" } } }
        expect(.tooLarge) { try store.notes.edit(note.id) { $0.source = long + long } }
        #expect(try store.notes.note(note.id).body == "short")
        #expect(try store.notes.counts().notes[.live] == 1)
        _ = try store.notes.edit(note.id) { $0.title = String(long.dropLast()) }
        #expect(try store.notes.note(note.id).titleIsSet)
    }
}
