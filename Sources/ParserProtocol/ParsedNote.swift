// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ParsedNote` is a note that was read from a foreign file, as `vault-parse` sends it back.
///
/// ```
/// UInt8 version (1 to 3) | flag + text title | text notebook | text sourceKey | flag + Int64 created
/// | flag + Int64 updated
/// | UInt16 count, text tag… | UInt8 count, (UInt8 code, text detail)… | from version 2: extras | text body
/// extras: UInt8 flags | UInt16 count, (text name, text key)… attachments
/// | UInt16 count, (text target, text sourceKey)… links | in version 3: UInt8 1 and ParsedBook, or UInt8 2 and ParsedPlace
/// ```
/// Numbers are big-endian; a text is its length in bytes as UInt32, then UTF-8; times are milliseconds since 1970, UTC.
/// A note without extras is version 1, so each value has one encoding. The reader trusts none of it: a parser that a
/// file has taken over can still only say one of these values.
public struct ParsedNote: Sendable, Equatable {
    public static let version: UInt8 = 1
    public static let versionWithExtras: UInt8 = 2
    /// Of a book, and of a note that belongs to one.
    public static let versionWithBook: UInt8 = 3
    /// Largest record without its length, in bytes.
    public static let byteCountMax = bodyByteCountMax + 640 << 10
    /// Largest text, in bytes: what a note holds.
    public static let bodyByteCountMax = 16 << 20
    public static let titleByteCountMax = 4096
    public static let notebookByteCountMax = 4096
    public static let sourceKeyByteCountMax = 8192
    public static let tagCountMax = 256
    /// Largest tag, in Unicode scalars.
    public static let tagScalarCountMax = 100
    public static let lossCountMax = 64
    /// Attachments and links together, encoded, in bytes: what `byteCountMax` leaves for them.
    public static let extrasByteCountMax = 120 << 10
    /// 1900-01-01T00:00:00Z to 2200-12-31T23:59:59.999Z: what lies outside is a mistake, not a date of a note.
    public static let times: ClosedRange<Int64> = -2_208_988_800_000...7_289_654_399_999

    /// A title that the file sets; without one the first line counts.
    public var title: String?
    public var body = ""
    /// The file's folder with "/" between its parts; empty for none.
    public var notebook = ""
    /// At most 256, none empty.
    public var tags: [String] = []
    public var created: Int64?
    /// When the file says it was changed; without it the file's own time counts.
    public var updated: Int64?
    /// The key by which a second import recognizes the note. See `ForeignFile.sourceKey`.
    public var sourceKey: String
    /// At most 64.
    public var losses: [Loss] = []
    public var flags: Flags = []
    /// Files of the note, in order; their bytes came before the note. With `links` at most `extrasByteCountMax`.
    public var attachments: [AttachmentReference] = []
    /// Notes that the text names in `[[…]]`, each target once.
    public var links: [NoteReference] = []
    /// It is a book, not a note.
    public var book: ParsedBook?
    /// It belongs to a book. A book does not belong to another book.
    public var place: ParsedPlace?

    public init(sourceKey: String) { self.sourceKey = sourceKey }

    /// Whether the file set a title of its own.
    public var titleWasSet: Bool { title != nil }

    public var hasExtras: Bool { !flags.isEmpty || !attachments.isEmpty || !links.isEmpty }
}

extension ParsedNote {
    /// `Flags` tells where the source says a note stands. The bits are those of the record: never reused.
    public struct Flags: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let pinned = Flags(rawValue: 1)
        public static let archived = Flags(rawValue: 2)
        public static let trashed = Flags(rawValue: 4)
        /// It holds a secret, so it has to become a private note.
        public static let isPrivate = Flags(rawValue: 8)
        /// Others are made after it.
        public static let template = Flags(rawValue: 16)
        /// The source names no zone for the time: it was read in the one that the reader was given.
        public static let createdWithoutZone = Flags(rawValue: 32)
        public static let updatedWithoutZone = Flags(rawValue: 64)
        static let known: UInt8 = 127

        /// Those that a note keeps, by the names that the vault's own exports use.
        public static let named: [String: Flags] = [
            "pinned": .pinned, "archived": .archived, "trashed": .trashed, "template": .template,
        ]
    }
}

