// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import SearchText
import Testing
import VaultFormat

@testable import VaultCore

/// docs/format.md §9.1: books, their shelves, chapters and notes.
struct BookTests {
    static let day: UInt32 = 20_000

    static func details(_ shelf: BookShelf = .wishlist, pages: UInt32 = 400) -> BookDetails {
        var details = BookDetails(shelf: shelf, added: 1_700_000_000_000)
        (details.authors, details.pages) = (["Frank Herbert"], pages)
        details.identifiers = [BookIdentifier(kind: "isbn13", value: "9780441013593")]
        return details
    }

    static func add(_ title: String, _ store: OpenVault, _ shelf: BookShelf = .wishlist) throws -> NoteID {
        try store.books.add(BookDraft(title: title, details(shelf))).note.id
    }

    private static func note(
        _ text: String, in book: NoteID, _ chapter: String?, _ store: OpenVault
    ) throws -> NoteID {
        var draft = NoteDraft(body: text)
        draft.place = NewPlace(book: book, chapter: chapter)
        return try store.notes.create(draft).id
    }

    private static func texts(of book: NoteID, _ store: OpenVault) throws -> [String: [String]] {
        let notes = try store.books.notes(of: book, limit: 100)
        return Dictionary(uniqueKeysWithValues: notes.sections.map { ($0.chapter?.title ?? "", $0.notes.map(\.title)) })
    }

