// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

@testable import VaultCore

/// What must not happen to a book: docs/format.md §9.1, threat X67.
struct BookFaultTests {
    private let vault: TestVault
    private let store: OpenVault
    private let book: NoteID

    init() throws {
        vault = try TestVault()
        store = try vault.open()
        book = try BookTests.add("Dune", store, .reading)
    }

    private func note(_ text: String, _ place: NewPlace? = nil) throws -> NoteID {
        var draft = NoteDraft(body: text)
        draft.place = place ?? NewPlace(book: book)
        return try store.notes.create(draft).id
    }

    private func order() throws -> [[String]] {
        try store.books.notes(of: book, limit: 100).sections.map { $0.notes.map(\.title) }
    }

    private func put(_ note: NoteID, at position: Int64) throws {
        try store.change(.edit) { transaction in
            let head = try transaction.head(of: note)
            var record = head.record
            record.bookPlace = BookPlace(book: book, chapter: nil, position: position)
            try transaction.apply(record, .edit, replacing: (head.revision, head.record))
        }
    }

    @Test func aCoverThatIsTakenOffIsNoCoverAnyMore() throws {
        _ = try store.addAttachment("cover.jpg", [1, 2, 3], to: book)
        let cover = try #require(try store.attachments.all(of: book).first)
        _ = try store.books.change(book, .bookEdit) { $1.cover = cover.id }
        _ = try store.attachments.remove([cover.id], from: book)
        #expect(try store.books.book(book).details.cover == nil && store.attachments.all(of: book).isEmpty)
        try store.end()
    }

    @Test(arguments: [Int64.max, .min, Int64.max - 1]) func aPositionAtTheEndOfItsRangeStopsNobody(far: Int64) throws {
        let first = try note("first")
        try put(first, at: far)
        let second = try note("second")
        _ = try note("before", NewPlace(book: book, .before(first)))
        _ = try note("after", NewPlace(book: book, .after(first)))
        _ = try note("start", NewPlace(book: book, .first))
        #expect(try order() == [["start", "before", "first", "after", "second"]])
        _ = try store.books.put([second], NewPlace(book: book, .first))
        #expect(try order() == [["second", "start", "before", "first", "after"]])
        try store.end()
    }

    @Test func beforeANoteMeansInItsChapter() throws {
        let there = try note("there", NewPlace(book: book, chapter: "1"))
        let moved = try note("moved")
        _ = try store.books.put([moved], NewPlace(book: book, .before(there)))
        #expect(try order() == [["moved", "there"]])
        let elsewhere = try store.notes.create(NoteDraft(body: "elsewhere")).id
        for place in [NewPlace(book: book, .after(elsewhere)), NewPlace(book: book, chapter: "2", .before(there))] {
            let error = #expect(throws: VaultError.self) { try store.books.put([moved], place) }
            #expect(error?.code == .notInBook)
        }
        #expect(try order() == [["moved", "there"]])
        try store.end()
    }

    @Test func aNoteOfARemovedChapterStandsWithThoseOfNone() throws {
        let old = try note("old", NewPlace(book: book, chapter: "1"))
        _ = try store.books.removeChapter("1", in: book)
        _ = try note("new")
        #expect(try order() == [["old", "new"]])
        _ = try note("first", NewPlace(book: book, .before(old)))
        #expect(try order() == [["first", "old", "new"]])
        try store.end()
    }

    @Test func aTitleIsNotHiddenByTheBeginningOfAnIdentifier() throws {
        let other = try BookTests.add(String(book.text.prefix(2)), store)
        let found = try store.read { try $0.books(named: String(book.text.prefix(2)), limit: 5) }
        #expect(Set(found).isSuperset(of: [book, other]))
        #expect(try store.books.resolve(book.text) == book)
        try store.end()
    }

    @Test func aBookKeepsItsTitle() throws {
        #expect(throws: VaultError.self) { try store.notes.modify([book], .title(nil), ChangeGroup(.edit)) }
        #expect(try store.notes.note(book).title == "Dune")
        try store.end()
    }

