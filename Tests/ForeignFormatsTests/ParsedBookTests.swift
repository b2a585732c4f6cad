// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import Testing

/// Version 3 of a note's record: a book, or a note that belongs to one.
struct ParsedBookTests {
    static let full: ParsedNote = {
        var book = ParsedBook()
        book.subtitle = "A life"
        book.authors = ["Ada Müller", "B. 東京"]
        book.publishers = ["House & Sons"]
        book.published = "2002-02"
        book.identifiers = [.init(kind: "isbn13", value: "9780000000002"), .init(kind: "goodreads", value: "7")]
        book.pages = 412
        book.language = "eng"
        book.coverAddress = "https://example.org/cover.jpg"
        book.shelf = .archived
        book.added = ParsedBook.days.lowerBound
        book.readings = [
            .init(started: 19_000, finished: ParsedBook.days.upperBound), .init(started: nil, finished: 19_001),
            .init(started: 19_002, finished: nil),
        ]
        book.rating = ParsedBook.ratingMax
        var note = ParsedNoteTests.full
        note.book = book
        return note
    }()

    static let placed: ParsedNote = {
        var note = ParsedNote(sourceKey: "7/review")
        note.title = "Review"
        note.place = ParsedPlace(bookKey: "7", chapter: "One ✓")
        return note
    }()

    @Test(arguments: [full, placed]) func aRecordIsReadBackAsTheSameValue(note: ParsedNote) throws {
        #expect(note.encoded.first == ParsedNote.versionWithBook)
        #expect(try ParsedNote(parsing: note.encoded) == note)
        var empty = ParsedNote(sourceKey: "a")
        empty.book = ParsedBook()
        #expect(try ParsedNote(parsing: empty.encoded) == empty)
        #expect(try ImportRecord(parsing: ImportRecord.note(note).encoded) == .note(note))
    }

    @Test(arguments: [full, placed]) func everyPrefixOfARecordIsRefused(note: ParsedNote) {
        let encoded = note.encoded
        for count in encoded.indices {
            #expect(throws: RecordError.self) { try ParsedNote(parsing: Array(encoded[..<count])) }
        }
        #expect(throws: RecordError(.trailingBytes, offset: encoded.count)) {
            try ParsedNote(parsing: encoded + [0])
        }
    }

    @Test func moreOrLongerThanTheCapsIsRefused() {
        let long = String(repeating: "n", count: ParsedBook.nameByteCountMax + 1)
        let changes: [(inout ParsedBook) -> Void] = [
            { $0.subtitle = String(repeating: "t", count: ParsedNote.titleByteCountMax + 1) },
            { $0.authors = Array(repeating: "a", count: ParsedBook.nameCountMax + 1) },
            { $0.authors = [long] }, { $0.publishers = [long] }, { $0.published = long }, { $0.language = long },
            { $0.publishers = Array(repeating: "p", count: ParsedBook.nameCountMax + 1) },
            { $0.identifiers = (0...ParsedBook.nameCountMax).map { .init(kind: "isbn10", value: "\($0)") } },
            { $0.identifiers = [.init(kind: "isbn10", value: long)] },
            { $0.identifiers = [.init(kind: String(repeating: "k", count: 33), value: "1")] },
            { $0.coverAddress = String(repeating: "u", count: ParsedBook.addressByteCountMax + 1) },
            { $0.readings = Array(repeating: .init(started: 1, finished: 2), count: ParsedBook.readingCountMax + 1) },
        ]
        for change in changes {
            var note = Self.full
            var book = note.book ?? ParsedBook()
            change(&book)
            note.book = book
            let error = #expect(throws: RecordError.self) { try ParsedNote(parsing: note.encoded) }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test func whatIsNoBookIsRefused() {
        let changes: [(RecordError.Code, (inout ParsedBook) -> Void)] = [
            (.notCanonical, { $0.authors = [""] }), (.notCanonical, { $0.publishers = [""] }),
            (.notCanonical, { $0.identifiers = [.init(kind: "ISBN", value: "1")] }),
            (.notCanonical, { $0.identifiers = [.init(kind: "", value: "1")] }),
            (.notCanonical, { $0.identifiers = [.init(kind: "isbn10", value: "")] }),
            (
                .notCanonical,
                { $0.identifiers = [.init(kind: "asin", value: "1"), .init(kind: "asin", value: "1")] }
            ),
            (.notCanonical, { $0.rating = ParsedBook.ratingMax + 1 }), (.timeOutOfRange, { $0.added = 0 }),
            (.timeOutOfRange, { $0.added = ParsedBook.days.upperBound + 1 }),
            (.timeOutOfRange, { $0.readings = [.init(started: .max, finished: nil)] }),
        ]
        for (code, change) in changes {
            var note = Self.full
            var book = note.book ?? ParsedBook()
            change(&book)
            note.book = book
            let error = #expect(throws: RecordError.self) { try ParsedNote(parsing: note.encoded) }
            #expect(error?.code == code)
        }
        var note = Self.placed
        note.place = ParsedPlace(bookKey: "")
        #expect(throws: RecordError.self) { try ParsedNote(parsing: note.encoded) }
    }

    /// A count that no bytes follow is refused before anything is reserved for it.
    @Test func aCountWithoutItsValuesIsRefused() throws {
        let encoded = Self.full.encoded
        let author = try #require(encoded.indices.first { encoded[$0...].starts(with: Array("Ada".utf8)) })
        var changed = encoded
        changed[author - 5] = 0xFF
        #expect(throws: RecordError.self) { try ParsedNote(parsing: changed) }
        changed[author - 5] = UInt8(ParsedBook.nameCountMax)
        #expect(throws: RecordError.self) { try ParsedNote(parsing: changed) }
        changed = encoded
        changed[(author - 4)..<author] = [0xFF, 0xFF, 0xFF, 0xFF]
        #expect(throws: RecordError.self) { try ParsedNote(parsing: changed) }
    }
}
