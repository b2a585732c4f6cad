// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// `ExportedNote` is a note as an export writes it: what its owner sees, with nothing sealed.
///
/// All of it is held in memory while the note is written, attachments' contents excepted, and none of it afterwards.
public struct ExportedNote: Sendable {
    /// 16 characters of base32.
    public var id: String
    /// As shown: the title that was set, else the first line; empty if there is none.
    public var title: String
    /// Whether the title was set; if not, it is in the body already.
    public var titleIsSet = false
    /// Markdown.
    public var body: String
    public var tags: [String] = []
    /// Path with "/" between its parts; empty for none.
    public var notebook = ""
    /// Times are milliseconds since 1970, UTC.
    public var created: Int64
    public var modified: Int64
    public var flags: NoteRecord.Flags = []
    /// Whether it has a password of its own: an export writes it without.
    public var isPrivate = false
    /// Where an import found it.
    public var source: String?
    /// The book's details; nil for a note.
    public var book: BookDetails?
    /// The book that contains the note, and its place there.
    public var bookPlace: ExportedPlace?
    /// In the order they were added.
    public var attachments: [ExportedAttachment] = []
    /// How many older revisions the vault has: counted as lost by formats that have no history.
    public var revisionCount = 0
    /// Older revisions, oldest first. Only JSON writes them; for other formats the list may stay empty.
    public var revisions: [ExportedRevision] = []

    public init(id: String, title: String, body: String, created: Int64, modified: Int64) {
        self.id = id
        self.title = title
        self.body = body
        self.created = created
        self.modified = modified
    }
}

extension ExportedNote {
    /// What it is besides a note, in words.
    var flagWords: [String] {
        NoteFlag.allCases.filter { flags.contains($0) }.map(\.words)
    }

    /// Whether "[[" is in the text.
    var mayLinkToNotes: Bool {
        var last: UInt8 = 0
        for byte in body.utf8 {
            if byte == UInt8(ascii: "["), last == byte { return true }
            last = byte
        }
        return false
    }
}

/// `ExportedPlace` says which book contains a note.
public struct ExportedPlace: Sendable {
    /// 16 characters of base32.
    public var book: String
    public var title: String
    /// Nil for before all chapters.
    public var chapter: String?
    public var position: Int64

    public init(book: String, title: String, chapter: String?, position: Int64) {
        (self.book, self.title, self.chapter, self.position) = (book, title, chapter, position)
    }
}

/// `ExportedAttachment` is an attachment as an export writes it. Its content comes apart, through `AttachmentContent`.
public struct ExportedAttachment: Sendable {
    /// 26 characters of base32.
    public var id: String
    /// As the note's text calls it: `![caption](att:NAME)`.
    public var name: String
    public var mediaType: String
    /// "file", "photo", "video", "audio" or "sketch".
    public var kind: String
    public var caption = ""
    /// Exact size of the content, in bytes.
    public var byteCount: UInt64
    /// When it was added, in milliseconds since 1970, UTC.
    public var created: Int64

    public init(id: String, name: String, mediaType: String, kind: String, byteCount: UInt64, created: Int64) {
        self.id = id
        self.name = name
        self.mediaType = mediaType
        self.kind = kind
        self.byteCount = byteCount
        self.created = created
    }
}

/// `ExportedRevision` is an older state of a note.
public struct ExportedRevision: Sendable {
    /// 26 characters of base32.
    public var id: String
    /// Milliseconds since 1970, UTC.
    public var modified: Int64
    /// What was done, in one word: "edit", "move".
    public var operation: String
    public var title: String
    public var body: String
    public var tags: [String]
    public var notebook: String

    public init(
        id: String, modified: Int64, operation: String, title: String, body: String, tags: [String], notebook: String
    ) {
        self.id = id
        self.modified = modified
        self.operation = operation
        self.title = title
        self.body = body
        self.tags = tags
        self.notebook = notebook
    }
}
