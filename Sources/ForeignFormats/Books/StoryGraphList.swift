// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `StoryGraphList` reads rows of The StoryGraph's export: ratings to a quarter of a star, and the days of each
/// reading.
enum StoryGraphList: BookList {
    static let marks = ["title", "authors", "read status", "star rating"]

    static func entry(_ row: inout BookRow) -> BookListEntry? {
        let title = BookText.line(row.text("title"))
        guard !title.isEmpty else { return nil }
        let authors = row.text("authors")
        let id = BookText.line(row.text("isbn/uid"))
        var book = BookAssembly(sourceKey: id.isEmpty ? "\(title)/\(BookText.line(authors))" : id)
        book.setTitle(title)
        for name in BookText.list(authors) { book.addAuthor(name) }
        if !book.addISBN(id, isTold: false) { book.addIdentifier(isASIN(id) ? "asin" : "storygraph", id) }
        book.setRating(row.text("star rating"), quarters: 4)
        book.setAdded(row.text("date added"))
        let status = BookText.line(row.text("read status")).lowercased()
        setShelf(status, &book)
        addReadings(&book, &row, isReading: status == "currently-reading")
        for tag in BookText.list(row.text("tags")) { book.addTag(tag) }
        let review = row.text("review")
        keepRest(&book, &row)
        for loss in row.losses.list { book.note.losses.add(loss.code, detail: loss.detail) }
        var entry = BookListEntry(book: book.finished())
        entry.add("Review", review)
        return entry
    }

    /// Returns whether a text is a number of Amazon's that is no ISBN.
    private static func isASIN(_ text: String) -> Bool {
        text.utf8.count == 10 && text.hasPrefix("B0")
            && text.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
    }

    private static func setShelf(_ status: String, _ book: inout BookAssembly) {
        switch status {
        case "": break
        case "read": book.setShelf(.archived)
        case "currently-reading": book.setShelf(.reading)
        case "to-read": book.setShelf(.wishlist)
        default:
            book.setShelf(status == "did-not-finish" ? .archived : status == "paused" ? .reading : .wishlist)
            book.addTag(status)
            book.note.losses.add(.shelfKeptAsTag, detail: status)
        }
    }

    /// Adds the readings of "2023/01/02-2023/02/03, 2024/03/04": ranges, which may be open, and days on which one
    /// ended. Without them the last day counts.
    private static func addReadings(_ book: inout BookAssembly, _ row: inout BookRow, isReading: Bool) {
        let last = row.text("last date read")
        for part in BookText.list(row.text("dates read")) {
            guard let (first, second) = days(part) else {
                book.note.losses.add(.dateReplaced, detail: "dates-read")
                continue
            }
            let isStart = isReading && first != nil && second == nil
            let isDay = !part.hasSuffix("-") && second == nil && !isStart
            book.addReading(started: isDay ? nil : first, finished: isDay ? first : second)
        }
        if book.readingCount == 0, !isReading {
            book.addReading(started: nil, finished: book.day(last, "last-date-read"))
        }
        let count = BookText.line(row.text("read count"))
        if let number = Int(count), number > max(book.readingCount, 1) { book.keep("read-count", count) }
    }

    /// Reads one or two days with "-" between them, which may part a day's numbers too.
    ///
    /// - Returns: nil if one of them is no day, or there are none or more.
    private static func days(_ text: String) -> (UInt32?, UInt32?)? {
        let numbers = text.split { $0 == "-" || $0 == "/" || $0.isWhitespace }.map(String.init)
        guard numbers.count == 3 || numbers.count == 6, let first = day(numbers[0..<3]) else { return nil }
        if numbers.count == 3 { return text.hasPrefix("-") ? (nil, first) : (first, nil) }
        guard let second = day(numbers[3..<6]) else { return nil }
        return (first, second)
    }

    private static func day(_ numbers: ArraySlice<String>) -> UInt32? { BookText.day(numbers.joined(separator: "-")) }

    /// Keeps what the book has no field for: moods, pace, warnings and the like, each with what was said.
    private static func keepRest(_ book: inout BookAssembly, _ row: inout BookRow) {
        let owned = BookText.line(row.text("owned?"))
        if owned.lowercased() != "no" { book.keep("owned", owned) }
        for (name, text) in row.rest() { book.keep(name, text) }
    }
}
