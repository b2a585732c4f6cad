// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// Writing, listing and finding notes.
struct NoteTests {
    private let vault: TestVault
    private let store: VaultStore

    init() throws {
        vault = try TestVault()
        store = try vault.open()
    }

    private func entries() throws -> [Entry] {
        try store.read { try Row.fetchAll($0, sql: "SELECT bytes FROM entry ORDER BY sequence").map { try Entry(parsing: $0.bytes("bytes")) } }
    }

    private func revisionCount() throws -> Int { try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM revision") ?? -1 } }

    @Test func aNoteComesBackAsItWasWritten() throws {
        var draft = NoteDraft(body: "# Über den Wolken\n\nmuß die Freiheit\u{0000}wohl 🦉", title: "Set title")
        draft.tags = ["Lied", "deutsch"]
        draft.notebook = "Music/Songs"
        draft.created = -5
        draft.modified = 1_700_000_000_000
        let summary = try store.create(draft)
        let note = try store.note(summary.id)
        #expect(note.body == draft.body)
        #expect(note.title == "Set title" && note.titleIsSet)
        #expect(note.tags == draft.tags && note.notebook == draft.notebook)
        #expect(note.created == -5 && note.modified == 1_700_000_000_000)
        #expect(summary.byteCount == draft.body.utf8.count)
        #expect(summary.tags == draft.tags)
        #expect(try store.note(store.create(NoteDraft(body: "\n# First line \nrest")).id).title == "First line")
    }

    @Test func countersChainAndRevisionsFollowEveryChange() throws {
        let note = try store.create(NoteDraft(body: "one"))
        _ = try store.edit(note.id) { $0.body = "two" }
        _ = try store.edit(note.id) { _ in }
        _ = try store.setTrashed(note.id, true)
        _ = try store.setTrashed(note.id, true)
        #expect(try store.counts().live == 0 && store.counts().trashed == 1)
        _ = try store.setTrashed(note.id, false)
        #expect(try store.counts().live == 1 && store.counts().trashed == 0)
        _ = try store.setTrashed(note.id, true)
        let other = try store.create(NoteDraft(body: "stays"))
        #expect(try revisionCount() == 6)
        #expect(try store.purgeTrash(limit: 10) == 1)
        #expect(try store.purgeTrash(limit: 10) == 0)
        #expect(try revisionCount() == 1)
        #expect(try store.counts().live == 1 && store.counts().trashed == 0)
        expect(.notFound) { try store.note(note.id) }

        let chain = try entries()
        #expect(chain.map(\.operation) == [.create, .edit, .trash, .restore, .trash, .create, .purge])
        #expect(chain.map(\.sequence) == Array(1...7))
        #expect(chain[1].parents == [chain[0].revisionID] && chain[6].parents == [chain[4].revisionID])
        #expect(chain[5].noteID == other.id && chain[5].parents.isEmpty)
        #expect(Set(chain.map(\.revisionID)).count == 7)
    }

    @Test func generationRisesWithEveryTransactionAndSurvivesTheClose() throws {
        let before = try store.counts().generation
        for number in 0..<4 { _ = try store.create(NoteDraft(body: "\(number)")) }
        #expect(try store.counts().generation == before + 4)
        try store.end()
        #expect(try vault.open().counts().generation == before + 4)
    }

    @Test func whatCouldNeverBeReadAgainIsNotWritten() throws {
        let long = String(repeating: "x", count: 4097)
        let note = try store.create(NoteDraft(body: "short"))
        expect(.empty) { try store.create(NoteDraft(body: "")) }
        expect(.empty) { try store.edit(note.id) { $0.body = "" } }
        expect(.tooLarge) { try store.create(NoteDraft(body: "x", title: long)) }
        expect(.tooLarge) { try store.edit(note.id) { $0.title = long } }
        expect(.tooLarge) { try store.edit(note.id) { $0.notebook = long } }
        expect(.tooLarge) { try store.edit(note.id) { $0.tags = [long] } }
        expect(.tooLarge) { try store.edit(note.id) { $0.tags = (0...256).map { "tag\($0)" } } }
        expect(.tooLarge) { try store.edit(note.id) { $0.source = long + long } }
        #expect(try store.note(note.id).body == "short")
        #expect(try store.counts().live == 1)
        _ = try store.edit(note.id) { $0.title = String(long.dropLast()) }
        #expect(try store.note(note.id).titleIsSet)
    }

    @Test func listsAreNewestFirstAndFiltered() throws {
        for number in 0..<5 {
            var draft = NoteDraft(body: "note \(number)")
            draft.modified = Int64(1000 * [3, 1, 4, 1, 5][number])
            draft.tags = number % 2 == 0 ? ["Äpfel", "äpfel"] : []
            draft.notebook = number < 2 ? "A/B" : ""
            _ = try store.create(draft)
        }
        func bodies(_ change: (inout NoteFilter) -> Void, offset: Int = 0, limit: Int = 10) throws -> [String] {
            var filter = NoteFilter()
            change(&filter)
            let notes = try store.list(filter, offset: offset, limit: limit)
            if offset == 0 && limit == 10 { #expect(try store.count(filter) == notes.count) }
            return notes.map(\.title)
        }
        #expect(try bodies { _ in } == ["note 4", "note 2", "note 0", "note 3", "note 1"])
        #expect(try bodies({ _ in }, offset: 1, limit: 2) == ["note 2", "note 0"])
        #expect(try bodies { $0.tag = "APFEL" } == ["note 4", "note 2", "note 0"])
        #expect(try bodies { $0.notebook = "A/B" } == ["note 0", "note 1"])
        #expect(try bodies { ($0.tag, $0.notebook) = ("äpfel", "A/B") } == ["note 0"])
        #expect(try bodies { $0.trashed = true } == [])
        _ = try store.setTrashed(store.resolve("note 4"), true)
        #expect(try bodies { $0.trashed = true } == ["note 4"])
        #expect(try bodies { $0.tag = "äpfel" } == ["note 2", "note 0"])
    }

    @Test func aNoteIsFoundByAPrefixOrItsTitleWhateverTheCase() throws {
        let note = try store.create(NoteDraft(body: "Groceries\nmilk"))
        let other = try store.create(NoteDraft(body: "Plan für Ostern"))
        #expect(try store.resolve(note.id.text) == note.id)
        #expect(try store.resolve(note.id.text.uppercased()) == note.id)
        #expect(try store.resolve(note.shortID) == note.id)
        #expect(try store.resolve("groceries") == note.id)
        #expect(try store.resolve("PLAN FUR OSTERN") == other.id)
        expect(.notFound) { try store.resolve("milk") }
        expect(.notFound) { try store.resolve("Plan") }
        expect(.notFound) { try store.resolve("") }
        let twin = try store.create(NoteDraft(body: "GROCERIES"))
        do {
            _ = try store.resolve("Groceries")
            Issue.record("two notes have this title")
        } catch {
            #expect(error.code == .ambiguous)
            #expect(Set(error.candidates.map(\.id)) == [note.id, twin.id])
        }
    }

    @Test func aWholeIdentifierWinsOverATitle() throws {
        let note = try store.create(NoteDraft(body: "real"))
        _ = try store.create(NoteDraft(body: note.id.text))
        #expect(try store.resolve(note.id.text) == note.id)
    }

    @Test func shortIdentifiersTellNotesApart() throws {
        let notes = try (0..<60).map { try store.create(NoteDraft(body: "\($0)")).id }
        for note in notes {
            let short = try store.shortID(note)
            #expect(short.count >= 4)
            #expect(notes.filter { $0.text.hasPrefix(short) } == [note])
        }
    }

    @Test func anImportRunTwiceDoublesNothing() throws {
        var drafts = (0..<3).map { number in
            var draft = NoteDraft(body: "imported \(number)")
            (draft.source, draft.modified) = ("folder\nfile \(number)", 5000)
            return draft
        }
        #expect(try store.importNotes(drafts, dryRun: true) == tally(created: 3))
        #expect(try store.counts().live == 0)
        #expect(try store.importNotes(drafts, dryRun: false) == tally(created: 3))
        #expect(try store.importNotes(drafts, dryRun: false) == tally(unchanged: 3))
        drafts[1].body = "changed outside"
        drafts[2].modified = 9000
        #expect(try store.importNotes(drafts, dryRun: true) == tally(updated: 1, unchanged: 2))
        #expect(try store.importNotes(drafts, dryRun: false) == tally(updated: 1, unchanged: 2))
        #expect(try store.counts().live == 3)
        #expect(try store.search("imported 1", limit: 10, page: 1, snippetColumns: 60).hits.isEmpty)
        #expect(try store.search("changed outside", limit: 10, page: 1, snippetColumns: 60).hits.count == 1)
        #expect(try revisionCount() == 4)
    }

    private func tally(created: Int = 0, updated: Int = 0, unchanged: Int = 0) -> ImportTally {
        var tally = ImportTally()
        (tally.created, tally.updated, tally.unchanged) = (created, updated, unchanged)
        return tally
    }

    @Test func aBatchWithOneBadNoteSavesNothing() throws {
        var bad = NoteDraft(body: "bad", title: String(repeating: "x", count: 5000))
        bad.source = "bad"
        expect(.tooLarge) { try store.importNotes([NoteDraft(body: "good"), bad], dryRun: false) }
        #expect(try store.counts().live == 0)
        #expect(try store.create(NoteDraft(body: "next")).title == "next")
    }
}
