// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// A `Note` is a note with all of its text.
public struct Note: Sendable, Equatable {
    public var id: NoteID
    public var revision: RevisionID
    /// The title that was set, or the first line.
    public var title: String
    public var titleIsSet: Bool
    public var body: String
    public var tags: [String]
    /// Path with "/" between its parts; empty for none.
    public var notebook: String
    /// Milliseconds since 1970, UTC.
    public var created: Int64
    public var modified: Int64
    public var place: NotePlace
    public var flags: NoteRecord.Flags = []
    /// It has a second head: two changes that were made without knowing of each other.
    public var isForked = false
    public var protection = NoteProtection.none
    /// Whether the vault's remotes have it as it is.
    public var upload = UploadState.persisted
    /// In the order they were added.
    public var attachments: [AttachmentID] = []
    /// Where in a book it stands.
    public var bookPlace: BookPlace?
    /// Its attachments, if a `LocalPersistence` gave the note.
    public var files: [Attachment] = []
    /// What was added to it and is saved with the next `update`.
    public var added: [AddedContent] = []

    public var isTrashed: Bool { place == .trash }
    public var isPinned: Bool { flags.contains(.pinned) }
}

/// `NoteProtection` says whether a note has a password of its own, and whether it is open now.
public enum NoteProtection: Sendable, Equatable {
    case none
    /// Only its dates can be read, and its title if its owner wants that.
    case locked
    case unlocked
}

/// A `NoteSummary` is what a list shows of a note.
public struct NoteSummary: Sendable, Equatable {
    public var id: NoteID
    /// Shortest prefix of the identifier, at least 4 characters, that no other note has.
    public var shortID: String
    public var revision: RevisionID
    public var title: String
    /// Beginning of the text behind the title, on one line.
    public var snippet: String
    public var tags: [String]
    public var notebook: String
    public var created: Int64
    public var modified: Int64
    public var place: NotePlace
    public var flags: NoteRecord.Flags
    /// It has a second head: two changes that were made without knowing of each other.
    public var isForked: Bool
    /// Size of the text in bytes.
    public var byteCount: Int
    public var protection = NoteProtection.none
    public var hasAttachments = false
    /// One of its first 32 attachments is a drawing; false for a note whose attachments may not be looked at.
    public var hasSketches = false
    /// False when the title is the first line of the text.
    public var titleIsSet = false
    /// Its text was found not to open, since the vault was opened.
    public var isDamaged = false
    /// Whether the vault's remotes have it as it is.
    public var upload = UploadState.persisted

    public var isTrashed: Bool { place == .trash }
    public var isPinned: Bool { flags.contains(.pinned) }
}

/// A `NoteDraft` is what a note is made of when it is written.
public struct NoteDraft: Sendable, Equatable {
    public var body: String
    public var title: String?
    public var tags: [String] = []
    public var notebook = ""
    /// Milliseconds since 1970, UTC; nil for now.
    public var created: Int64?
    public var modified: Int64?
    /// Where an import found it.
    public var source: String?
    /// A pattern for new notes, not a note itself.
    public var isTemplate = false
    /// Where in a book it stands.
    public var place: NewPlace?

    public init(body: String, title: String? = nil) {
        self.body = body
        self.title = title
    }
}
