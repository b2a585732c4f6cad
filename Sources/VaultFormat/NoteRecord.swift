// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `NoteRecord` is one revision of a note with all of its fields: these bytes, padded and sealed, are what is stored
/// and what sync will carry.
///
/// ```
/// UInt16 version (1 to 3) | noteID 10 bytes | Int64 created | Int64 modified | UInt32 flags
/// | flag + text title
/// | text notebook | UInt32 count, text tag… | flag + text source
/// | from version 2: UInt32 count, 16 bytes each attachment…
/// | in version 3: UInt8 1 and BookPlace, or UInt8 2 and BookDetails | text body
/// ```
/// Times are milliseconds since 1970, UTC. Spec: docs/format.md §9.
public struct NoteRecord: Sendable, Equatable {
    /// Of a record without attachments, and with some: each record has one encoding.
    public static let version: UInt16 = 1
    public static let versionWithAttachments: UInt16 = 2
    /// Of a book, and of a note that stands in one, with attachments or without.
    public static let versionWithBook: UInt16 = 3
    public static let attachmentCountMax = 16384
    /// Largest text of a note, in bytes.
    public static let bodyByteCountMax = 16 << 20
    public static let titleByteCountMax = 4096
    public static let tagCountMax = 256
    public static let sourceByteCountMax = 8192

    public var noteID: NoteID
    public var created: Int64
    public var modified: Int64
    public var flags: Flags = []
    /// A title that was set; without one the first line counts.
    public var title: String?
    /// Path with "/" between its parts; empty for none.
    public var notebook = ""
    public var tags: [String] = []
    /// Where an import found it, so that a second run updates it.
    public var source: String?
    /// In the order they were added.
    public var attachments: [AttachmentID] = []
    public var role = Role.note
    public var body: String

    /// `Role` says whether a record is a note's or a book's.
    public enum Role: Sendable, Equatable {
        case note
        case noteInBook(BookPlace)
        /// Its flags have `.book`, and no other record's have.
        case book(BookDetails)
    }

    /// Its book details; nil for a note.
    public var book: BookDetails? {
        get { if case .book(let details) = role { details } else { nil } }
        set {
            role = newValue.map { .book($0) } ?? .note
            if newValue == nil { flags.remove(.book) } else { flags.insert(.book) }
        }
    }

    /// Its place in a book.
    public var bookPlace: BookPlace? {
        get { if case .noteInBook(let place) = role { place } else { nil } }
        set { role = newValue.map { .noteInBook($0) } ?? .note }
    }

    /// Takes attachments out, and puts others into their place. A cover goes with its attachment.
    ///
    /// - Parameter kept: returns what replaces one; nil removes it.
    public mutating func mapAttachments(_ kept: (AttachmentID) -> AttachmentID?) {
        attachments = attachments.compactMap(kept)
        if let cover = book?.cover {
            let now = kept(cover).flatMap { attachments.contains($0) ? $0 : nil }
            book?.cover = now
        }
    }

    /// Whether every field is within its limit: otherwise it could be written but never read again.
    public var isWithinLimits: Bool {
        let names = [title ?? "", notebook] + tags
        return body.utf8.count <= Self.bodyByteCountMax && tags.count <= Self.tagCountMax
            && attachments.count <= Self.attachmentCountMax
            && Set(attachments).count == attachments.count
            && names.allSatisfy { $0.utf8.count <= Self.titleByteCountMax }
            && (source ?? "").utf8.count <= Self.sourceByteCountMax
            && flags.contains(.book) == (book != nil) && (book?.isWithinLimits ?? true)
            && (book?.cover.map { attachments.contains($0) } ?? true)
    }

    /// Whether it is empty: it has neither text nor title nor attachment.
    public var isEmpty: Bool { body.isEmpty && title == nil && attachments.isEmpty }

    public init(noteID: NoteID, created: Int64, modified: Int64, body: String) {
        self.noteID = noteID
        self.created = created
        self.modified = modified
        self.body = body
    }

    /// Reads a revision; flags that are not known are refused.
    ///
    /// - Throws: `FormatError`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        let version = try reader.u16()
        guard (Self.version...Self.versionWithBook).contains(version) else {
            throw FormatError(.unknownVersion, offset: 0)
        }
        noteID = try NoteID(reader.bytes(NoteID.byteCount))
        created = try reader.i64()
        modified = try reader.i64()
        flags = Flags(rawValue: try reader.u32())
        guard flags.rawValue & ~Flags.known == 0 else { throw FormatError(.unknownFeature, offset: reader.offset - 4) }
        title = try reader.flag() ? try reader.text(max: Self.titleByteCountMax) : nil
        notebook = try reader.text(max: Self.titleByteCountMax)
        let count = try reader.u32()
        guard count <= Self.tagCountMax else { throw FormatError(.tooLarge, offset: reader.offset - 4) }
        for _ in 0..<count { tags.append(try reader.text(max: Self.titleByteCountMax)) }
        source = try reader.flag() ? try reader.text(max: Self.sourceByteCountMax) : nil
        body = ""
        if version >= Self.versionWithAttachments { try parseAttachments(&reader, version) }
        if version == Self.versionWithBook { try parseRole(&reader) }
        guard flags.contains(.book) == (book != nil) else { throw FormatError(.notCanonical, offset: reader.offset) }
        body = try reader.text(max: Self.bodyByteCountMax)
        try reader.end()
    }

    private mutating func parseRole(_ reader: inout ByteReader) throws(FormatError) {
        let at = reader.offset
        switch try reader.u8() {
        case 1: role = .noteInBook(try BookPlace(&reader))
        case 2: role = .book(try BookDetails(&reader))
        default: throw FormatError(.unknownKind, offset: at)
        }
        if let cover = book?.cover, !attachments.contains(cover) { throw FormatError(.notCanonical, offset: at) }
    }

    private mutating func parseAttachments(_ reader: inout ByteReader, _ version: UInt16) throws(FormatError) {
        let at = reader.offset
        let count = try reader.u32()
        guard count <= Self.attachmentCountMax else { throw FormatError(.tooLarge, offset: at) }
        for _ in 0..<count { attachments.append(try AttachmentID(reader.bytes(AttachmentID.byteCount))) }
        // Without one it would be of version 1, and naming one twice says no more than once.
        guard count > 0 || version == Self.versionWithBook, Set(attachments).count == attachments.count else {
            throw FormatError(.notCanonical, offset: at)
        }
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 128 + body.utf8.count)
        let version =
            role != .note
            ? Self.versionWithBook : attachments.isEmpty ? Self.version : Self.versionWithAttachments
        writer.u16(version)
        writer.raw(noteID.bytes)
        writer.i64(created)
        writer.i64(modified)
        writer.u32(flags.rawValue)
        writer.flag(title != nil)
        if let title { writer.text(title) }
        writer.text(notebook)
        writer.u32(UInt32(tags.count))
        for tag in tags { writer.text(tag) }
        writer.flag(source != nil)
        if let source { writer.text(source) }
        if version >= Self.versionWithAttachments {
            writer.u32(UInt32(attachments.count))
            for attachment in attachments { writer.raw(attachment.bytes) }
        }
        switch role {
        case .note: break
        case .noteInBook(let place):
            writer.u8(1)
            place.write(to: &writer)
        case .book(let details):
            writer.u8(2)
            details.write(to: &writer)
        }
        writer.text(body)
        return writer.bytes
    }
}
