// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SearchText
public import VaultFormat

/// `Books` reads the books of an open vault, and the notes in them. Filters and orders are the index's work.
public struct Books {
    let vault: OpenVault

    /// Returns one page of a list.
    public func list(_ query: BookQuery) throws(VaultError) -> BookPage {
        try vault.read { index in
            var page = BookPage()
            guard try index.hasBooks() else { return page }
            let filter = BookFilter(query)
            page.counts = try filter.counts(index.database)
            var (skipped, left) = (query.offset, query.limit)
            for shelf in query.shelf.map({ [$0] }) ?? BookShelf.shown where left > 0 {
                let count = page.counts[shelf] ?? 0
                if skipped < count {
                    let rows = try filter.rows(index.database, shelf, query.order, query.reverse, skipped, left)
                    page.books += try rows.map { try index.book($0) }
                    left -= rows.count
                }
                skipped = max(0, skipped - count)
            }
            return page
        }
    }

    /// Returns a book with all that its record says.
    ///
    /// - Throws: `VaultError.notFound`, `.notABook`, `.integrity`.
    public func book(_ id: NoteID) throws(VaultError) -> Book {
        try vault.history.naming(id) { () throws(VaultError) in
            try vault.read { index in
                let (record, details) = try index.bookRecord(id)
                let places = try index.places(in: id)
                let known = Set(details.chapters.map(\.id))
                return Book(
                    summary: try index.book(of: id, details), details: details, description: record.body,
                    source: record.source,
                    chapterNotes: details.chapters.map { chapter in places.count { $0.chapter == chapter.id } },
                    looseNotes: places.count { place in place.chapter.map { !known.contains($0) } ?? true })
            }
        }
    }

    /// Finds a book by a prefix of its identifier, by its title, or by words of its title and its authors.
    ///
    /// - Throws: `VaultError.notFound`, `.notABook`, `.ambiguous` with up to ten candidates.
    public func resolve(_ reference: String) throws(VaultError) -> NoteID {
        let found = try vault.read { index in try index.books(named: reference, limit: 11) }
        if found.isEmpty {
            // What names a note is no book: the answer says so.
            if (try? vault.notes.resolve(reference, takesParts: false)) != nil { throw VaultError(.notABook) }
            throw VaultError(.notFound, reference: .book(reference))
        }
        guard found.count == 1 else {
            let summaries = try vault.read { index in try found.prefix(10).map { try index.summary(of: $0) } }
            throw VaultError(.ambiguous, candidates: summaries)
        }
        return found[0]
    }

    /// Returns a book's notes by its chapters, in their order.
    ///
    /// - Parameter limit: notes at most; the sections and their counts are whole.
    /// - Throws: `VaultError.notFound`, `.notABook`.
    public func notes(of id: NoteID, offset: Int = 0, limit: Int) throws(VaultError) -> BookNotes {
        try vault.read { index in
            let details = try index.bookRecord(id).details
            let places = try index.places(in: id)
            let known = Set(details.chapters.map(\.id))
            var notes = BookNotes()
            notes.total = places.count
            var (skipped, left) = (offset, limit)
            let sections = Dictionary(grouping: places) { $0.chapter.flatMap { known.contains($0) ? $0 : nil } }
            for chapter in [nil] + details.chapters.map({ Optional($0) }) {
                let here = sections[chapter?.id] ?? []
                guard chapter != nil || !here.isEmpty else { continue }
                let shown = here.dropFirst(min(skipped, here.count)).prefix(left)
                skipped = max(0, skipped - here.count)
                left -= shown.count
                notes.sections.append(
                    BookNotes.Section(
                        chapter: chapter, notes: try shown.map { try index.summary(of: $0.note) }, count: here.count))
            }
            return notes
        }
    }

    /// Returns what was read, day by day, with days on which something was.
    public func days() throws(VaultError) -> [ReadingDay] {
        try vault.read { index in
            guard try index.hasBooks() else { return [] }
            let sql = """
                SELECT day, sum(pages) AS pages, sum(minutes) AS minutes, sum(finished) AS finished FROM bookDay
                GROUP BY day ORDER BY day
                """
            return try Row.fetchAll(index.database, sql: sql).map { row in
                ReadingDay(
                    day: UInt32(clamping: try row.integer("day")), pages: try row.count("pages"),
                    minutes: try row.count("minutes"), finished: try row.count("finished"))
            }
        }
    }

    /// Returns the book that contains a note, if it is a book and not in the trash, and the chapter.
    public func place(of record: BookPlace) throws(VaultError) -> (book: NoteSummary, chapter: BookChapter?)? {
        try vault.read { index in
            guard try index.isListedBook(record.book) else { return nil }
            let details = try index.bookRecord(record.book).details
            let chapter = details.chapters.first { $0.id == record.chapter }
            return (try index.summary(of: record.book), chapter)
        }
    }
}

extension OpenVault {
    /// Books, and the notes in them.
    public var books: Books { Books(vault: self) }
}
