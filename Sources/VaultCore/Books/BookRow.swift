// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SearchText
internal import VaultFormat

/// `BookRow` is what the lists of books have of one: its row of `book`, and what was read on each day.
///
/// Spec: docs/format.md §13.
enum BookRow {
    /// What a list of books looks for words in: title, subtitle, authors and identifiers, folded, each on a line.
    static func words(_ record: NoteRecord, _ book: BookDetails) -> [UInt8] {
        let lines = [NoteText.title(record), book.subtitle] + book.authors + book.identifiers.map(\.value)
        return Array(lines.map { TextFold.fold($0) }.joined(separator: [0x0A])).map { $0 == 0 ? 0x20 : $0 }
    }

    /// The values of its row, in the order of the columns behind `row`.
    static func values(_ record: NoteRecord, _ book: BookDetails) -> [DatabaseValue] {
        let reading = book.readings.last
        let progress = ReadingProgress(book)
        return [
            Int64(book.shelf.rawValue).databaseValue, book.added.databaseValue,
            Int64(reading?.started ?? 0).databaseValue, Int64(reading?.finished ?? 0).databaseValue,
            Int64(book.rating).databaseValue, Int64(book.pages).databaseValue, Int64(progress.page).databaseValue,
            Int64(progress.percent).databaseValue, (book.cover != nil).databaseValue,
            book.authors.joined(separator: "\n").replacingNULs.databaseValue,
            String(decoding: words(record, book), as: UTF8.self).databaseValue,
        ]
    }

    /// Tells whether the lists of books have what a record says, and nothing of a record that is not in them.
    static func fits(_ database: Database, _ row: Int64, _ record: NoteRecord) throws -> Bool {
        guard try IndexState.fetch(database).schema >= Schema.firstWithBooks else { return true }
        let place = NotePlace(record.flags)
        let book = try database.cachedStatement("SELECT * FROM book WHERE row = ?").row([row])
        let days = try Row.fetchAll(
            database.cachedStatement("SELECT day, pages, minutes, finished FROM bookDay WHERE row = ? ORDER BY day"),
            arguments: [row])
        let wanted = place == .book ? record.book : nil
        let wantedDays = wanted.map { ReadingDays($0).days } ?? []
        guard book.map({ Array($0.values.dropFirst()) }) == wanted.map({ values(record, $0) }),
            days.map({ $0.values }) == wantedDays.map({ $0.values }), try chaptersFit(database, row, wanted)
        else { return false }
        let stands = try database.cachedStatement("SELECT book, chapter, position FROM bookNote WHERE row = ?")
            .row([row])
        let wantedPlace = place.isSearched ? record.bookPlace : nil
        return stands.map { $0.values } == wantedPlace.map { $0.values }
    }

    private static func chaptersFit(_ database: Database, _ row: Int64, _ book: BookDetails?) throws -> Bool {
        let statement = try database.cachedStatement("SELECT title FROM bookChapter WHERE row = ? AND chapter = ?")
        return try (book?.chapters ?? []).allSatisfy { chapter in
            let found = try Row.fetchOne(
                statement, arguments: StatementArguments([row.databaseValue, chapter.values[0]]))
            return found.map { $0.values } == [chapter.values[1]]
        }
    }
}

extension Row {
    fileprivate var values: [DatabaseValue] { map { $0.1 } }
}

extension String {
    /// SQLite would end the text there.
    fileprivate var replacingNULs: String {
        utf8.contains(0) ? String(decoding: utf8.map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self) : self
    }
}

extension BookPlace {
    /// The values of its row of `bookNote`, behind `row`.
    fileprivate var values: [DatabaseValue] {
        [book.bytes.blob.databaseValue, (chapter?.bytes ?? []).blob.databaseValue, position.databaseValue]
    }
}

extension BookChapter {
    /// The values of its row of `bookChapter`, behind `row`: the title is folded.
    fileprivate var values: [DatabaseValue] {
        let folded = TextFold.fold(title).map { $0 == 0 ? 0x20 : $0 }
        return [id.bytes.blob.databaseValue, String(decoding: folded, as: UTF8.self).databaseValue]
    }
}

extension ReadingDays.Day {
    /// The values of its row of `bookDay`, behind `row`.
    fileprivate var values: [DatabaseValue] {
        [Int64(day), Int64(pages), Int64(minutes), Int64(finished)].map(\.databaseValue)
    }
}

extension ProjectionTables {
    /// Returns the statements that make the lists of books.
    func bookStatements(indexSuffix: String) -> [String] {
        [
            """
            CREATE TABLE \(book)(
              row INTEGER PRIMARY KEY, shelf INTEGER NOT NULL, added INTEGER NOT NULL, started INTEGER NOT NULL,
              finished INTEGER NOT NULL, rating INTEGER NOT NULL, pages INTEGER NOT NULL, page INTEGER NOT NULL,
              percent INTEGER NOT NULL, hasCover INTEGER NOT NULL, authors TEXT NOT NULL, words TEXT NOT NULL)
            """,
            "CREATE INDEX bookByShelf\(indexSuffix) ON \(book)(shelf, added, row)",
            """
            CREATE TABLE \(bookNote)(
              row INTEGER PRIMARY KEY, book BLOB NOT NULL, chapter BLOB NOT NULL, position INTEGER NOT NULL)
            """,
            "CREATE INDEX bookNoteByBook\(indexSuffix) ON \(bookNote)(book, chapter, position, row)",
            """
            CREATE TABLE \(bookDay)(
              row INTEGER NOT NULL, day INTEGER NOT NULL, pages INTEGER NOT NULL, minutes INTEGER NOT NULL,
              finished INTEGER NOT NULL, PRIMARY KEY(row, day)) WITHOUT ROWID
            """,
            """
            CREATE TABLE \(bookChapter)(
              row INTEGER NOT NULL, chapter BLOB NOT NULL, title TEXT NOT NULL, PRIMARY KEY(row, chapter)) WITHOUT ROWID
            """,
        ]
    }

    /// Adds what the lists of books have of a book, or of a note that stands in one.
    func insertBook(_ database: Database, _ record: NoteRecord, row: Int64, _ place: NotePlace) throws {
        switch record.role {
        case .note: return
        case .noteInBook(let stands):
            guard place.isSearched else { return }
            try database.cachedStatement("INSERT INTO \(bookNote)(row, book, chapter, position) VALUES(?, ?, ?, ?)")
                .execute(arguments: StatementArguments([row.databaseValue] + stands.values))
        case .book(let details):
            guard place == .book else { return }
            try database.cachedStatement("INSERT INTO \(book) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .execute(arguments: StatementArguments([row.databaseValue] + BookRow.values(record, details)))
            for day in ReadingDays(details).days {
                try database.cachedStatement("INSERT INTO \(bookDay) VALUES(?, ?, ?, ?, ?)")
                    .execute(arguments: StatementArguments([row.databaseValue] + day.values))
            }
            for chapter in details.chapters {
                try database.cachedStatement("INSERT INTO \(bookChapter) VALUES(?, ?, ?)")
                    .execute(arguments: StatementArguments([row.databaseValue] + chapter.values))
            }
        }
    }
}

extension Transaction {
    /// Takes a row out of the lists of books.
    func removeBook(_ row: Int64) throws {
        for table in ["book", "bookNote", "bookDay", "bookChapter"] {
            try database.cachedStatement("DELETE FROM \(table) WHERE row = ?").execute(arguments: [row])
        }
    }
}
