// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `BookDetails` is what the record of a book says besides a note's fields: the title is the record's title, a
/// description its body, the service that it came from its source.
///
/// ```
/// UInt8 shelf | text subtitle | UInt32 count, text author… | UInt32 count, text publisher… | text published
/// | UInt32 count, (text kind, text value)… identifiers | UInt32 pages | text language | flag + attachment ID cover
/// | Int64 added | UInt8 rating | UInt32 count, (UInt32 started, UInt32 finished)… readings
/// | UInt32 count, (chapter ID 8, text title)… | UInt32 count, LogEntry…
/// ```
/// Days are days since 1970-01-01 in the calendar of the person who reads; 0 stands for none. Spec: docs/format.md
/// §9.1.
public struct BookDetails: Sendable, Equatable {
    public static let nameCountMax = 64
    /// Largest author, publisher or identifier, and what else is one line, in bytes.
    public static let nameByteCountMax = 1024
    public static let readingCountMax = 256
    public static let chapterCountMax = 1024
    public static let logCountMax = 4096
    /// Five stars, in quarters.
    public static let ratingMax: UInt8 = 20

    public var shelf: BookShelf
    public var subtitle = ""
    public var authors: [String] = []
    public var publishers: [String] = []
    /// When it was published, as it was given: "2002-02-05", "1808".
    public var published = ""
    /// No identifier occurs twice.
    public var identifiers: [BookIdentifier] = []
    /// 0 where it is not known.
    public var pages: UInt32 = 0
    public var language = ""
    /// One of the record's attachments.
    public var cover: AttachmentID?
    /// Milliseconds since 1970, UTC.
    public var added: Int64
    /// Quarters of a star; 0 for none.
    public var rating: UInt8 = 0
    /// In order; the last one is the one that counts.
    public var readings: [BookReading] = []
    /// In the order in which they are shown.
    public var chapters: [BookChapter] = []
    /// In the order in which it was written.
    public var log: [ReadingLogEntry] = []

    public init(shelf: BookShelf, added: Int64) {
        self.shelf = shelf
        self.added = added
    }

    /// Whether every field is within its limit.
    public var isWithinLimits: Bool {
        let lines = [subtitle, published, language] + authors + publishers
        return lines.allSatisfy { $0.utf8.count <= Self.nameByteCountMax } && rating <= Self.ratingMax
            && [authors.count, publishers.count, identifiers.count].allSatisfy { $0 <= Self.nameCountMax }
            && identifiers.allSatisfy(\.isWithinLimits) && Set(identifiers.map(\.bytes)).count == identifiers.count
            && readings.count <= Self.readingCountMax
            && chapters.count <= Self.chapterCountMax && Set(chapters.map(\.id)).count == chapters.count
            && chapters.allSatisfy { $0.title.utf8.count <= NoteRecord.titleByteCountMax }
            && log.count <= Self.logCountMax && Set(log.map(\.id)).count == log.count
            && log.allSatisfy(\.isWithinLimits)
    }

    init(_ reader: inout ByteReader) throws(FormatError) {
        let start = reader.offset
        guard let shelf = BookShelf(rawValue: try reader.u8()) else { throw FormatError(.unknownKind, offset: start) }
        self.shelf = shelf
        subtitle = try reader.text(max: Self.nameByteCountMax)
        authors = try Self.list(&reader, max: Self.nameCountMax, Self.line)
        publishers = try Self.list(&reader, max: Self.nameCountMax, Self.line)
        published = try reader.text(max: Self.nameByteCountMax)
        identifiers = try Self.list(&reader, max: Self.nameCountMax) { reader throws(FormatError) in
            try BookIdentifier(&reader)
        }
        pages = try reader.u32()
        language = try reader.text(max: Self.nameByteCountMax)
        cover = try reader.flag() ? try AttachmentID(reader.bytes(AttachmentID.byteCount)) : nil
        added = try reader.i64()
        rating = try reader.u8()
        readings = try Self.list(&reader, max: Self.readingCountMax) { reader throws(FormatError) in
            BookReading(started: try reader.u32(), finished: try reader.u32())
        }
        chapters = try Self.list(&reader, max: Self.chapterCountMax) { reader throws(FormatError) in
            try BookChapter(&reader)
        }
        log = try Self.list(&reader, max: Self.logCountMax) { reader throws(FormatError) in
            try ReadingLogEntry(&reader)
        }
        guard isWithinLimits else { throw FormatError(.notCanonical, offset: start) }
    }

