// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// `BookRecordRunner` compares what a record says of books with a test. Spec: docs/format.md §9.1.
enum BookRecordRunner {
    /// Returns the comparisons of a record's role; a test without one is of a plain note.
    static func comparisons(_ record: NoteRecord, _ test: VectorTest) throws -> [(String, Bool)] {
        guard test.has("role") else { return [("role", record.role == .note)] }
        return try test.text("role") == "book" ? book(record, test.part("book")) : place(record, test.part("place"))
    }

    private static func place(_ record: NoteRecord, _ test: VectorTest) throws -> [(String, Bool)] {
        guard let place = record.bookPlace else { return [("place", false)] }
        return try [
            ("book", place.book.bytes == test.bytes("book")),
            ("chapter", (place.chapter?.bytes ?? []) == test.bytesOrNone("chapter")),
            ("position", place.position == test.number("position")),
        ]
    }

    private static func book(_ record: NoteRecord, _ test: VectorTest) throws -> [(String, Bool)] {
        guard let book = record.book else { return [("book", false)] }
        let lists =
            try [
                ("identifiers", test.list("identifiers"), book.identifiers.map { [.text($0.kind), .text($0.value)] }),
                (
                    "readings", test.list("readings"),
                    book.readings.map { [.number(Int64($0.started)), .number(Int64($0.finished))] }
                ),
                ("chapters", test.list("chapters"), book.chapters.map { [.bytes($0.id.bytes), .text($0.title)] }),
                (
                    "log", test.list("log"),
                    book.log.map {
                        [
                            .bytes($0.id.bytes), .number(Int64($0.day)), .number(Int64($0.kind.rawValue)),
                            .number(Int64($0.amount)), .text($0.line),
                        ]
                    }
                ),
            ] as [(String, [JSONValue], [[Cell]])]
        let texts = try [
            ("subtitle", RecordRunner.isSame(book.subtitle, test.text("subtitle"))),
            ("authors", RecordRunner.areSame(book.authors, test.list("authors"))),
            ("publishers", RecordRunner.areSame(book.publishers, test.list("publishers"))),
            ("published", RecordRunner.isSame(book.published, test.text("published"))),
            ("language", RecordRunner.isSame(book.language, test.text("language"))),
        ]
        let numbers = try [
            ("shelf", book.shelf.rawValue == test.number("shelf")), ("pages", book.pages == test.number("pages")),
            ("added", book.added == test.number("added")), ("rating", book.rating == test.number("rating")),
            ("cover", (book.cover?.bytes ?? []) == test.bytesOrNone("cover")),
        ]
        return texts + numbers + lists.map { name, known, found in (name, areSame(known, found)) }
    }

    /// `Cell` is one value of a row.
    private enum Cell {
        case text(String)
        case number(Int64)
        case bytes([UInt8])

        func fits(_ value: JSONValue) -> Bool {
            switch self {
            case .text(let text): RecordRunner.isSame(value.text, text)
            case .number(let number): value.integer == Int(number)
            case .bytes(let bytes): value.bytes == bytes
            }
        }
    }

    private static func areSame(_ known: [JSONValue], _ found: [[Cell]]) -> Bool {
        known.count == found.count
            && zip(known, found).allSatisfy { row, cells in
                guard let values = row.list, values.count == cells.count else { return false }
                return zip(values, cells).allSatisfy { $1.fits($0) }
            }
    }
}
