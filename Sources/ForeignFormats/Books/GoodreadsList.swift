// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `GoodreadsList` reads rows of Goodreads' "goodreads_library_export.csv".
///
/// A book stands on one exclusive shelf and on any number of others, which become tags. Exports before 2021 have eight
/// columns more, of copies and recommendations. An ISBN is written as a formula, `="0385…"`, so that a spreadsheet
/// leaves its zeros alone; `=""` is none.
enum GoodreadsList: BookList {
    static let marks = ["title", "author", "my rating", "exclusive shelf"]
    private static let shelves: [String: ParsedBook.Shelf] = [
        "read": .archived, "currently-reading": .reading, "to-read": .wishlist,
    ]

    static func entry(_ row: inout BookRow) -> BookListEntry? {
        let title = BookText.line(row.text("title"))
        guard !title.isEmpty else { return nil }
        let author = BookText.line(row.text("author"))
        let id = BookText.line(row.text("book id"))
        var book = BookAssembly(sourceKey: id.isEmpty ? "\(title)/\(author)" : id)
        book.setTitle(title)
        book.addAuthor(author)
        for name in BookText.list(row.text("additional authors")) { book.addAuthor(name) }
        book.addIdentifier("goodreads", id)
        book.addISBN(row.text("isbn13"))
        book.addISBN(row.text("isbn"))
        book.addPublisher(row.text("publisher"))
        book.setPages(row.text("number of pages"))
        book.setRating(row.text("my rating"), quarters: 4)
        book.setAdded(row.text("date added"))
        book.addReading(started: nil, finished: book.day(row.text("date read"), "date-read"))
        setPublished(&book, &row)
        setShelf(&book, &row)
        let (review, notes) = (row.text("my review"), row.text("private notes"))
        keepRest(&book, &row)
        for loss in row.losses.list { book.note.losses.add(loss.code, detail: loss.detail) }
        var entry = BookListEntry(book: book.finished())
        entry.add("Review", review)
        entry.add("Private notes", notes)
        return entry
    }

    private static func setPublished(_ book: inout BookAssembly, _ row: inout BookRow) {
        let year = BookText.line(row.text("year published"))
        let original = BookText.line(row.text("original publication year"))
        book.setPublished(year.isEmpty ? original : year)
        if !year.isEmpty, original != year { book.keep("original-publication-year", original) }
    }

    private static func setShelf(_ book: inout BookAssembly, _ row: inout BookRow) {
        let shelf = BookText.line(row.text("exclusive shelf"))
        for name in BookText.list(row.text("bookshelves")) where name != shelf && shelves[name] == nil {
            book.addTag(name)
        }
        if let known = shelves[shelf] {
            book.setShelf(known)
        } else if !shelf.isEmpty {
            book.setShelf(.wishlist)
            book.addTag(shelf)
            book.note.losses.add(.shelfKeptAsTag, detail: shelf)
        }
    }

    /// Keeps what the book has no field for, and names what it does not keep: what everybody thinks of the book, and
    /// its places on shelves.
    private static func keepRest(_ book: inout BookAssembly, _ row: inout BookRow) {
        row.skip("author l-f")
        if !row.text("average rating").isEmpty { book.note.losses.add(.fieldNotCarried, detail: "average-rating") }
        if !row.text("bookshelves with positions").isEmpty {
            book.note.losses.add(.fieldNotCarried, detail: "positions")
        }
        let count = BookText.line(row.text("read count"))
        if let number = Int(count), number > max(book.readingCount, 1) { book.keep("read-count", count) }
        let copies = BookText.line(row.text("owned copies"))
        if copies != "0" { book.keep("owned-copies", copies) }
        let spoiler = BookText.line(row.text("spoiler"))
        if spoiler.lowercased() != "false" { book.keep("spoiler", spoiler) }
        for (name, text) in row.rest() { book.keep(name, text) }
    }
}
