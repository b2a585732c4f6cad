// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// A `SalvageLoss` says what an index's pages no longer have, as far as what is left of them tells.
public struct SalvageLoss: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// No revision of the note is left.
        case gone
        /// Its revisions are there, but not the keyslot that its password opens: nobody can read them.
        case keyslot
        /// The newest revision is lost: the note is as it was before.
        case olderVersion
        /// Earlier revisions are lost; the note is as it was.
        case history
        /// An attachment's row is lost.
        case attachment
        /// The key its password opens is there, but may date from before the password was changed.
        case olderKeyslot
    }

    public struct Note: Sendable, Equatable {
        public let id: NoteID
        public let kind: Kind
        /// The title, if lists or an older revision still show it.
        public let title: String?
        /// Revisions or attachments that are lost.
        public let count: Int
        /// For `.olderVersion`, when what is shown now was recorded, in milliseconds since 1970, UTC; else 0.
        public let made: Int64
    }

    public var notes: [Note] = []
    /// Edits that were begun, of which only a file is left that nothing opens.
    public var drafts = 0
    /// Attachments' files whose rows are lost, of unknown notes: private notes do not say what they have.
    public var attachments = 0
    /// The history was broken: notes keep their revisions, but nothing earlier can be undone.
    public var historyIsNew = false

    public init() {}

    /// Whether everything that was known to be there is there. A history that starts over loses no text.
    public var isNone: Bool { notes.isEmpty && drafts == 0 && attachments == 0 }
}
