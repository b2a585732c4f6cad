// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// A `SalvageReport` says what a salvage has found and what it has not, note by note.
public struct SalvageReport: Sendable {
    /// A `Note` is a note of which not everything is there.
    public struct Note: Sendable {
        public let id: NoteID
        public let state: SalvagedNoteState
        /// The title that lists showed; empty if it is not known or not to be shown.
        public let title: String
        /// The revision shown now; nil for a lost note.
        public let revision: RevisionID?
        /// When that was recorded; 0 where it is not known.
        public let made: Int64
    }

    /// An `Attachment` is an attachment that a revision or a row names, and whose file does not open.
    public struct Attachment: Sendable {
        public let id: AttachmentID
        public let note: NoteID
        /// Nil where it is not known, or a private note's.
        public let name: String?
    }

    public var wholeCount = 0
    public var olderCount = 0
    public var lostCount = 0
    /// Those that are not whole.
    public var notes: [Note] = []
    public var lostAttachments: [Attachment] = []
    public var lostDrafts: [DraftID] = []
    /// Entries that are missing between those that are there, or after them.
    public var missingEntryCount = 0
    /// Whether the last commit is there: without it changes may be lost that nothing names.
    public var knowsEnd = false
    /// Whether there was a log of which nothing can be read, or one that is gone or cut.
    public var logIsLost = false
    public var pageCount = 0
    public var damagedPageCount = 0
    public var frameCount = 0
    public var damagedFrameCount = 0
    /// What the new vault contains.
    public var counts = ArchiveCounts()

    /// Whether nothing is lost that the history names.
    public var isWhole: Bool {
        olderCount == 0 && lostCount == 0 && lostAttachments.isEmpty && lostDrafts.isEmpty && missingEntryCount == 0
            && knowsEnd
    }
}
