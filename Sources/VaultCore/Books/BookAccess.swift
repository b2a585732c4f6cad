// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SearchText
internal import VaultFormat

/// A `BookFilter` is a query as SQL.
struct BookFilter {
    let condition: String
    let values: [any DatabaseValueConvertible]

    init(_ query: BookQuery) {
        let words = query.words.split(whereSeparator: \.isWhitespace)
            .map { String(decoding: TextFold.fold(String($0)), as: UTF8.self) }.filter { !$0.isEmpty }.prefix(16)
        condition = words.map { _ in " AND instr(book.words, ?) > 0" }.joined()
        values = Array(words)
    }

    func counts(_ database: Database) throws -> [BookShelf: Int] {
        let sql = "SELECT shelf, count(*) AS books FROM book WHERE 1\(condition) GROUP BY shelf"
        let rows = try Row.fetchAll(database.cachedStatement(sql), arguments: StatementArguments(values))
        var counts: [BookShelf: Int] = [:]
        for row in rows {
            if let shelf = BookShelf(rawValue: UInt8(clamping: try row.integer("shelf"))) {
                counts[shelf] = try row.count("books")
            }
        }
        return counts
    }

    func rows(
        _ database: Database, _ shelf: BookShelf, _ order: BookQuery.Order, _ reverse: Bool, _ offset: Int,
        _ limit: Int
    ) throws -> [Row] {
        let (column, falls) =
            switch order {
            case .added: ("book.added", true)
            case .title: ("note.titleKey", false)
            case .author: ("book.authors", false)
            case .rating: ("book.rating", true)
            case .finished: ("book.finished", true)
            case .progress: ("book.percent", true)
            }
        let direction = falls != reverse ? "DESC" : "ASC"
        let sql = """
            SELECT \(IndexColumns.book), note.* FROM book JOIN note ON note.row = book.row
            WHERE book.shelf = ?\(condition) ORDER BY \(column) \(direction), book.row \(direction) LIMIT ? OFFSET ?
            """
        let values = [Int64(shelf.rawValue)] + values + [limit, offset]
        return try Row.fetchAll(database.cachedStatement(sql), arguments: StatementArguments(values))
    }
}

/// Names the columns of a book's row beside those of its note's.
private enum IndexColumns {
    static let book = """
        book.shelf, book.added, book.started, book.finished, book.rating, book.pages, book.page, book.percent,
        book.hasCover, book.authors
        """
}

extension IndexAccess {
    /// Whether there can be books: an index that was opened on a disk that cannot be written may lack their tables.
    func hasBooks() throws -> Bool { try IndexState.fetch(database).schema >= Schema.firstWithBooks }

    func isBook(_ id: NoteID) throws -> Bool {
        let row = try database.cachedStatement("SELECT features FROM note WHERE id = ?").row([id.bytes.blob])
        return try row.map { NoteFeatures(rawValue: try $0.integer("features")).contains(.book) } ?? false
    }

    /// Whether a note is a book that is not in the trash.
    func isListedBook(_ id: NoteID) throws -> Bool {
        try database.cachedStatement("SELECT 1 FROM note WHERE id = ? AND place = \(NotePlace.book.rawValue)")
            .row([id.bytes.blob]) != nil
    }

    /// Returns a book's record.
    ///
    /// - Throws: `VaultError.notFound`, `.notABook`, `.integrity`.
    func bookRecord(_ id: NoteID) throws -> (record: NoteRecord, details: BookDetails) {
        guard try isPresent(id) else { throw VaultError(.notFound) }
        guard try isBook(id) else { throw VaultError(.notABook) }
        let record = try head(of: id).record
        guard let details = record.book else { throw VaultError(.notABook) }
        return (record, details)
    }

    /// Makes what a list shows of a row.
    func book(_ row: Row) throws -> BookSummary {
        let note = try summary(row)
        guard let shelf = BookShelf(rawValue: UInt8(clamping: try row.integer("shelf"))) else {
            throw VaultError(.integrity)
        }
        let authors = try row.text("authors")
        return BookSummary(
            note: note, shelf: shelf,
            authors: authors.isEmpty ? [] : authors.split(separator: "\n").map(String.init),
            started: UInt32(clamping: try row.integer("started")),
            finished: UInt32(clamping: try row.integer("finished")),
            rating: UInt8(clamping: try row.integer("rating")), pages: UInt32(clamping: try row.integer("pages")),
            page: UInt32(clamping: try row.integer("page")), percent: UInt32(clamping: try row.integer("percent")),
            hasCover: try row.flag("hasCover"), added: try row.integer("added"), noteCount: try noteCount(in: note.id))
    }

    /// Makes what a list would show of a book, wherever it lies.
    func book(of id: NoteID, _ details: BookDetails) throws -> BookSummary {
        let (reading, progress) = (details.readings.last, ReadingProgress(details))
        return BookSummary(
            note: try summary(of: id), shelf: details.shelf, authors: details.authors, started: reading?.started ?? 0,
            finished: reading?.finished ?? 0, rating: details.rating, pages: details.pages, page: progress.page,
            percent: progress.percent, hasCover: details.cover != nil, added: details.added,
            noteCount: try noteCount(in: id))
    }

    private func noteCount(in book: NoteID) throws -> Int {
        let row = try database.cachedStatement("SELECT count(*) AS notes FROM bookNote WHERE book = ?")
            .row([book.bytes.blob])
        return try row?.count("notes") ?? 0
    }

