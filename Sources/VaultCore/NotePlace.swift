// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// Where a note lies: each note is in one place.
public enum NotePlace: Int64, Sendable, CaseIterable {
    /// In the lists.
    case live = 0
    case trash = 1
    /// Out of the lists, still found by searching.
    case archive = 2
    /// A pattern for new notes; neither listed nor found.
    case template = 3

    /// The trash outranks the others, so that restoring brings a note back to where it was.
    init(_ flags: NoteRecord.Flags) {
        if flags.contains(.trashed) {
            self = .trash
        } else if flags.contains(.template) {
            self = .template
        } else {
            self = flags.contains(.archived) ? .archive : .live
        }
    }

    /// Whether its words are in the search index.
    var isSearched: Bool { self == .live || self == .archive }
}
