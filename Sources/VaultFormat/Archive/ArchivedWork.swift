// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ArchivedDraft` is an edit that was not finished. Spec: docs/format.md §17 and §21.
public struct ArchivedDraft: Sendable, Equatable {
    /// Largest journal of a private note's draft, in bytes: a sealed text of 16 MiB.
    public static let journalByteCountMax = 20 << 20
    private static let wrappedByteCountMax = 3 << 20
    private static let joinCountMax = 200

    public var id: DraftID
    public var note: NoteID?
    public var base: RevisionID?
    public var joins: [RevisionID] = []
    public var created: Int64
    public var discarded: Int64?
    public var isTemplate = false
    public var title: String?
    public var notebook = ""
    /// Joined by line feeds.
    public var tags = ""
    public var content: Content

    public enum Content: Sendable, Equatable {
        /// `DraftText`; nil when nothing was saved.
        case text([UInt8]?)
        /// Of a private note: what the vault's layer of `draft.wrapped` holds, and the journal as it lies there; nil
        /// when nothing was saved.
        case sealedInside(wrapped: [UInt8], journal: [UInt8]?)
    }

    public var isSealedInside: Bool {
        if case .sealedInside = content { true } else { false }
    }

    public var contentByteCount: Int {
        switch content {
        case .text(let text): text?.count ?? 0
        case .sealedInside(let wrapped, let journal): wrapped.count + (journal?.count ?? 0)
        }
    }

    public init(id: DraftID, created: Int64, content: Content) {
        self.id = id
        self.created = created
        self.content = content
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        id = try DraftID(reader.bytes(DraftID.byteCount))
        if try reader.flag() { note = try NoteID(reader.bytes(NoteID.byteCount)) }
        if try reader.flag() { base = try RevisionID(reader.bytes(RevisionID.byteCount)) }
        let at = reader.offset
        let joinCount = Int(try reader.u32())
        guard joinCount <= Self.joinCountMax else { throw FormatError(.tooLarge, offset: at) }
        for _ in 0..<joinCount { joins.append(try RevisionID(reader.bytes(RevisionID.byteCount))) }
        created = try reader.i64()
        if try reader.flag() { discarded = try reader.i64() }
        isTemplate = try reader.flag()
        if try reader.flag() { title = try reader.text(max: NoteRecord.titleByteCountMax) }
        notebook = try reader.text(max: NoteRecord.titleByteCountMax)
        tags = try reader.text(max: NoteRecord.tagCountMax * (NoteRecord.titleByteCountMax + 1))
        if try reader.flag() {
            let wrapped = try reader.lengthPrefixed(max: Self.wrappedByteCountMax)
            content = .sealedInside(wrapped: wrapped, journal: try Self.optional(&reader))
        } else {
            content = .text(try Self.optional(&reader))
        }
    }

    private static func optional(_ reader: inout ByteReader) throws(FormatError) -> [UInt8]? {
        try reader.flag() ? try reader.lengthPrefixed(max: journalByteCountMax) : nil
    }

    func encode(to writer: inout ByteWriter) {
        writer.raw(id.bytes)
        writer.flag(note != nil)
        if let note { writer.raw(note.bytes) }
        writer.flag(base != nil)
        if let base { writer.raw(base.bytes) }
        writer.u32(UInt32(clamping: joins.count))
        for revision in joins { writer.raw(revision.bytes) }
        writer.i64(created)
        writer.flag(discarded != nil)
        if let discarded { writer.i64(discarded) }
        writer.flag(isTemplate)
        writer.flag(title != nil)
        if let title { writer.text(title) }
        writer.text(notebook)
        writer.text(tags)
        let last: [UInt8]?
        switch content {
        case .text(let text):
            writer.flag(false)
            last = text
        case .sealedInside(let wrapped, let journal):
            writer.flag(true)
            writer.lengthPrefixed(wrapped)
            last = journal
        }
        writer.flag(last != nil)
        if let last { writer.lengthPrefixed(last) }
    }
}

/// `ArchivedChange` says what `undo` may take back: entries of this device, from `first` to `last`. Spec:
/// docs/format.md §13.
public struct ArchivedChange: Sendable, Equatable {
    public var id: Int64
    public var command: Int64
    public var kind: String
    public var made: Int64
    public var first: Int64
    public var last: Int64

    public init(id: Int64, command: Int64, kind: String, made: Int64, first: Int64, last: Int64) {
        self.id = id
        self.command = command
        self.kind = kind
        self.made = made
        self.first = first
        self.last = last
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        id = try reader.i64()
        command = try reader.i64()
        kind = try reader.text(max: 64)
        made = try reader.i64()
        first = try reader.i64()
        last = try reader.i64()
    }

    func encode(to writer: inout ByteWriter) {
        writer.i64(id)
        writer.i64(command)
        writer.text(kind)
        for number in [made, first, last] { writer.i64(number) }
    }
}

/// `ArchiveCounts` says how many items of each kind came before the end.
public struct ArchiveCounts: Sendable, Equatable {
    public var entries: UInt64 = 0
    public var noteKeyslots: UInt64 = 0
    public var revisions: UInt64 = 0
    public var attachments: UInt64 = 0
    public var drafts: UInt64 = 0
    public var changes: UInt64 = 0

    public init() {}

    init(from reader: inout ByteReader) throws(FormatError) {
        entries = try reader.u64()
        noteKeyslots = try reader.u64()
        revisions = try reader.u64()
        attachments = try reader.u64()
        drafts = try reader.u64()
        changes = try reader.u64()
    }

    func encode(to writer: inout ByteWriter) {
        for number in [entries, noteKeyslots, revisions, attachments, drafts, changes] { writer.u64(number) }
    }

    /// Counts an item.
    public mutating func add(_ kind: ArchiveItem.Kind) {
        switch kind {
        case .entry: entries += 1
        case .noteKeyslot: noteKeyslots += 1
        case .revision: revisions += 1
        case .attachment: attachments += 1
        case .draft: drafts += 1
        case .change: changes += 1
        case .vault, .end: break
        }
    }
}