    @Test func howFarABookWasReadGoesByDays() throws {
        _ = try store.books.log(book, day: BookTests.day + 2, .page, 120, "")
        _ = try store.books.log(book, day: BookTests.day + 1, .page, 50, "")
        #expect(try store.books.book(book).summary.page == 120)
        try store.end()
    }

    @Test func aSourceThatKnowsLessTakesNothingAway() throws {
        var full = BookDetails(shelf: .wishlist, added: 0)
        (full.authors, full.subtitle, full.publishers) = (["A"], "A life", ["House"])
        (full.published, full.language) = ("2002", "eng")
        full.readings = [BookReading(started: 20_100)]
        var bare = BookDetails(shelf: .wishlist, added: 0)
        bare.authors = ["A"]
        bare.readings = [BookReading(started: 0, finished: 19_000)]
        let merged = try ImportedBook(bare).details(of: book, over: full, cover: nil)
        var expected = full
        expected.readings = bare.readings + full.readings
        #expect(merged == expected)
        // The same reading, of which the source knows the end alone.
        full.readings = [BookReading(started: 18_990, finished: 19_000)]
        #expect(try ImportedBook(bare).details(of: book, over: full, cover: nil) == full)
        try store.end()
    }

    @Test func anImportThatKnowsLessKeepsTextTagsAndPlaces() throws {
        var draft = NoteDraft(body: "A planet.", title: "Clippings")
        (draft.tags, draft.source) = (["sf"], "kindle\n\na")
        var imported = ImportedNote(draft)
        imported.book = ImportedBook(BookTests.details())
        var highlight = ImportedNote(NoteDraft(body: "Fear"))
        (highlight.draft.source, highlight.id) = ("kindle\n\nb", try store.notes.newID())
        highlight.place = ImportedPlace(book: book, chapter: "", position: nil)
        func save() throws -> ImportTally {
            try store.imports.save([imported, highlight], dryRun: false, ChangeGroup(.import))
        }
        #expect(try save().created == 2)
        let note = try #require(highlight.id)
        _ = try store.books.put([note], nil)
        (imported.draft.body, imported.draft.tags) = ("", [])
        let again = try save()
        #expect(again.unchanged == 2 && again.updated == 0)
        let kept = try #require(try store.imports.notes(from: ["kindle\n\na"])["kindle\n\na"])
        #expect(try store.notes.note(kept).body == "A planet." && store.notes.note(kept).tags == ["sf"])
        #expect(try store.notes.note(note).bookPlace == nil)
        try store.end()
    }

    @Test func aBookWithoutATitleCanBeThrownAway() throws {
        try store.change(.edit) { transaction in
            let head = try transaction.head(of: book)
            var record = head.record
            record.title = nil
            try transaction.apply(record, .edit, replacing: (head.revision, head.record))
        }
        _ = try note("a note")
        #expect(try store.books.remove(book, withNotes: true) == 1)
        #expect(try store.notes.list(.inTrash, offset: 0, limit: 10).count == 2)
        try store.end()
    }

    @Test func joinedWithoutWhatBothCameFromTheFirstShelfCounts() throws {
        let (first, second) = (BookTests.details(.archived), BookTests.details(.wishlist))
        let joined = RoleJoin(base: .note, first: .book(first), second: .book(second)).settled
        #expect(joined == .book(first))
        try store.end()
    }

    @Test func whatABookCannotHoldIsNamedAndTheRestIsThere() throws {
        var full = BookTests.details(.reading)
        full.readings = [BookReading(started: 20_000)]
        _ = try store.books.change(book, .bookEdit) { $1 = full }
        var more = BookDetails(shelf: .wishlist, added: 0)
        more.readings = (1...256).map { BookReading(started: UInt32($0), finished: UInt32($0)) }
        more.identifiers = (0..<64).map { BookIdentifier(kind: "shop", value: "\($0)") }
        let imported = ImportedBook(more)
        #expect(try store.imports.leftOut(of: imported, over: book) == ["identifiers", "readings"])
        let joined = try imported.details(of: book, over: full, cover: nil)
        #expect(joined.isWithinLimits && joined.readings.count == 256 && joined.readings.last == full.readings.last)
        #expect(joined.identifiers.first == full.identifiers.first)
        try store.end()
    }
}
