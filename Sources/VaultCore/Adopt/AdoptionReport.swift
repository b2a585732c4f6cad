// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// An `AdoptionReport` says what was taken over of another copy of the vault, note by note, and what was not.
public struct AdoptionReport: Sendable {
    public enum Kind: Sendable, CaseIterable {
        /// It was not here.
        case added
        /// It is now as it is there.
        case updated
        /// It was changed in both: it has another text beside its own now.
        case twoVersions
        /// It was purged here and changed there: it is here as a new note.
        case comesBack
        /// It was not taken over, or not all of it.
        case refused
    }

    public enum Reason: Sendable, CaseIterable {
        /// It has a password of its own in one copy and none in the other.
        case privateInOne
        /// It has a password in both, and not the same key.
        case otherPassword
        /// It has a password, and was purged here: nobody can seal it for another note.
        case purgedPrivate
        /// A text of it that is not here does not open there.
        case damagedThere
        /// What is here of it does not open.
        case damagedHere
        /// It has as many versions as a note may have.
        case tooManyVersions
        /// It was taken over without attachments whose files do not open there.
        case attachmentLost
    }

    public struct Note: Sendable, Equatable {
        /// As the other copy calls it.
        public let id: NoteID
        public let kind: Kind
        /// For `.refused`.
        public var reason: Reason?
        /// The title, if it may be shown.
        public var title: String?
        /// Its new name, for `.comesBack`.
        public var newID: NoteID?
    }

    public var notes: [Note] = []
    /// Notes with texts that the other copy lacks, and what they are called.
    public var onlyHere: [Note] = []
    /// Notes of the other copy of which everything was here.
    public var unchangedCount = 0
    /// Notes that were purged here, and not changed there.
    public var purgedHereCount = 0
    /// Notes that were purged there, and are here.
    public var purgedThereCount = 0
    public var revisionCount = 0
    public var attachmentCount = 0
    /// Edits that were begun in the other copy, and that are not here.
    public var draftCount = 0
    /// Entries of that copy's history that are missing.
    public var missingEntryCount = 0
    /// Whether the last change of that copy is there.
    public var knowsEnd = true
    public var damagedPageCount = 0
    /// Whether it opens with a key that has since been replaced here.
    public var isOfOlderKey = false

    public init() {}

    public func count(_ kind: Kind) -> Int { notes.count { $0.kind == kind } }

    /// Whether anything was taken over.
    public var hasChanges: Bool { notes.contains { $0.kind != .refused } }
    /// Whether all that the other copy has is here now.
    public var isComplete: Bool {
        count(.refused) == 0 && draftCount == 0 && missingEntryCount == 0 && knowsEnd
    }
    /// Whether it is incomplete because of damage.
    public var isDamaged: Bool {
        missingEntryCount > 0 || !knowsEnd
            || notes.contains {
                [.damagedThere, .damagedHere, .attachmentLost].contains($0.reason)
            }
    }
}
