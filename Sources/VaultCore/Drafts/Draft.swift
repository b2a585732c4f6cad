// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// A `DraftStart` is what an edit begins with.
public struct DraftStart: Sendable, Equatable {
    /// The note and the revision that the editor shows; nil for a new note.
    public var note: NoteID?
    public var base: RevisionID?
    /// Heads besides `base` that the edit joins with it.
    public var joins: [RevisionID] = []
    /// For a new note.
    public var title: String?
    public var notebook = ""
    public var tags: [String] = []
    public var isTemplate = false
    /// Where the editor's file lies while it runs.
    public var folder = ""

    public init() {}
}

/// A `Draft` is an edit that was begun and not finished.
public struct Draft: Sendable, Equatable {
    public var id: DraftID
    public var start: DraftStart
    /// Milliseconds since 1970, UTC.
    public var created: Int64
    /// When it was discarded; it can be restored for a day.
    public var discarded: Int64?
    /// The text that the editor saved last.
    public var text: DraftText?
    /// Its file, or its key, is not what was written: it can only be thrown away.
    public var isDamaged = false
    /// It is of a private note.
    public var isPrivate = false
    /// It belongs to a locked private note, so the saved text cannot be read.
    public var isLocked = false

    public var state: NoteStateMachine.State {
        if discarded != nil { return .discarded }
        if isDamaged || isLocked { return .recovered }
        // Number 0 is what the editor was given; nobody has written anything then.
        return text?.sequence ?? 0 == 0 ? .new : .recovered
    }
}

/// An `EditOutcome` says what became of a text that was edited.
public enum EditOutcome: Sendable, Equatable {
    case unchanged
    case created(NoteSummary)
    case saved(NoteSummary)
    /// The note had been changed meanwhile; both changes are in.
    case merged(NoteSummary)
    /// The note had been changed meanwhile at the same place: this is a second head beside the other.
    case forked(NoteSummary)
    /// All text was deleted.
    case trashed(NoteSummary)
    /// Nothing was written, and there was no note.
    case empty
}
