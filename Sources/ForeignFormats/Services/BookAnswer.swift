// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import BookServices
public import ParserProtocol

/// `BookAnswer` reads what a book service answered: the list of a search, or one book.
///
/// A result that has no title or no number of the service is passed over; what else is missing or of another type than
/// it should be is left empty. Sources: the reference of Google's Books API v1 and the search API of Open Library.
public enum BookAnswer {
    /// Reads an answer.
    ///
    /// - Returns: records in the answer's order, then a final one that describes the answer.
    public static func records(of bytes: [UInt8], from service: BookService) -> [BookRecord] {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if text.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") { return [.end(.page, skipped: 0)] }
        guard let answer = JSONValue.parse(text), let results = results(answer, service) else {
            return [.end(.damaged, skipped: 0)]
        }
        var notes: [ParsedNote] = []
        for result in results where notes.count < BookRecord.bookCountMax {
            let note =
                switch service {
                case .google: GoogleBook.note(result)
                case .openlibrary: OpenLibraryBook.note(result)
                }
            if let note, !notes.contains(where: { $0.sourceKey == note.sourceKey }) { notes.append(note) }
        }
        let skipped = UInt16(clamping: results.count - notes.count)
        return notes.map { .book($0) } + [.end(.read, skipped: skipped)]
    }

    /// Returns the results of an answer; nil for what has another form. Google leaves the list out when it is empty.
    private static func results(_ answer: JSONValue, _ service: BookService) -> [JSONValue]? {
        guard case .object(let members) = answer, members["error"] == nil else { return nil }
        switch service {
        case .google:
            if members["volumeInfo"] != nil { return [answer] }
            guard let items = members["items"] else { return [] }
            guard case .array(let list) = items else { return nil }
            return list
        case .openlibrary:
            guard case .array(let list)? = members["docs"] else { return nil }
            return list
        }
    }

    /// Makes a note of what both services have.
    static func note(_ title: String, id: String, of service: BookService, _ book: ParsedBook) -> ParsedNote? {
        guard !title.isEmpty else { return nil }
        var note = ParsedNote(sourceKey: "\(service.rawValue):\(id)")
        note.title = title
        note.book = book
        note.book?.identifiers.append(.init(kind: service.rawValue, value: id))
        return note
    }

    /// Returns a number of pages that a book can have; 0 for others.
    static func pages(_ value: JSONValue?) -> UInt32 {
        guard case .number(let number)? = value, (1...100_000).contains(number) else { return 0 }
        return UInt32(number)
    }

    /// Returns the identifiers of numbers whose check digits are right, in both forms.
    static func identifiers(of isbn: ISBN) -> [ParsedBook.Identifier] {
        [.init(kind: "isbn13", value: isbn.digits)] + (isbn.ten.map { [.init(kind: "isbn10", value: $0)] } ?? [])
    }
}

/// `GoogleBook` reads a volume of Google Books.
enum GoogleBook {
    /// Sizes of covers, the best for 600 pixels first.
    private static let sizes = ["medium", "large", "small", "thumbnail", "smallThumbnail", "extraLarge"]

    static func note(_ volume: JSONValue) -> ParsedNote? {
        guard let id = volume["id"]?.text, BookService.google.isID(id), let info = volume["volumeInfo"] else {
            return nil
        }
        var book = ParsedBook()
        book.subtitle = ServiceText.line(info["subtitle"], max: ParsedNote.titleByteCountMax)
        book.authors = ServiceText.lines(info["authors"])
        book.publishers = ServiceText.lines(info["publisher"])
        book.published = ServiceText.line(info["publishedDate"], max: ParsedBook.nameByteCountMax)
        book.pages = BookAnswer.pages(info["pageCount"])
        book.language = ServiceText.line(info["language"], max: ParsedBook.nameByteCountMax)
        book.coverAddress = cover(info["imageLinks"])
        if let isbn = isbn(info["industryIdentifiers"]) { book.identifiers = BookAnswer.identifiers(of: isbn) }
        let title = ServiceText.line(info["title"], max: ParsedNote.titleByteCountMax)
        var note = BookAnswer.note(title, id: id, of: .google, book)
        note?.body = ServiceText.description(info["description"])
        return note
    }

    private static func isbn(_ list: JSONValue?) -> ISBN? {
        for kind in ["ISBN_13", "ISBN_10"] {
            for item in list?.items ?? [] where item["type"]?.text == kind {
                if let isbn = item["identifier"]?.text.flatMap({ ISBN($0) }) { return isbn }
            }
        }
        return nil
    }

    private static func cover(_ links: JSONValue?) -> String {
        for size in sizes {
            guard let text = links?[size]?.text, let place = BookService.google.coverPlace(text) else { continue }
            // The picture of a curled corner is put over the cover.
            let plain = place.text.replacing("&edge=curl", with: "")
            return BookService.google.coverPlace(plain)?.text ?? ""
        }
        return ""
    }
}

/// `OpenLibraryBook` reads a work of Open Library, with the edition that fitted the question best.
enum OpenLibraryBook {
    static func note(_ work: JSONValue) -> ParsedNote? {
        let edition = work["editions"]?["docs"]?.items.first
        guard let id = id(edition, "/books/") ?? id(work, "/works/") else { return nil }
        var book = ParsedBook()
        book.subtitle = ServiceText.line(edition?["subtitle"] ?? work["subtitle"], max: ParsedNote.titleByteCountMax)
        book.authors = ServiceText.lines(work["author_name"])
        book.publishers = ServiceText.lines(edition?["publisher"])
        book.published = published(work, edition)
        book.pages = BookAnswer.pages(work["number_of_pages_median"])
        // Those of a work are of all of its editions.
        let languages = ServiceText.lines(edition?["language"] ?? work["language"])
        book.language = languages.count == 1 ? languages[0] : ""
        book.coverAddress = cover(edition) ?? cover(work) ?? ""
        if let isbn = isbn(work, edition) { book.identifiers = BookAnswer.identifiers(of: isbn) }
        let max = ParsedNote.titleByteCountMax
        let title = ServiceText.line(edition?["title"], max: max)
        return BookAnswer.note(
            title.isEmpty ? ServiceText.line(work["title"], max: max) : title, id: id, of: .openlibrary, book)
    }

    private static func id(_ value: JSONValue?, _ folder: String) -> String? {
        guard let key = value?["key"]?.text, key.hasPrefix(folder) else { return nil }
        let id = String(key.dropFirst(folder.count))
        return BookService.openlibrary.isID(id) ? id : nil
    }

    private static func published(_ work: JSONValue, _ edition: JSONValue?) -> String {
        if let date = ServiceText.lines(edition?["publish_date"]).first { return date }
        guard case .number(let year)? = work["first_publish_year"], (1...9999).contains(year) else { return "" }
        return String(Int(year))
    }

    /// Returns the number of the edition; of a work alone only when all of its numbers are of one edition.
    private static func isbn(_ work: JSONValue, _ edition: JSONValue?) -> ISBN? {
        let own = (edition?["isbn"]?.items ?? []).compactMap { $0.text.flatMap { ISBN($0) } }
        if let first = own.first { return first }
        let all = Set((work["isbn"]?.items ?? []).compactMap { $0.text.flatMap { ISBN($0) } })
        return all.count == 1 ? all.first : nil
    }

    private static func cover(_ value: JSONValue?) -> String? {
        guard case .number(let number)? = value?["cover_i"], (1...1e12).contains(number) else { return nil }
        // Without a cover there is to be none, and no empty picture.
        return "https://covers.openlibrary.org/b/id/\(Int(number))-L.jpg?default=false"
    }
}
