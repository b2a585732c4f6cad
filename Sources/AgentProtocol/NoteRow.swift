// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// A note as lists show it: all that is known of it but its text.
public struct NoteRow: ReplyValue {
    /// 16 characters of base32.
    public var id = ""
    /// The shortest beginning of it that no other note has.
    public var shortID = ""
    public var revision = ""
    /// Empty for a blank note, and for a locked one that keeps its title to itself.
    public var title = ""
    /// Beginning of the text behind the title, on one line.
    public var snippet = ""
    public var notebook = ""
    public var tags: [String] = []
    /// Milliseconds since 1970, UTC.
    public var created: Int64 = 0
    public var modified: Int64 = 0
    public var place: ListPlace = .live
    /// Flags other than those that determine `place`.
    public var marks: NoteRecord.Flags = []
    /// It has two versions that were made without knowing of each other.
    public var isForked = false
    /// It has a password of its own.
    public var isPrivate = false
    public var isLocked = false
    public var hasAttachments = false
    /// One of its first 32 attachments is a drawing.
    public var hasSketches = false
    /// Size of the text in bytes.
    public var byteCount = 0
    /// Its text was found not to open.
    public var isDamaged = false
    /// Whether the vault's remotes have its current state.
    public var state = UploadState.persisted
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&id)
        try fields.text(&shortID)
        try fields.text(&revision)
        try fields.text(&title)
        try fields.text(&snippet)
        try fields.text(&notebook)
        try fields.texts(&tags)
        try fields.i64(&created)
        try fields.i64(&modified)
        try fields.code(&place)
        try fields.marks(&marks)
        try fields.flag(&isForked)
        try fields.flag(&isPrivate)
        try fields.flag(&isLocked)
        try fields.flag(&hasAttachments)
        try fields.flag(&hasSketches)
        try fields.count(&byteCount)
        try fields.flag(&isDamaged)
        try fields.code(&state)
    }
}

extension NoteRow {
    /// Lists show none of its text: somebody may look over a shoulder.
    public var isSecret: Bool { tags.contains { $0.lowercased() == NewNote.secretTag } }
}

extension ListPlace {
    /// What puts a note there; nil for the lists themselves.
    public var flag: NoteFlag? {
        switch self {
        case .live, .book: nil
        case .trash: .trashed
        case .archive: .archived
        case .template: .template
        }
    }
}

extension FieldCoder {
    /// Writes or reads one byte, a bit for each of `NoteFlag.marks`.
    fileprivate mutating func marks(_ flags: inout NoteRecord.Flags) throws(FormatError) {
        var byte: UInt8 = 0
        for (bit, flag) in NoteFlag.marks.enumerated() where flags.contains(flag) { byte |= 1 << bit }
        try u8(&byte)
        guard byte >> NoteFlag.marks.count == 0 else { throw refusal(.notCanonical) }
        for (bit, flag) in NoteFlag.marks.enumerated() { flags.set(flag, byte & 1 << bit != 0) }
    }
}

/// Notes that an operation changed or made, in one part or several.
public struct ChangedNotes: ReplyValue {
    /// Those of this part; empty when they are only counted.
    public var notes: [NoteRow] = []
    /// Of all parts, so far.
    public var count = 0
    public var isFirst = true
    public var isLast = true
    public init() {}
    public init(_ notes: [NoteRow]) { (self.notes, count) = (notes, notes.count) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.values(&notes)
        try fields.count(&count)
        try fields.flag(&isFirst)
        try fields.flag(&isLast)
    }
}

/// A note with its text. Spec: docs/cli.md §4.
public struct ShownNote: ReplyValue {
    public var note = NoteRow()
    /// False when the title is the first line of the text.
    public var titleIsSet = false
    public var body = ""
    /// Its current attachments; empty if they were not asked for.
    public var attachments: [AttachmentRow] = []
    /// How many revisions before the newest this one is; nil for the newest.
    public var number: UInt32?
    /// Its place in a book; nil if it is in none.
    public var book: BookSpot?
    /// Of the notes that were asked for.
    public var isFirst = true
    public var isLast = true
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try note.code(&fields)
        try fields.flag(&titleIsSet)
        try fields.text(&body)
        try fields.values(&attachments)
        try fields.optional(&number, else: 0) { (fields, number) throws(FormatError) in try fields.u32(&number) }
        try fields.optional(&book, else: BookSpot()) { (fields, book) throws(FormatError) in try book.code(&fields) }
        try fields.flag(&isFirst)
        try fields.flag(&isLast)
    }
}