    /// Returns the notes of a book, in the order of their positions; private ones while they are unlocked.
    func places(in book: NoteID) throws -> [(note: NoteID, chapter: ChapterID?, position: Int64)] {
        let sql = """
            SELECT bookNote.chapter AS chapter, bookNote.position AS position, note.id AS id FROM bookNote
            JOIN note ON note.row = bookNote.row WHERE bookNote.book = ? ORDER BY bookNote.position, note.id
            """
        var places: [(note: NoteID, chapter: ChapterID?, position: Int64)] = []
        for row in try Row.fetchAll(database.cachedStatement(sql), arguments: [book.bytes.blob]) {
            let chapter = try row.bytes("chapter")
            places.append(
                (
                    try NoteID(row.bytes("id")), chapter.isEmpty ? nil : try ChapterID(chapter),
                    try row.integer("position")
                ))
        }
        for note in try unlockedNotes() where note.place.isSearched {
            guard let place = note.record.bookPlace, place.book == book else { continue }
            let at =
                places.firstIndex { ($0.position, $0.note.text) > (place.position, note.id.text) } ?? places.count
            places.insert((note.id, place.chapter, place.position), at: at)
        }
        return places
    }

    /// Returns books by what a person calls them: by a whole identifier; else by the beginning of one and by a whole
    /// title together; else by words.
    func books(named reference: String, limit: Int) throws -> [NoteID] {
        guard try hasBooks() else { return [] }
        var named: [NoteID] = []
        if reference.utf8.count >= 2, let (low, high) = Base32.bounds(prefix: reference, byteCount: NoteID.byteCount) {
            named = try ids(
                "SELECT id FROM note WHERE id BETWEEN ? AND ? AND features & \(NoteFeatures.book.rawValue) ORDER BY id LIMIT ?",
                [low.blob, high.blob, limit])
            if reference.utf8.count == NoteID.textCharacterCount, !named.isEmpty { return named }
        }
        let folded = TextFold.fold(reference)
        let titled = try ids(
            "SELECT id FROM note WHERE titleKey = ? AND place = \(NotePlace.book.rawValue) ORDER BY row DESC LIMIT ?",
            [NoteText.key(folded).blob, limit]
        ).filter { TextFold.fold(try summary(of: $0).title) == folded }
        named += titled.filter { !named.contains($0) }
        if !named.isEmpty { return named }
        var query = BookQuery()
        query.words = reference
        let filter = BookFilter(query)
        guard !filter.values.isEmpty else { return [] }
        return try ids(
            "SELECT note.id AS id FROM book JOIN note ON note.row = book.row WHERE 1\(filter.condition) LIMIT ?",
            filter.values + [limit])
    }

    /// Returns the notes that stand in the books or chapters of a condition, private ones while they are unlocked; nil
    /// for another condition.
    func notesOfBooks(_ condition: NoteQuery.Condition) throws -> Set<PackedID>? {
        switch condition {
        case .book(let name): return try hasBooks() ? notes(inBooks: books(folded: name)) : []
        case .chapter(let title): return try hasBooks() ? notes(inChapters: title) : []
        case .text, .title, .tag, .notebook, .created, .modified, .has, .state: return nil
        }
    }

    private func notes(inBooks books: [NoteID]) throws -> Set<PackedID> {
        var notes: Set<PackedID> = []
        let statement = try database.cachedStatement(
            "SELECT note.id FROM bookNote JOIN note ON note.row = bookNote.row WHERE bookNote.book = ?")
        for book in books {
            for row in try Row.fetchAll(statement, arguments: [book.bytes.blob]) {
                notes.insert(PackedID(try NoteID(row.bytes("id"))))
            }
        }
        let known = Set(books)
        for note in try unlockedNotes() where note.record.bookPlace.map({ known.contains($0.book) }) == true {
            notes.insert(PackedID(note.id))
        }
        return notes
    }

    private func notes(inChapters title: [UInt8]) throws -> Set<PackedID> {
        let sql = """
            SELECT note.id AS id FROM bookChapter JOIN note AS book ON book.row = bookChapter.row
            JOIN bookNote ON bookNote.book = book.id AND bookNote.chapter = bookChapter.chapter
            JOIN note ON note.row = bookNote.row WHERE instr(bookChapter.title, ?) > 0
            """
        let wanted = String(decoding: title, as: UTF8.self)
        var notes: Set<PackedID> = []
        for row in try Row.fetchAll(database.cachedStatement(sql), arguments: [wanted]) {
            notes.insert(PackedID(try NoteID(row.bytes("id"))))
        }
        for note in try unlockedNotes() {
            guard let place = note.record.bookPlace, let chapter = place.chapter, try isListedBook(place.book) else {
                continue
            }
            let found = try bookRecord(place.book).details.chapters.first { $0.id == chapter }
            let folded = found.map { String(decoding: TextFold.fold($0.title), as: UTF8.self) }
            if folded?.contains(wanted) == true { notes.insert(PackedID(note.id)) }
        }
        return notes
    }

    /// Returns the books that a search names: by an identifier, or by words of title and authors.
    private func books(folded name: [UInt8]) throws -> [NoteID] {
        let name = String(decoding: name, as: UTF8.self)
        if name.utf8.count == NoteID.textCharacterCount,
            let (low, _) = Base32.bounds(prefix: name, byteCount: NoteID.byteCount),
            let id = try? NoteID(low), try isBook(id)
        {
            return [id]
        }
        var query = BookQuery()
        query.words = name
        let filter = BookFilter(query)
        return try ids(
            "SELECT note.id AS id FROM book JOIN note ON note.row = book.row WHERE 1\(filter.condition)",
            filter.values)
    }

    private func ids(_ sql: String, _ values: [any DatabaseValueConvertible]) throws -> [NoteID] {
        try Row.fetchAll(database.cachedStatement(sql), arguments: StatementArguments(values))
            .map { try NoteID($0.bytes("id")) }
    }
}
