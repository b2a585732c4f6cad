// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ChapterID` names a chapter within its book, in 8 random bytes.
public struct ChapterID: Hashable, Sendable {
    public static let byteCount = 8
    public let bytes: [UInt8]

    /// Takes the 8 bytes of a chapter's ID.
    ///
    /// - Throws: `FormatError.truncated` for another size, `.allZero`.
    public init(_ bytes: [UInt8]) throws(FormatError) {
        self.bytes = try identifier(bytes, byteCount: Self.byteCount)
    }
}

/// `BookChapter` is a chapter of a book, under the title that its reader gave it.
public struct BookChapter: Sendable, Equatable {
    public var id: ChapterID
    public var title: String

    public init(id: ChapterID, title: String) { (self.id, self.title) = (id, title) }

    init(_ reader: inout ByteReader) throws(FormatError) {
        id = try ChapterID(reader.bytes(ChapterID.byteCount))
        title = try reader.text(max: NoteRecord.titleByteCountMax)
    }
}

/// `BookPlace` says which book a note is in, and where in it.
///
/// ```
/// note ID of the book 10 | flag + chapter ID 8 | Int64 position
/// ```
/// Spec: docs/format.md §9.1.
public struct BookPlace: Sendable, Equatable {
    /// If that note is missing, not a book or in the trash, this one is in no book.
    public var book: NoteID
    /// One that the book does not have puts the note before all chapters, as nil does.
    public var chapter: ChapterID?
    /// Notes of a chapter are shown in ascending order of it.
    public var position: Int64

    public init(book: NoteID, chapter: ChapterID?, position: Int64) {
        (self.book, self.chapter, self.position) = (book, chapter, position)
    }

    init(_ reader: inout ByteReader) throws(FormatError) {
        book = try NoteID(reader.bytes(NoteID.byteCount))
        chapter = try reader.flag() ? try ChapterID(reader.bytes(ChapterID.byteCount)) : nil
        position = try reader.i64()
    }

    func write(to writer: inout ByteWriter) {
        writer.raw(book.bytes)
        writer.flag(chapter != nil)
        if let chapter { writer.raw(chapter.bytes) }
        writer.i64(position)
    }
}

/// `ReadingLogEntry` is a line of a book's reading log.
///
/// ```
/// ID 8 | UInt32 day | UInt8 kind | UInt32 amount | text line
/// ```
public struct ReadingLogEntry: Sendable, Hashable {
    public static let lineByteCountMax = 1024

    /// `Kind` says what the amount counts. The raw values are those of the record.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// Nothing but the line.
        case none = 0
        /// The page that was reached.
        case page = 1
        /// How much of the book was reached, in percent.
        case percent = 2
        /// Minutes that were read.
        case minutes = 3
    }

    public var id: ChapterID
    /// Since 1970-01-01, in the calendar of the person who reads.
    public var day: UInt32
    public var kind: Kind
    public var amount: UInt32
    public var line: String

    public init(id: ChapterID, day: UInt32, kind: Kind, amount: UInt32, line: String) {
        (self.id, self.day, self.kind, self.amount, self.line) = (id, day, kind, amount, line)
    }

    init(_ reader: inout ByteReader) throws(FormatError) {
        id = try ChapterID(reader.bytes(ChapterID.byteCount))
        day = try reader.u32()
        let at = reader.offset
        guard let kind = Kind(rawValue: try reader.u8()) else { throw FormatError(.unknownKind, offset: at) }
        self.kind = kind
        amount = try reader.u32()
        line = try reader.text(max: Self.lineByteCountMax)
    }

    func write(to writer: inout ByteWriter) {
        writer.raw(id.bytes)
        writer.u32(day)
        writer.u8(kind.rawValue)
        writer.u32(amount)
        writer.text(line)
    }

    /// Whether it can be read again: a line that says nothing counts nothing, and a percent is at most 100.
    public var isWithinLimits: Bool {
        line.utf8.count <= Self.lineByteCountMax && (kind != .none || amount == 0)
            && (kind != .percent || amount <= 100)
    }
}
