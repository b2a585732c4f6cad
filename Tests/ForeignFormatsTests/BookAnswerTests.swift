// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import BookServices
import ForeignFormats
import ParserProtocol
import Testing

/// What becomes of answers of book services, honest and other.
struct BookAnswerTests {
    private func read(_ text: String, _ service: BookService = .google)
        -> (books: [ParsedNote], status: BookRecord.Status?, skipped: UInt16)
    {
        let records = BookAnswer.records(of: Array(text.utf8), from: service)
        var books: [ParsedNote] = []
        for case .book(let note) in records { books.append(note) }
        guard case .end(let status, let skipped)? = records.last else { return (books, nil, 0) }
        #expect(records.count == books.count + 1)
        // Each is what the other side accepts.
        for record in records { #expect((try? BookRecord(parsing: record.encoded)) == record) }
        return (books, status, skipped)
    }

    private static let volume = """
        {"kind": "books#volume", "id": "zyTCAlFPjgYC", "volumeInfo": {"title": "The Google story", "subtitle": "Inside",
        "authors": ["David A. Vise", "Mark Malseed"], "publisher": "Random House", "publishedDate": "2005-11-15",
        "description": "<p>A <b>story</b>,<br>told &amp; retold.</p><img src=\\"http://evil.example/x\\">\
        <a href=\\"http://evil.example/\\">here</a>",
        "industryIdentifiers": [{"type": "ISBN_10", "identifier": "055380457X"},
        {"type": "ISBN_13", "identifier": "9780553804577"}], "pageCount": 207, "language": "en",
        "imageLinks": {"smallThumbnail": "http://books.google.com/books/content?id=zyTCAlFPjgYC&zoom=5&edge=curl&s=a",
        "thumbnail": "http://books.google.com/books/content?id=zyTCAlFPjgYC&zoom=1&edge=curl&source=gbs_api"}}}
        """

    @Test func aVolumeOfGoogleIsABook() throws {
        let list = read(#"{"kind": "books#volumes", "totalItems": 2000, "items": [\#(Self.volume)]}"#)
        #expect(list.status == .read && list.skipped == 0)
        let note = try #require(list.books.first), book = try #require(note.book)
        #expect(note.title == "The Google story" && note.sourceKey == "google:zyTCAlFPjgYC")
        #expect(book.subtitle == "Inside" && book.authors == ["David A. Vise", "Mark Malseed"])
        #expect(book.publishers == ["Random House"] && book.published == "2005-11-15" && book.pages == 207)
        #expect(book.identifiers.map(\.kind) == ["isbn13", "isbn10", "google"])
        #expect(book.identifiers.map(\.value) == ["9780553804577", "055380457X", "zyTCAlFPjgYC"])
        #expect(
            book.coverAddress
                == "https://books.google.com/books/content?id=zyTCAlFPjgYC&zoom=1&source=gbs_api")
        #expect(note.body.hasPrefix("A **story**,\ntold & retold.") && note.body.contains("here"))
        #expect(!note.body.contains("evil") && !note.body.contains("!["))
        #expect(read(Self.volume).books == [note])
    }

    @Test func aWorkOfOpenLibraryIsABookOfItsEdition() throws {
        let list = read(
            """
            {"numFound": 1, "docs": [{"key": "/works/OL45804W", "title": "Fantastic Mr Fox", "author_name": ["Roald Dahl"],
            "first_publish_year": 1970, "number_of_pages_median": 96, "language": ["eng", "ger"], "cover_i": 6498519,
            "editions": {"docs": [{"key": "/books/OL7353617M", "title": "Fantastic Mr. Fox", "isbn": ["9780140328721"],
            "publish_date": ["October 1, 1988"], "publisher": ["Puffin"], "language": ["eng"], "cover_i": 8739161}]}}]}
            """, .openlibrary)
        let note = try #require(list.books.first), book = try #require(note.book)
        #expect(list.status == .read && note.title == "Fantastic Mr. Fox" && note.sourceKey == "openlibrary:OL7353617M")
        #expect(book.published == "October 1, 1988" && book.publishers == ["Puffin"] && book.pages == 96)
        #expect(book.language == "eng" && book.authors == ["Roald Dahl"])
        #expect(book.coverAddress == "https://covers.openlibrary.org/b/id/8739161-L.jpg?default=false")
        #expect(book.identifiers.map(\.value) == ["9780140328721", "0140328726", "OL7353617M"])
    }

    /// The numbers of a work are those of all its editions: none of them is the book's.
    @Test func aWorkWithoutItsEditionHasANumberOnlyIfItIsOne() throws {
        func book(_ isbn: String) throws -> ParsedBook {
            try #require(
                read(
                    #"{"docs": [{"key": "/works/OL1W", "title": "A", "language": ["eng", "ger"], "isbn": [\#(isbn)]}]}"#,
                    .openlibrary
                )
                .books.first?.book)
        }
        #expect(try book(#""9780261102217", "0261102214""#).identifiers.count == 3)
        #expect(try book(#""9780261102217", "9780441013593""#).identifiers.map(\.kind) == ["openlibrary"])
        #expect(try book("").language.isEmpty)
    }

