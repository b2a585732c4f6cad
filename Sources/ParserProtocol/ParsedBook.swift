// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ParsedBook` is what a book service or another program's file says of a book, besides its title, its description and
/// its cover, which are the title, the text and an attachment of the `ParsedNote` that it stands in.
///
/// ```
/// text subtitle | UInt8 count, text author… | UInt8 count, text publisher… | text published
/// | UInt8 count, (text kind, text value)… identifiers | UInt32 pages | text language | text coverAddress
/// | flag + UInt8 shelf | flag + UInt32 added | UInt16 count, (flag + UInt32 started, flag + UInt32 finished)… readings
/// | UInt8 rating | flag + text cover | UInt16 count, text chapter… | UInt16 count, LogEntry… log
/// LogEntry: UInt32 day | UInt8 kind | UInt32 amount | text line
/// ```
/// Days are days since 1970-01-01, from 1 to 80,000. It is a record of theirs, apart from the vault's own.
public struct ParsedBook: Sendable, Equatable {
    /// The raw values are those of a book's record (docs/format.md §9.1).
    public enum Shelf: UInt8, Sendable, CaseIterable { case wishlist = 1, reading, archived }

    /// `Identifier` is a number under which others know a book.
    public struct Identifier: Sendable, Hashable {
        /// Lower-case letters and digits: "isbn13", "isbn10", "asin", "google", "openlibrary", "goodreads", …
        public var kind: String
        public var value: String
        public init(kind: String, value: String) { (self.kind, self.value) = (kind, value) }
    }

    /// `Reading` is one time that a book was read.
    public struct Reading: Sendable, Equatable {
        /// Nil where it is not known.
        public var started: UInt32?
        /// Nil while it is being read.
        public var finished: UInt32?
        public init(started: UInt32?, finished: UInt32?) { (self.started, self.finished) = (started, finished) }
    }

    /// `LogEntry` is a line of a reading log. The kinds are those of a book's record (docs/format.md §9.1).
    public struct LogEntry: Sendable, Equatable {
        public enum Kind: UInt8, Sendable, CaseIterable { case none = 0, page, percent, minutes }
        public var day: UInt32
        public var kind: Kind
        public var amount: UInt32
        public var line: String
        public init(day: UInt32, kind: Kind, amount: UInt32, line: String) {
            (self.day, self.kind, self.amount, self.line) = (day, kind, amount, line)
        }
    }

    /// Largest encoding, in bytes.
    public static let byteCountMax = 512 << 10
    public static let chapterCountMax = 1024
    public static let logCountMax = 4096
    public static let nameCountMax = 64
    /// Largest author, publisher or identifier, and what else is short, in bytes.
    public static let nameByteCountMax = 1024
    public static let addressByteCountMax = 2048
    public static let readingCountMax = 256
    public static let days: ClosedRange<UInt32> = 1...80_000
    /// Five stars, in quarters.
    public static let ratingMax: UInt8 = 20

    public var subtitle = ""
    public var authors: [String] = []
    public var publishers: [String] = []
    /// The date of publication as it was given: "2002-02-05", "1808", "2002-02".
    public var published = ""
    /// Of each kind and value one.
    public var identifiers: [Identifier] = []
    /// 0 where it is not known.
    public var pages: UInt32 = 0
    public var language = ""
    /// Where a service says the cover is; empty for none. It is not stored.
    public var coverAddress = ""
    /// Nil where the source does not say.
    public var shelf: Shelf?
    public var added: UInt32?
    public var readings: [Reading] = []
    /// Quarters of a star, 0 for none.
    public var rating: UInt8 = 0
    /// The name of the attachment that is the cover; empty for none, nil for the first picture that is attached.
    public var cover: String?
    /// Titles, in order.
    public var chapters: [String] = []
    public var log: [LogEntry] = []

    public init() {}
}

extension ParsedBook {
    init(_ reader: inout RecordReader) throws(RecordError) {
        subtitle = try reader.text(max: ParsedNote.titleByteCountMax)
        authors = try Self.names(&reader)
        publishers = try Self.names(&reader)
        published = try reader.text(max: Self.nameByteCountMax)
        for _ in 0..<(try Self.count(&reader)) {
            let kind = try reader.text(max: 32)
            let identifier = Identifier(kind: kind, value: try reader.text(max: Self.nameByteCountMax))
            guard Self.isKind(kind), !identifier.value.isEmpty, !identifiers.contains(identifier) else {
                throw RecordError(.notCanonical, offset: reader.offset)
            }
            identifiers.append(identifier)
        }
        pages = try reader.u32()
        language = try reader.text(max: Self.nameByteCountMax)
        coverAddress = try reader.text(max: Self.addressByteCountMax)
        let start = reader.offset
        if try reader.flag() {
            guard let shelf = Shelf(rawValue: try reader.u8()) else { throw RecordError(.notCanonical, offset: start) }
            self.shelf = shelf
        }
        added = try Self.day(&reader)
        let count = Int(try reader.u16())
        guard count <= Self.readingCountMax else { throw RecordError(.tooLarge, offset: reader.offset) }
        for _ in 0..<count {
            let started = try Self.day(&reader)
            readings.append(Reading(started: started, finished: try Self.day(&reader)))
        }
        rating = try reader.u8()
        guard rating <= Self.ratingMax else { throw RecordError(.notCanonical, offset: reader.offset) }
        cover = try reader.optionalText(max: AttachmentReference.nameByteCountMax)
        try readChapters(&reader)
        try readLog(&reader)
    }

