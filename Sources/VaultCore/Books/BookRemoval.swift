// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// `BookRemoval` moves a book to the trash, with its notes or without, in parts, so that one with thousands of notes
/// does not hold others up for seconds; `undo` takes all of it back together.
public struct BookRemoval {
    private let vault: OpenVault
    private let book: NoteID
    private let notes: [NoteID]
    private let group = ChangeGroup(.bookRemove)
    private static let stepCount = 50

    /// Notes that move with the book, and how many have moved.
    public var noteCount: Int { notes.count }
    public private(set) var doneCount = 0

    /// - Throws: `VaultError.notFound`, `.notABook`.
    public init(_ books: Books, _ book: NoteID, withNotes: Bool) throws(VaultError) {
        vault = books.vault
        self.book = book
        notes = try vault.read { index in
            _ = try index.bookRecord(book)
            return withNotes ? try index.places(in: book).map(\.note) : []
        }
    }

    /// Does one part of the work; the book is moved last.
    ///
    /// - Returns: whether there is more to do.
    /// - Throws: as `Books.change`.
    public mutating func step() throws(VaultError) -> Bool {
        guard doneCount < notes.count else {
            _ = try vault.notes.modify([book], .flag(.trashed, true), group)
            return false
        }
        let part = Array(notes[doneCount..<min(doneCount + Self.stepCount, notes.count)])
        _ = try vault.notes.modify(part, .flag(.trashed, true), group)
        doneCount += part.count
        return true
    }
}