    @Test(arguments: [
        #"{"totalItems": 0}"#, #"{"items": []}"#, "{}", "\u{FEFF} {\"totalItems\": 5}\n",
    ]) func nothingFoundIsAnAnswer(text: String) {
        let list = read(text)
        #expect(list.books.isEmpty && list.status == .read)
    }

    @Test(arguments: [
        "<!DOCTYPE html><html>", "\n\t <html>", "\u{FEFF}<p>", "<?xml version=\"1.0\"?>",
    ]) func aPageIsNone(text: String) {
        for service in BookService.allCases { #expect(read(text, service).status == .page) }
    }

    @Test(arguments: [
        "", " ", "[]", "5", "\"x\"", "{", "{\"items\": 5}", "{\"items\": [}", #"{"error": {"code": 403}}"#, "not json",
        #"{"items": [], "items""#, "{\"items\": null}",
    ]) func anotherFormIsDamaged(text: String) {
        #expect(read(text).status == .damaged)
        #expect(read(text, .openlibrary).status == .damaged)
    }

    @Test func deepAndLongAnswersEnd() {
        #expect(read(String(repeating: "[", count: 900_000)).status == .damaged)
        #expect(
            read(#"{"items": "# + String(repeating: "[", count: 70) + String(repeating: "]", count: 70) + "}").status
                == .damaged)
        let many = (0..<200).map { #"{"id": "id\#($0)", "volumeInfo": {"title": "T"}}"# }.joined(separator: ",")
        let list = read(#"{"items": [\#(many)]}"#)
        #expect(list.books.count == 40 && list.skipped == 160)
    }

    @Test func whatIsMissingOrOfAnotherTypeIsLeftOut() throws {
        let list = read(
            """
            {"items": [null, 5, "x", [], {}, {"id": 7}, {"id": "../x", "volumeInfo": {"title": "A"}}, {"id": "a"},
            {"id": "b", "volumeInfo": {}}, {"id": "c", "volumeInfo": {"title": ""}}, {"volumeInfo": {"title": "A"}},
            {"id": "d", "volumeInfo": {"title": "A", "authors": "one", "pageCount": "12", "language": 3, "imageLinks": [],
            "industryIdentifiers": [{"type": "ISBN_13", "identifier": "9780261102218"}, 5, {"type": "OTHER",
            "identifier": "x"}], "publisher": {}, "publishedDate": null, "description": 5}}, {"id": "d", "volumeInfo":
            {"title": "Again"}}, {"id": "e", "volumeInfo": {"title": "B", "pageCount": -1}},
            {"id": "f", "volumeInfo": {"title": "C", "pageCount": 1e300, "authors": ["", "x", "x", null]}}]}
            """)
        #expect(list.books.map(\.title) == ["A", "B", "C"] && list.skipped == 12 && list.status == .read)
        let book = try #require(list.books[0].book)
        #expect(book.authors == ["one"] && book.identifiers.map(\.kind) == ["google"] && book.coverAddress.isEmpty)
        #expect(list.books.allSatisfy { $0.book?.pages == 0 && $0.body.isEmpty })
        #expect(list.books[2].book?.authors == ["x"])
    }

    @Test func noSignTurnsALineOrEndsIt() throws {
        let evil = #"\u202eevil\u202c\u2066two\u2069\u200e\u200f\u061c\u0007\u009b\n\r\tthree\u2028four\ufeff\u0000"#
        let list = read(
            """
            {"items": [{"id": "a", "volumeInfo": {"title": "\(evil)", "subtitle": "\(evil)", "authors": ["\(evil)"],
            "publisher": "\(evil)", "publishedDate": "\(evil)", "language": "\(evil)", "description": "\(evil)"}},
            {"id": "b", "volumeInfo": {"title": "\\u202e\\u2066"}}]}
            """)
        let note = try #require(list.books.first), book = try #require(note.book)
        let line = "eviltwo three four"
        #expect(note.title == line && book.subtitle == line && book.authors == [line] && book.publishers == [line])
        #expect(book.published == line && book.language == line && list.books.count == 1 && list.skipped == 1)
        #expect(note.body.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value < 0x7F })
    }

    @Test func longTextsAreCutBetweenCharacters() throws {
        let long = String(repeating: "te\u{301}", count: 5000)
        let list = read(
            #"{"items": [{"id": "a", "volumeInfo": {"title": "\#(long)", "authors": ["\#(long)"], "description": "\#(long)"}}]}"#
        )
        let note = try #require(list.books.first), title = try #require(note.title)
        #expect((4090...4096).contains(title.utf8.count) && long.hasPrefix(title))
        #expect(note.book.map { (1020...1024).contains($0.authors[0].utf8.count) } == true)
        #expect(note.body.utf8.count <= 64 << 10)
        let names = (0..<300).map { #""A\#($0)""# }.joined(separator: ",")
        let many = read(#"{"items": [{"id": "a", "volumeInfo": {"title": "T", "authors": [\#(names)]}}]}"#)
        #expect(many.books.first?.book?.authors.count == 64)
    }

    @Test(arguments: [
        "http://evil.example/x", "javascript:x", "data:image/png;base64,AA", "https://books.google.com:1/x",
    ])
    func aCoverElsewhereIsNone(address: String) {
        let list = read(
            #"{"items": [{"id": "a", "volumeInfo": {"title": "T", "imageLinks": {"thumbnail": "\#(address)"}}}]}"#)
        #expect(list.books.first?.book?.coverAddress == "")
    }
}

struct BookRecordTests {
    private static let books: [ParsedNote] = ["google:a", "google:b"].map { key in
        var note = ParsedNote(sourceKey: key)
        note.title = "T"
        note.book = ParsedBook()
        return note
    }

    private func output(_ records: [BookRecord]) -> [UInt8] { records.flatMap { RecordFrame.enclosing($0.encoded) } }

    @Test func anOutputIsReadToItsEnd() throws {
        let records = Self.books.map { BookRecord.book($0) } + [.end(.read, skipped: 7)]
        let read = try BookRecord.parse(output: output(records))
        #expect(read.books == Self.books && read.status == .read && read.skipped == 7)
        for count in 0..<output(records).count {
            #expect(throws: RecordError.self) { try BookRecord.parse(output: Array(output(records).prefix(count))) }
        }
    }

    @Test func whatNoParserOfOursSaysIsRefused() {
        let end = BookRecord.end(.page, skipped: 0), book = BookRecord.book(Self.books[0])
        #expect(throws: RecordError.self) { try BookRecord.parse(output: output([end, end])) }
        #expect(throws: RecordError.self) { try BookRecord.parse(output: output([end, book])) }
        let many = [BookRecord](repeating: book, count: 41)
        #expect(throws: RecordError.self) { try BookRecord.parse(output: output(many + [end])) }
        #expect(throws: RecordError.self) { try BookRecord(parsing: [1] + ParsedNote(sourceKey: "n").encoded) }
        for bytes: [UInt8] in [[], [0], [3], [2], [2, 3, 0, 0], [2, 0, 0], [2, 0, 0, 0, 0]] {
            #expect(throws: RecordError.self) { try BookRecord(parsing: bytes) }
        }
    }

    @Test func aCoversRecordIsReadAsItWasWritten() throws {
        for record in [
            CoverRecord.notKnown, .damaged, .tooLarge, .picture(width: 400, height: 600, jpeg: [0xFF, 0xD8, 0xFF, 1]),
        ] {
            #expect(try CoverRecord(parsing: record.encoded) == record)
        }
        for bytes: [UInt8] in [
            [], [4], [1, 0], [0], [0, 1, 0, 1], [0, 0, 0, 0, 1, 0xFF, 0xD8, 0xFF],
            [0, 2, 0x59, 0, 1, 0xFF, 0xD8, 0xFF],
            [0, 0, 1, 0, 1, 0x89, 0x50, 0x4E],
        ] {
            #expect(throws: RecordError.self) { try CoverRecord(parsing: bytes) }
        }
    }
}
