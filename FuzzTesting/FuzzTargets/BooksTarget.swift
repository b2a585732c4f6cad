// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import BookServices
internal import ForeignFormats
internal import ParserProtocol

/// Answers of book services, and what the programs that fetch and read them say to each other.
extension FuzzTarget {
    static let books = FuzzTarget(
        "books",
        choice([
            { isOfRecords($0, .google) }, { isOfRecords($0, .openlibrary) },
            { identity(FetchOrder.init(parsing:), \.encoded, $0) },
            { identity(FetchAnswer.init(parsing:), \.encoded, $0) },
            { identity(BookRecord.init(parsing:), \.encoded, $0) },
            { identity(CoverRecord.init(parsing:), \.encoded, $0) },
        ]))

    /// Each record is one that the other side accepts, the last one is the end, and a book that is shown turns no line.
    private static func isOfRecords(_ bytes: [UInt8], _ service: BookService) -> Bool {
        let records = BookAnswer.records(of: bytes, from: service)
        guard case .end? = records.last, records.count <= BookRecord.bookCountMax + 1 else { return false }
        return records.allSatisfy { record in
            guard (try? BookRecord(parsing: record.encoded)) == record else { return false }
            guard case .book(let note) = record, let book = note.book else { return true }
            let lines =
                [note.title ?? "", book.subtitle, book.published, book.language] + book.authors + book.publishers
            let isPlain = lines.allSatisfy { line in
                line.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x202A...0x202E).contains($0.value) }
            }
            return isPlain && (book.coverAddress.isEmpty || service.coverPlace(book.coverAddress) != nil)
        }
    }
}