    private mutating func readChapters(_ reader: inout RecordReader) throws(RecordError) {
        let count = Int(try reader.u16())
        guard count <= Self.chapterCountMax else { throw RecordError(.tooLarge, offset: reader.offset) }
        for _ in 0..<count {
            let title = try reader.text(max: ParsedNote.titleByteCountMax)
            guard !title.isEmpty else { throw RecordError(.notCanonical, offset: reader.offset) }
            chapters.append(title)
        }
    }

    private mutating func readLog(_ reader: inout RecordReader) throws(RecordError) {
        let count = Int(try reader.u16())
        guard count <= Self.logCountMax else { throw RecordError(.tooLarge, offset: reader.offset) }
        for _ in 0..<count {
            let day = try reader.u32()
            guard let kind = LogEntry.Kind(rawValue: try reader.u8()), Self.days.contains(day) else {
                throw RecordError(.notCanonical, offset: reader.offset)
            }
            let amount = try reader.u32()
            let line = try reader.text(max: Self.nameByteCountMax)
            guard kind != .percent || amount <= 100, kind != .none || amount == 0 else {
                throw RecordError(.notCanonical, offset: reader.offset)
            }
            log.append(LogEntry(day: day, kind: kind, amount: amount, line: line))
        }
    }

    func write(to writer: inout RecordWriter) {
        writer.text(subtitle)
        for names in [authors, publishers] {
            writer.u8(UInt8(clamping: names.count))
            for name in names { writer.text(name) }
        }
        writer.text(published)
        writer.u8(UInt8(clamping: identifiers.count))
        for identifier in identifiers {
            writer.text(identifier.kind)
            writer.text(identifier.value)
        }
        writer.u32(pages)
        writer.text(language)
        writer.text(coverAddress)
        writer.u8(shelf == nil ? 0 : 1)
        if let shelf { writer.u8(shelf.rawValue) }
        Self.write(added, &writer)
        writer.u16(UInt16(clamping: readings.count))
        for reading in readings {
            Self.write(reading.started, &writer)
            Self.write(reading.finished, &writer)
        }
        writer.u8(rating)
        writer.optionalText(cover)
        writer.u16(UInt16(clamping: chapters.count))
        for chapter in chapters { writer.text(chapter) }
        writer.u16(UInt16(clamping: log.count))
        for entry in log {
            writer.u32(entry.day)
            writer.u8(entry.kind.rawValue)
            writer.u32(entry.amount)
            writer.text(entry.line)
        }
    }

    public static func isKind(_ kind: String) -> Bool {
        !kind.isEmpty && kind.utf8.count <= 32
            && kind.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    }

    private static func count(_ reader: inout RecordReader) throws(RecordError) -> Int {
        let count = Int(try reader.u8())
        guard count <= nameCountMax else { throw RecordError(.tooLarge, offset: reader.offset) }
        return count
    }

    private static func names(_ reader: inout RecordReader) throws(RecordError) -> [String] {
        var names: [String] = []
        for _ in 0..<(try count(&reader)) {
            let name = try reader.text(max: nameByteCountMax)
            guard !name.isEmpty else { throw RecordError(.notCanonical, offset: reader.offset) }
            names.append(name)
        }
        return names
    }

    private static func day(_ reader: inout RecordReader) throws(RecordError) -> UInt32? {
        guard try reader.flag() else { return nil }
        let day = try reader.u32()
        guard days.contains(day) else { throw RecordError(.timeOutOfRange, offset: reader.offset) }
        return day
    }

    private static func write(_ day: UInt32?, _ writer: inout RecordWriter) {
        writer.u8(day == nil ? 0 : 1)
        if let day { writer.u32(day) }
    }
}

/// `ParsedPlace` says to which book a note belongs, and to which chapter of it.
///
/// `text bookKey | text chapter | flag + Int64 position`
public struct ParsedPlace: Sendable, Equatable {
    /// The source key of the book, which the same source names before the note.
    public var bookKey: String
    /// The chapter's title; empty for none.
    public var chapter: String
    /// Notes of a chapter stand in ascending order of it; nil for the order of the source.
    public var position: Int64?

    public init(bookKey: String, chapter: String = "", position: Int64? = nil) {
        (self.bookKey, self.chapter, self.position) = (bookKey, chapter, position)
    }

    init(_ reader: inout RecordReader) throws(RecordError) {
        bookKey = try reader.text(max: ParsedNote.sourceKeyByteCountMax)
        chapter = try reader.text(max: ParsedNote.titleByteCountMax)
        position = try reader.flag() ? try reader.i64() : nil
        guard !bookKey.isEmpty else { throw RecordError(.notCanonical, offset: reader.offset) }
    }

    func write(to writer: inout RecordWriter) {
        writer.text(bookKey)
        writer.text(chapter)
        writer.u8(position == nil ? 0 : 1)
        if let position { writer.i64(position) }
    }
}