extension ParsedNote {
    /// Reads the record of a note.
    ///
    /// - Parameter bytes: a frame without its length.
    /// - Throws: `RecordError`: `truncated`, `trailingBytes`, `tooLarge`, `notUTF8`, `notCanonical`, `unknownVersion`,
    ///   `unknownLoss`, `timeOutOfRange`, `badPath`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        guard bytes.count <= Self.byteCountMax else { throw RecordError(.tooLarge) }
        var reader = RecordReader(bytes)
        let version = try reader.u8()
        guard (Self.version...Self.versionWithBook).contains(version) else {
            throw RecordError(.unknownVersion, offset: 0)
        }
        let title = try reader.optionalText(max: Self.titleByteCountMax)
        let notebook = try reader.text(max: Self.notebookByteCountMax)
        self.init(sourceKey: try reader.text(max: Self.sourceKeyByteCountMax))
        self.title = title
        self.notebook = notebook
        created = try Self.time(&reader)
        updated = try Self.time(&reader)
        tags = try Self.tags(&reader)
        losses = try Self.losses(&reader)
        if version >= Self.versionWithExtras { try readExtras(&reader, isOfBook: version == Self.versionWithBook) }
        body = try reader.text(max: Self.bodyByteCountMax)
        try reader.end()
    }

    /// The frame without its length; `RecordFrame.enclosing(_:)` puts that before it.
    public var encoded: [UInt8] {
        var writer = RecordWriter(reserving: 256 + body.utf8.count)
        let isOfBook = book != nil || place != nil
        writer.u8(isOfBook ? Self.versionWithBook : hasExtras ? Self.versionWithExtras : Self.version)
        writer.optionalText(title)
        writer.text(notebook)
        writer.text(sourceKey)
        writer.optionalTime(created)
        writer.optionalTime(updated)
        writer.u16(UInt16(clamping: tags.count))
        for tag in tags { writer.text(tag) }
        writer.u8(UInt8(clamping: losses.count))
        for loss in losses {
            writer.u8(loss.code.rawValue)
            writer.text(loss.detail)
        }
        if isOfBook || hasExtras { writeExtras(&writer) }
        writer.text(body)
        return writer.bytes
    }

    private static func time(_ reader: inout RecordReader) throws(RecordError) -> Int64? {
        guard try reader.flag() else { return nil }
        let at = reader.offset
        let time = try reader.i64()
        guard times.contains(time) else { throw RecordError(.timeOutOfRange, offset: at) }
        return time
    }

    private static func tags(_ reader: inout RecordReader) throws(RecordError) -> [String] {
        let at = reader.offset
        let count = Int(try reader.u16())
        guard count <= tagCountMax else { throw RecordError(.tooLarge, offset: at) }
        var tags: [String] = []
        for _ in 0..<count {
            let at = reader.offset
            // A scalar is at most four bytes.
            let tag = try reader.text(max: 4 * tagScalarCountMax)
            guard !tag.isEmpty else { throw RecordError(.notCanonical, offset: at) }
            guard tag.unicodeScalars.count <= tagScalarCountMax else { throw RecordError(.tooLarge, offset: at) }
            tags.append(tag)
        }
        return tags
    }

    private static func losses(_ reader: inout RecordReader) throws(RecordError) -> [Loss] {
        let at = reader.offset
        let count = Int(try reader.u8())
        guard count <= lossCountMax else { throw RecordError(.tooLarge, offset: at) }
        var losses: [Loss] = []
        for _ in 0..<count {
            let at = reader.offset
            guard let code = Loss.Code(rawValue: try reader.u8()) else { throw RecordError(.unknownLoss, offset: at) }
            let detail = try reader.text(max: Loss.detailByteCountMax)
            guard Loss.isName(detail) else { throw RecordError(.notCanonical, offset: at) }
            losses.append(Loss(code, detail: detail))
        }
        return losses
    }
}

extension ParsedNote {
    private mutating func readExtras(_ reader: inout RecordReader, isOfBook: Bool) throws(RecordError) {
        let start = reader.offset
        let bits = try reader.u8()
        guard bits & ~Flags.known == 0 else { throw RecordError(.notCanonical, offset: start) }
        flags = Flags(rawValue: bits)
        attachments = try Self.attachments(&reader)
        links = try Self.links(&reader)
        guard reader.offset - start <= Self.extrasByteCountMax else { throw RecordError(.tooLarge, offset: start) }
        if isOfBook { try readBook(&reader) }
        // Without any it would be a version 1.
        guard isOfBook || hasExtras else { throw RecordError(.notCanonical, offset: start) }
    }

    private mutating func readBook(_ reader: inout RecordReader) throws(RecordError) {
        let at = reader.offset
        switch try reader.u8() {
        case 1: book = try ParsedBook(&reader)
        case 2: place = try ParsedPlace(&reader)
        default: throw RecordError(.notCanonical, offset: at)
        }
        guard reader.offset - at <= ParsedBook.byteCountMax else { throw RecordError(.tooLarge, offset: at) }
    }

    private func writeExtras(_ writer: inout RecordWriter) {
        writer.u8(flags.rawValue)
        writer.u16(UInt16(clamping: attachments.count))
        for attachment in attachments {
            writer.text(attachment.name)
            writer.text(attachment.key)
        }
        writer.u16(UInt16(clamping: links.count))
        for link in links {
            writer.text(link.target)
            writer.text(link.sourceKey)
        }
        if let book {
            writer.u8(1)
            book.write(to: &writer)
        } else if let place {
            writer.u8(2)
            place.write(to: &writer)
        }
    }

    /// Bytes that attachments and links take in the record, with flags and counts.
    public var extrasByteCount: Int {
        attachments.reduce(5) { $0 + $1.encodedByteCount } + links.reduce(0) { $0 + $1.encodedByteCount }
    }

    private static func attachments(_ reader: inout RecordReader) throws(RecordError) -> [AttachmentReference] {
        var list: [AttachmentReference] = []
        var known: Set<String> = []
        for _ in 0..<Int(try reader.u16()) {
            let at = reader.offset
            let name = try reader.text(max: AttachmentReference.nameByteCountMax)
            list.append(
                try AttachmentReference(name: name, key: try reader.text(max: AttachmentReference.keyByteCountMax)))
            guard known.insert(name.lowercased()).inserted else { throw RecordError(.notCanonical, offset: at) }
        }
        return list
    }

    private static func links(_ reader: inout RecordReader) throws(RecordError) -> [NoteReference] {
        var list: [NoteReference] = []
        var known: Set<String> = []
        for _ in 0..<Int(try reader.u16()) {
            let at = reader.offset
            let target = try reader.text(max: NoteReference.targetByteCountMax)
            list.append(
                try NoteReference(target: target, sourceKey: try reader.text(max: NoteReference.sourceKeyByteCountMax)))
            guard known.insert(target).inserted else { throw RecordError(.notCanonical, offset: at) }
        }
        return list
    }
}