    @Test func onlyABookThatIsBeingReadIsArchived() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let book = try Self.add("Dune", store)
        for move in [ShelfMove.archive, .finish] {
            let error = #expect(throws: VaultError.self) { try store.books.move(book, move, day: Self.day) }
            #expect(error?.code == .wrongShelf && error?.found == UInt64(BookShelf.wishlist.rawValue))
        }
        #expect(try store.books.move(book, .start, day: Self.day).shelf == .reading)
        let finished = try store.books.move(book, .finish, day: Self.day + 9, rating: 18)
        #expect(finished.shelf == .archived && finished.finished == Self.day + 9 && finished.rating == 18)
        let again = try store.books.move(book, .start, day: Self.day + 100)
        #expect(again.shelf == .reading && again.finished == 0)
        #expect(try store.books.book(book).details.readings.count == 2)
        #expect(try store.books.move(book, .archive, day: Self.day + 101).shelf == .archived)
        try store.end()
    }

    @Test func aBookIsNoNoteInListsAndSearches() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let book = try Self.add("Dune", store)
        _ = try store.notes.create(NoteDraft(body: "Dune, seen"))
        #expect(try store.notes.list(NoteFilter(), offset: 0, limit: 10).map(\.title) == ["Dune, seen"])
        #expect(
            try store.search.find("dune", limit: 10, page: 1, snippetColumns: 40).hits.map(\.note.title) == [
                "Dune, seen"
            ])
        #expect(try store.notes.counts().notes[.book] == 1 && store.books.resolve("herbert") == book)
        #expect(throws: VaultError.self) {
            try store.notes.modify([book], .flag(.archived, true), ChangeGroup(.archive))
        }
        #expect(throws: VaultError.self) { try store.makePrivate(book) }
        let note = try store.notes.resolve("Dune, seen")
        #expect(throws: VaultError.self) { try store.notes.join([note, book]) }
        #expect(throws: VaultError.self) { try store.books.book(note) }
        try store.end()
    }

    @Test func notesStandInTheOrderOfChaptersAndPlaces() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let book = try Self.add("Dune", store, .reading)
        _ = try store.books.putChapter("1. Arrakis", in: book, before: nil)
        let notes = try ["a", "b", "c"].map { try Self.note($0, in: book, "1", store) }
        _ = try Self.note("d", in: book, "2. Sand", store)
        _ = try Self.note("loose", in: book, nil, store)
        #expect(
            try Self.texts(of: book, store) == ["": ["loose"], "1. Arrakis": ["a", "b", "c"], "2. Sand": ["d"]])
        _ = try store.books.put([notes[2]], NewPlace(book: book, chapter: "1", .before(notes[0])))
        #expect(try Self.texts(of: book, store)["1. Arrakis"] == ["c", "a", "b"])
        _ = try store.books.put([notes[2]], NewPlace(book: book, chapter: "2", .first))
        #expect(try Self.texts(of: book, store)["2. Sand"] == ["c", "d"])
        _ = try store.books.putChapter("2. Sand", in: book, before: "1. Arrakis", mustExist: true)
        #expect(try store.books.book(book).details.chapters.map(\.title) == ["2. Sand", "1. Arrakis"])
        _ = try store.books.removeChapter("2. Sand", in: book)
        #expect(try Set(Self.texts(of: book, store)[""] ?? []) == ["loose", "c", "d"])
        _ = try store.books.put([notes[0]], nil)
        #expect(try store.books.book(book).summary.noteCount == 4)
        try store.end()
    }

    /// Each move halves the room between two notes; at last all that stand behind get new places.
    @Test func manyMovesBetweenTwoNotesKeepTheirOrder() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let book = try Self.add("Dune", store, .reading)
        let first = try Self.note("first", in: book, nil, store)
        let last = try Self.note("last", in: book, nil, store)
        var order: [String] = []
        for number in 0..<30 {
            let note = try Self.note("n\(number)", in: book, nil, store)
            _ = try store.books.put([note], NewPlace(book: book, .after(first)))
            order.insert("n\(number)", at: 0)
        }
        #expect(try Self.texts(of: book, store)[""] == ["first"] + order + ["last"])
        _ = try store.books.put([last], NewPlace(book: book, .first))
        #expect(try Self.texts(of: book, store)[""]?.first == "last")
        #expect(try store.problems().isEmpty)
        try store.end()
    }

    @Test func aBookThatIsRemovedLeavesItsNotesAndComesBackWithThem() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let book = try Self.add("Dune", store, .reading)
        let note = try Self.note("kept", in: book, "1", store)
        #expect(try store.books.remove(book, withNotes: false) == 0)
        #expect(try store.notes.note(note).place == .live && store.books.list(BookQuery()).books.isEmpty)
        _ = try store.notes.setTrashed(book, false)
        #expect(try Self.texts(of: book, store)["1"] == ["kept"])
        #expect(try store.books.remove(book, withNotes: true) == 1)
        #expect(try store.notes.note(note).place == .trash)
        var step = try store.history.undo(limit: 100)
        while let part = step, !part.isWhole {
            step = try store.history.undo(limit: 100, continuing: part.command)
        }
        #expect(try Self.texts(of: book, store)["1"] == ["kept"] && store.notes.note(note).place == .live)
        try store.end()
    }

    @Test func searchesFindNotesByBookAndChapter() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let (dune, emma) = (try Self.add("Dune", store), try Self.add("Emma", store))
        let sand = try Self.note("about sand", in: dune, "2. Sand", store)
        let arrakis = try Self.note("about a planet", in: dune, "1. Arrakis", store)
        let other = try Self.note("about a ball", in: emma, "2. Sand", store)
        #expect(try Self.found("book:dune", store) == [sand, arrakis])
        #expect(try Self.found("chapter:sand", store) == [sand, other])
        #expect(try Self.found("book:dune chapter:sand", store) == [sand])
        #expect(try Self.found("about -book:dune", store) == [other])
        #expect(try Self.found("book:\(emma.text)", store) == [other])
        #expect(try Self.found("book:nothing", store).isEmpty)
        try store.end()
    }

    private static func found(_ query: String, _ store: OpenVault) throws -> Set<NoteID> {
        let parsed = try NoteQuery(query, clock: QueryClock(now: 0) { _ in 0 })
        return try Set(
            VaultCoreTests.found(store) { search in
                search.places = [.live, .archive]
                search.query = parsed
            }.notes.map(\.id))
    }

    @Test func aPrivateNoteShowsItsBookOnlyWhileItIsUnlocked() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let book = try Self.add("Dune", store)
        let note = try Self.note("secret", in: book, "1", store)
        try store.makePrivate(note)
        try store.openPrivate(note)
        #expect(try Self.texts(of: book, store)["1"] == ["secret"])
        store.privateNotes.relock(note)
        #expect(try Self.texts(of: book, store)["1"] == [] && store.books.book(book).chapterNotes == [0])
        #expect(try store.problems().isEmpty)
        try store.end()
    }

    @Test func theListsOfBooksAreThoseThatAreMadeAnew() throws {
        let vault = try TestVault()
        var store = try vault.open()
        let book = try Self.add("Dune", store, .reading)
        _ = try Self.note("a", in: book, "1", store)
        _ = try store.books.log(book, day: Self.day, .page, 50, "slow start")
        let tables = ["book", "bookNote", "bookDay", "bookChapter"]
        let rows = { (store: OpenVault) in
            try tables.map { table in
                try store.read { try Row.fetchAll($0.database, sql: "SELECT * FROM \(table)").map(\.count) }
            }
        }
        let before = try rows(store)
        #expect(before.allSatisfy { !$0.isEmpty })
        _ = try store.checks.rebuildIndex()
        #expect(try rows(store) == before && store.problems().isEmpty)
        // A check finds each table that says something else.
        for change in [
            "UPDATE book SET shelf = 3", "UPDATE bookNote SET position = 0", "UPDATE bookDay SET pages = 1",
            "UPDATE bookChapter SET title = 'x'", "DELETE FROM bookDay", "INSERT INTO bookDay VALUES(99, 1, 1, 1, 1)",
        ] {
            try store.write { try $0.database.execute(sql: change) }
            #expect(try !store.problems().isEmpty, "\(change)")
            _ = try store.checks.rebuildIndex()
        }
        try store.end()
        store = try vault.open()
        #expect(try store.books.list(BookQuery()).books.first?.percent == 12)
        try store.end()
    }
}

extension OpenVault {
    /// What a check of all of it finds.
    fileprivate func problems() throws -> [CheckProblem] {
        let check = VaultCheck(self)
        while try check.step() {}
        return check.report.problems
    }
}
