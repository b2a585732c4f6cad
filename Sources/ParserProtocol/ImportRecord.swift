// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ImportRecord` says what `vault-parse` sends back for a whole container: one frame (`RecordFrame`) for each, its
/// first byte the kind.
///
/// ```
/// kind  content
///    1  ParsedNote
///    2  AttachmentStart; then 3 as often as needed, then 4: nothing else comes between
///    3  1 to 65,536 bytes of the attachment
///    4  flag: whether the attachment is whole
///    5  RefusedEntry
///    6  nothing: send the container again from its beginning
///    7  ImportSummary; the last record
///    8  AttachmentStart with AttachmentTraits behind it, instead of 2
/// ```
/// An attachment's bytes always come before the first note that names its key.
public enum ImportRecord: Sendable, Equatable {
    /// Largest piece of an attachment, in bytes.
    public static let pieceByteCountMax = 64 << 10
    /// Largest record without its length, in bytes.
    public static let byteCountMax = ParsedNote.byteCountMax + 1

    case note(ParsedNote)
    case attachmentStart(AttachmentStart)
    case attachmentBytes([UInt8])
    case attachmentEnd(isWhole: Bool)
    case refused(RefusedEntry)
    case again
    case summary(ImportSummary)

    /// Reads a record of the parser's stream.
    ///
    /// - Parameter bytes: a frame without its length.
    /// - Throws: `RecordError`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        guard bytes.count <= Self.byteCountMax else { throw RecordError(.tooLarge) }
        guard let kind = bytes.first else { throw RecordError(.truncated) }
        let content = Array(bytes.dropFirst())
        var reader = RecordReader(content)
        switch kind {
        case 1:
            self = .note(try ParsedNote(parsing: content))
            return
        case 2, 8: self = .attachmentStart(try AttachmentStart(&reader, hasTraits: kind == 8))
        case 3:
            guard !content.isEmpty else { throw RecordError(.truncated) }
            guard content.count <= Self.pieceByteCountMax else { throw RecordError(.tooLarge) }
            self = .attachmentBytes(content)
            return
        case 4: self = .attachmentEnd(isWhole: try reader.flag())
        case 5: self = .refused(try RefusedEntry(&reader))
        case 6: self = .again
        case 7: self = .summary(try ImportSummary(&reader))
        default: throw RecordError(.notCanonical, offset: 0)
        }
        try reader.end()
    }

    /// The frame without its length.
    public var encoded: [UInt8] {
        var writer = RecordWriter(reserving: 128)
        switch self {
        case .note(let note):
            writer.u8(1)
            writer.raw(note.encoded)
        case .attachmentStart(let start):
            writer.u8(start.traits == nil ? 2 : 8)
            start.write(&writer)
        case .attachmentBytes(let bytes):
            writer.u8(3)
            writer.raw(bytes)
        case .attachmentEnd(let isWhole):
            writer.u8(4)
            writer.flag(isWhole)
        case .refused(let entry):
            writer.u8(5)
            entry.write(&writer)
        case .again: writer.u8(6)
        case .summary(let summary):
            writer.u8(7)
            summary.write(&writer)
        }
        return writer.bytes
    }
}

/// `ImportSummary` is the last record of a stream: `flag isComplete | counts found | counts delivered | UInt64 losses |
/// UInt64 refused`.
///
/// A stream without it ended too early, whatever came before.
public struct ImportSummary: Sendable, Hashable {
    /// False if the container was given up before its end; the refusal before it says why.
    public var isComplete = true
    /// What the source holds.
    public var found = ImportCounts()
    /// What was sent.
    public var delivered = ImportCounts()
    /// Losses of all notes.
    public var lossCount: UInt64 = 0
    public var refusedCount: UInt64 = 0

    public init() {}

    init(_ reader: inout RecordReader) throws(RecordError) {
        isComplete = try reader.flag()
        found = try ImportCounts(&reader)
        delivered = try ImportCounts(&reader)
        lossCount = try reader.u64()
        refusedCount = try reader.u64()
    }

    func write(_ writer: inout RecordWriter) {
        writer.flag(isComplete)
        found.write(&writer)
        delivered.write(&writer)
        writer.u64(lossCount)
        writer.u64(refusedCount)
    }
}

/// `ImportCounts` says how much of each kind there is: five UInt64, in the order of the fields.
public struct ImportCounts: Sendable, Hashable {
    public var notes: UInt64 = 0
    public var notebooks: UInt64 = 0
    /// Uses of tags: a note with two tags counts twice.
    public var tags: UInt64 = 0
    public var attachments: UInt64 = 0
    /// Links from note to note.
    public var links: UInt64 = 0

    public init() {}

    init(_ reader: inout RecordReader) throws(RecordError) {
        notes = try reader.u64()
        notebooks = try reader.u64()
        tags = try reader.u64()
        attachments = try reader.u64()
        links = try reader.u64()
    }

    func write(_ writer: inout RecordWriter) {
        for count in [notes, notebooks, tags, attachments, links] { writer.u64(count) }
    }
}
