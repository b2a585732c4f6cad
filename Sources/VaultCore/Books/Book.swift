// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// A `BookSummary` is what a list shows of a book.
public struct BookSummary: Sendable, Equatable {
    public var note: NoteSummary
    public var shelf: BookShelf
    public var authors: [String]
    /// Days since 1970-01-01; 0 for none.
    public var started: UInt32
    public var finished: UInt32
    /// Quarters of a star; 0 for none.
    public var rating: UInt8
    public var pages: UInt32
    /// The page reached; 0 if unknown.
    public var page: UInt32
    public var percent: UInt32
    public var hasCover: Bool
    /// Milliseconds since 1970, UTC.
    public var added: Int64
    /// Notes in the book that are neither locked nor in the trash.
    public var noteCount: Int
}

/// A `Book` is a book with all that its record says.
public struct Book: Sendable, Equatable {
    public var summary: BookSummary
    public var details: BookDetails
    /// Its description.
    public var description: String
    /// The service or file that it came from, and its ID there.
    public var source: String?
    /// The number of notes in each chapter, in chapter order.
    public var chapterNotes: [Int]
    /// Notes before all chapters.
    public var looseNotes: Int
}

/// A `BookDraft` is what a book is made of when it is added.
public struct BookDraft: Sendable, Equatable {
    public var title: String
    public var description = ""
    public var details: BookDetails
    public var tags: [String] = []
    public var source: String?

    public init(title: String, _ details: BookDetails) { (self.title, self.details) = (title, details) }
}

/// A `BookQuery` says which books a list is to have.
public struct BookQuery: Sendable {
    public enum Order: Sendable { case added, title, author, rating, finished, progress }

    /// Nil for all, one shelf after the other.
    public var shelf: BookShelf?
    /// Words that must all occur in title, subtitle, authors or identifiers.
    public var words = ""
    public var order = Order.added
    public var reverse = false
    public var offset = 0
    public var limit = 50
    public init() {}
}

/// A `BookPage` is one page of a list of books.
public struct BookPage: Sendable {
    public var books: [BookSummary] = []
    /// Books that the query fits, on each shelf.
    public var counts: [BookShelf: Int] = [:]
}

/// A `BookNotes` is the notes of a book by its chapters.
public struct BookNotes: Sendable {
    public struct Section: Sendable {
        /// Nil for the notes before all chapters.
        public var chapter: BookChapter?
        public var notes: [NoteSummary] = []
        /// All of its notes, those too that are not on this page.
        public var count = 0
    }
    public var sections: [Section] = []
    public var total = 0
}

/// A `NewPlace` says where in a book to put a note.
public struct NewPlace: Sendable, Equatable {
    public enum Spot: Sendable, Equatable {
        case last
        case first
        case before(NoteID)
        case after(NoteID)

        /// The note beside which the place is.
        var anchor: NoteID? {
            switch self {
            case .last, .first: nil
            case .before(let note), .after(let note): note
            }
        }
    }
    public var book: NoteID
    /// A chapter's title; one that is not there is added at the end. Nil for before all chapters, or for
    /// that of the note beside which the place is.
    public var chapter: String?
    public var spot = Spot.last

    public init(book: NoteID, chapter: String? = nil, _ spot: Spot = .last) {
        (self.book, self.chapter, self.spot) = (book, chapter, spot)
    }
}

/// A `ReadingDay` is what was read on one day, of all books together.
public struct ReadingDay: Sendable, Equatable {
    /// Days since 1970-01-01.
    public var day: UInt32
    public var pages: Int
    public var minutes: Int
    /// Readings that ended then.
    public var finished: Int
}
