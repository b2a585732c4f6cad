// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `BookRecord` says what `vault-parse books` sends back for an answer of a book service: one frame (`RecordFrame`) for
/// each, its first byte the kind. It is asked with the answer alone, in one frame.
///
/// ```
/// kind  content
///    1  ParsedNote with a book
///    2  UInt8 status (0 read, 1 a page, 2 damaged) | UInt16 results that were passed over; the last record
/// ```
public enum BookRecord: Sendable, Equatable {
    /// `Status` says what the answer was.
    public enum Status: UInt8, Sendable, CaseIterable {
        case read = 0
        /// It is HTML: something between the service and this machine answered in its place.
        case page
        /// It is no JSON, or not of the form that the service's answers have.
        case damaged
    }

    /// Largest answer of a service, in bytes.
    public static let answerByteCountMax = 1 << 20
    /// Most books of one answer.
    public static let bookCountMax = 40
    /// Largest record without its length, in bytes.
    public static let byteCountMax = ParsedNote.byteCountMax + 1

    case book(ParsedNote)
    case end(Status, skipped: UInt16)

    /// Reads a record.
    ///
    /// - Parameter bytes: a frame without its length.
    /// - Throws: `RecordError`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        guard bytes.count <= Self.byteCountMax else { throw RecordError(.tooLarge) }
        var reader = RecordReader(bytes)
        switch try reader.u8() {
        case 1:
            let note = try ParsedNote(parsing: Array(bytes.dropFirst()))
            guard note.book != nil else { throw RecordError(.notCanonical, offset: 1) }
            self = .book(note)
        case 2:
            guard let status = Status(rawValue: try reader.u8()) else { throw RecordError(.notCanonical, offset: 1) }
            self = .end(status, skipped: try reader.u16())
            try reader.end()
        default: throw RecordError(.notCanonical, offset: 0)
        }
    }

    /// The frame without its length.
    public var encoded: [UInt8] {
        var writer = RecordWriter(reserving: 256)
        switch self {
        case .book(let note):
            writer.u8(1)
            writer.raw(note.encoded)
        case .end(let status, let skipped):
            writer.u8(2)
            writer.u8(status.rawValue)
            writer.u16(skipped)
        }
        return writer.bytes
    }

    /// Reads all that `vault-parse books` wrote.
    ///
    /// - Throws: `RecordError`: also for more than `bookCountMax` books, and when the last record is missing.
    public static func parse(output: [UInt8]) throws(RecordError)
        -> (books: [ParsedNote], status: Status, skipped: UInt16)
    {
        var reader = RecordReader(output)
        var books: [ParsedNote] = []
        while true {
            let header = Array(try reader.raw(RecordFrame.headerByteCount))
            let count = try RecordFrame.contentByteCount(header: header, max: byteCountMax)
            switch try BookRecord(parsing: Array(try reader.raw(count))) {
            case .book(let note):
                guard books.count < bookCountMax else { throw RecordError(.tooLarge, offset: reader.offset) }
                books.append(note)
            case .end(let status, let skipped):
                try reader.end()
                return (books, status, skipped)
            }
        }
    }
}
