// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

@testable import VaultCore

/// Lists, and notes by identifier or title.
struct NoteFindingTests {
    private let vault: TestVault
    private let store: OpenVault

    init() throws {
        vault = try TestVault()
        store = try vault.open()
    }

    @Test func listsAreNewestFirstAndFiltered() throws {
        for number in 0..<5 {
            var draft = NoteDraft(body: "note \(number)")
            draft.modified = Int64(1000 * [3, 1, 4, 1, 5][number])
            draft.tags = number % 2 == 0 ? ["Äpfel", "äpfel"] : []
            draft.notebook = number < 2 ? "A/B" : ""
            _ = try store.notes.create(draft)
        }
        func bodies(_ change: (inout FilteredSearch) -> Void) throws -> [String] {
            let (notes, total) = try found(store, change)
            #expect(total == notes.count)
            return notes.map(\.title)
        }
        let all = ["note 4", "note 2", "note 0", "note 3", "note 1"]
        #expect(try bodies { _ in } == all && store.notes.list(NoteFilter(), offset: 0, limit: 10).map(\.title) == all)
        #expect(
            try store.notes.list(NoteFilter(), offset: 1, limit: 2).map(\.title) == ["note 2", "note 0"]
                && store.notes.count(NoteFilter()) == 5)
        #expect(try bodies { $0.tag = "APFEL" } == ["note 4", "note 2", "note 0"])
        #expect(try bodies { $0.notebook = "A/B" } == ["note 0", "note 1"])
        #expect(try bodies { ($0.tag, $0.notebook) = ("äpfel", "A/B") } == ["note 0"])
        #expect(try bodies { $0.places = [.trash] } == [] && store.notes.count(.inTrash) == 0)
        _ = try store.notes.setTrashed(store.notes.resolve("note 4"), true)
        #expect(
            try bodies { $0.places = [.trash] } == ["note 4"]
                && store.notes.list(.inTrash, offset: 0, limit: 10).map(\.title) == ["note 4"])
        #expect(try bodies { $0.tag = "äpfel" } == ["note 2", "note 0"])
    }

    @Test func aNoteIsFoundByAPrefixOrItsTitleWhateverTheCase() throws {
        let note = try store.notes.create(NoteDraft(body: "Groceries\nmilk"))
        let other = try store.notes.create(NoteDraft(body: "Plan für Ostern"))
        #expect(try store.notes.resolve(note.id.text) == note.id)
        #expect(try store.notes.resolve(note.id.text.uppercased()) == note.id)
        #expect(try store.notes.resolve(note.shortID) == note.id)
        #expect(try store.notes.resolve("groceries") == note.id)
        #expect(try store.notes.resolve("PLAN FUR OSTERN") == other.id)
        expect(.notFound) { try store.notes.resolve("milk") }
        #expect(try store.notes.resolve("Plan") == other.id && store.notes.resolve("ostern") == other.id)
        expect(.notFound) { try store.notes.resolve("Plan", takesParts: false) }
        expect(.notFound) { try store.notes.resolve("") }
        let twin = try store.notes.create(NoteDraft(body: "GROCERIES"))
        do {
            _ = try store.notes.resolve("Groceries")
            Issue.record("two notes have this title")
        } catch {
            #expect(error.code == .ambiguous)
            #expect(Set(error.candidates.map(\.id)) == [note.id, twin.id])
        }
    }

    @Test func aWholeIdentifierWinsOverATitle() throws {
        let note = try store.notes.create(NoteDraft(body: "real"))
        _ = try store.notes.create(NoteDraft(body: note.id.text))
        #expect(try store.notes.resolve(note.id.text) == note.id)
    }

    /// Nobody was shown so little of one, and in a vault of thousands each short word is the beginning of one.
    @Test func aShortTitleWinsOverTheBeginningOfAnIdentifier() throws {
        let note = try store.notes.create(NoteDraft(body: "real"))
        for count in 2...3 {
            let titled = try store.notes.create(NoteDraft(body: String(note.id.text.prefix(count))))
            #expect(try store.notes.resolve(String(note.id.text.prefix(count))) == titled.id)
        }
        let shown = String(note.id.text.prefix(4))
        _ = try store.notes.create(NoteDraft(body: shown))
        expect(.ambiguous, "a title must not take the place of what a list shows") { try store.notes.resolve(shown) }
    }

    @Test func whatIsInTheTrashDoesNotStandInTheWay() throws {
        let old = try store.notes.create(NoteDraft(body: "Pear"))
        _ = try store.notes.setTrashed(old.id, true)
        #expect(try store.notes.resolve("pear") == old.id, "it can still be named")
        let new = try store.notes.create(NoteDraft(body: "Pear"))
        #expect(try store.notes.resolve("pear") == new.id)
        #expect(try store.notes.resolve("pear", isInTrash: true) == old.id, "to be brought back")
        let third = try store.notes.create(NoteDraft(body: "Pear"))
        expect(.ambiguous) { try store.notes.resolve("pear") }
        _ = try store.notes.setTrashed(third.id, true)
        #expect(try store.notes.resolve("pear") == new.id)
    }

    @Test func shortIdentifiersTellNotesApart() throws {
        let notes = try (0..<60).map { try store.notes.create(NoteDraft(body: "\($0)")).id }
        for note in notes {
            let short = try store.notes.shortID(note)
            #expect(short.count >= 4)
            #expect(notes.filter { $0.text.hasPrefix(short) } == [note])
        }
    }
}

/// One page of a list by time of modification, and how many fit in all.
func found(_ store: OpenVault, _ change: (inout FilteredSearch) -> Void) throws -> (notes: [NoteSummary], total: Int?) {
    var search = FilteredSearch()
    search.order = .modified
    change(&search)
    let scan = try FilteredScan(store, search)
    while try scan.step() {}
    return (scan.notes, scan.total)
}