    func write(to writer: inout ByteWriter) {
        writer.u8(shelf.rawValue)
        writer.text(subtitle)
        for names in [authors, publishers] {
            writer.u32(UInt32(names.count))
            for name in names { writer.text(name) }
        }
        writer.text(published)
        writer.u32(UInt32(identifiers.count))
        for identifier in identifiers {
            writer.text(identifier.kind)
            writer.text(identifier.value)
        }
        writer.u32(pages)
        writer.text(language)
        writer.flag(cover != nil)
        if let cover { writer.raw(cover.bytes) }
        writer.i64(added)
        writer.u8(rating)
        writer.u32(UInt32(readings.count))
        for reading in readings {
            writer.u32(reading.started)
            writer.u32(reading.finished)
        }
        writer.u32(UInt32(chapters.count))
        for chapter in chapters {
            writer.raw(chapter.id.bytes)
            writer.text(chapter.title)
        }
        writer.u32(UInt32(log.count))
        for entry in log { entry.write(to: &writer) }
    }

    private static func line(_ reader: inout ByteReader) throws(FormatError) -> String {
        try reader.text(max: nameByteCountMax)
    }

    private static func list<Element>(
        _ reader: inout ByteReader, max: Int, _ read: (inout ByteReader) throws(FormatError) -> Element
    ) throws(FormatError) -> [Element] {
        let at = reader.offset
        let count = try reader.u32()
        guard count <= max else { throw FormatError(.tooLarge, offset: at) }
        var list: [Element] = []
        for _ in 0..<count { list.append(try read(&reader)) }
        return list
    }
}

/// `BookShelf` says what a person means to do with a book. The raw values are those of the record.
public enum BookShelf: UInt8, Sendable, CaseIterable {
    case wishlist = 1
    case reading = 2
    case archived = 3

    /// The word for it on the command line and in JSON.
    public var name: String {
        switch self {
        case .wishlist: "wishlist"
        case .reading: "reading"
        case .archived: "archived"
        }
    }

    /// The order in which shelves are shown.
    public static let shown: [BookShelf] = [.reading, .wishlist, .archived]

    public static func named(_ name: String) -> BookShelf? { allCases.first { $0.name == name } }
}

/// `BookIdentifier` is a number under which others know a book.
public struct BookIdentifier: Sendable, Hashable {
    public static let kindByteCountMax = 32
    /// Lower-case letters and digits, as "isbn13".
    public var kind: String
    public var value: String

    public init(kind: String, value: String) { (self.kind, self.value) = (kind, value) }

    init(_ reader: inout ByteReader) throws(FormatError) {
        kind = try reader.text(max: Self.kindByteCountMax)
        value = try reader.text(max: BookDetails.nameByteCountMax)
    }

    /// Byte for byte: Swift's own comparison takes composed and decomposed letters for the same.
    fileprivate var bytes: [UInt8] { Array(kind.utf8) + [0] + Array(value.utf8) }

    public var isWithinLimits: Bool {
        !kind.isEmpty && kind.utf8.count <= Self.kindByteCountMax
            && kind.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
            && !value.isEmpty && value.utf8.count <= BookDetails.nameByteCountMax
    }
}

/// `BookReading` is one time that a book was read, in days since 1970-01-01.
public struct BookReading: Sendable, Hashable {
    /// 0 where it is not known.
    public var started: UInt32
    /// 0 while it is being read.
    public var finished: UInt32

    public init(started: UInt32, finished: UInt32 = 0) { (self.started, self.finished) = (started, finished) }
}
