// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// A `NotePlace` says where a note is: each note is in one place.
public enum NotePlace: Int64, Sendable, CaseIterable {
    /// In the lists.
    case live = 0
    case trash = 1
    /// Out of the lists, still found by searching.
    case archive = 2
    /// A pattern for new notes; neither listed nor found.
    case template = 3
    /// A book: in the lists of books.
    case book = 4

    /// Tells where flags put a note: the trash outranks the others, so that restoring brings a note back to where it
    /// was.
    init(_ flags: NoteRecord.Flags) {
        if flags.contains(.trashed) {
            self = .trash
        } else if flags.contains(.book) {
            self = .book
        } else if flags.contains(.template) {
            self = .template
        } else {
            self = flags.contains(.archived) ? .archive : .live
        }
    }

    /// Tells where a flag puts a note; nil when it says nothing of the place.
    init?(_ flag: NoteFlag) {
        switch flag {
        case .pinned: return nil
        case .archived: self = .archive
        case .trashed: self = .trash
        case .template: self = .template
        }
    }

    /// Whether its words are in the search index.
    var isSearched: Bool { self == .live || self == .archive }
}

extension NoteRecord.Flags {
    /// Takes as much of the flags as the lists have: the place outranks flags that it hides.
    ///
    /// - Parameter place: nil for one that no vault of ours has.
    init(listed place: NotePlace?, isPinned: Bool) {
        switch place {
        case .trash: self = .trashed
        case .archive: self = .archived
        case .template: self = .template
        // Nobody marks a book as one: its record says so.
        case .live, .book, nil: self = []
        }
        if isPinned { insert(.pinned) }
    }

    /// Reads the flags that the lists have.
    ///
    /// - Parameter row: of the table of notes.
    init(listed row: Row) throws {
        self.init(listed: NotePlace(rawValue: try row.integer("place")), isPinned: try row.flag("pinned"))
    }
}
