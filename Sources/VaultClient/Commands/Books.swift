// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import VaultFormat

/// `BookGroup` is the heading `vault book`.
enum BookGroup: CommandGroup {
    static let name = "book"
    static var spec: Spec {
        Spec(
            "Keep books, a reading log, and notes by chapter.",
            discussion: """
                A book is on one shelf: wishlist, reading or archived. BOOK is the beginning of its identifier, its \
                title, or words of its title and authors that no other book has.
                """)
    }
    static var commands: CommandList {
        [
            BookListCommand.self, BookShowCommand.self, BookSearchCommand.self, BookAddCommand.self,
            BookStartCommand.self, BookFinishCommand.self, BookArchiveCommand.self, BookRemoveCommand.self,
            BookLogCommand.self, BookStatisticsCommand.self, BookNotesCommand.self, BookPutCommand.self,
            BookChapterCommand.self, BookCoverCommand.self, BookEditCommand.self, BookKeyCommand.self,
            BookExportCommand.self,
        ]
    }
}

struct BookListCommand: Command {
    static let name = "ls"
    static var spec: Spec {
        Spec(
            "List books, shelf by shelf.",
            examples: [
                "vault book ls": "See what you read, what you want to read, and what you have read.",
                "vault book ls --shelf wishlist --sort title": "One shelf, by title.",
                "vault book ls herbert": "Books with a word in their title, authors or identifiers.",
            ])
    }
    var words: [String] = []
    var shelf: ShelfChoice?
    var sort: BookSortChoice?
    var reverse = false
    var long = false
    var all = false
    var limit: UInt32 = 50
    var page: UInt32 = 1

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&words, "word", "Words that the title, authors or identifiers must have.", needed: false)
        list.option(&shelf, "shelf", "Only one shelf.")
        list.option(&sort, "sort", "What to sort by.")
        list.flag(&reverse, "reverse", letter: "r", "Reverse the order.")
        list.flag(&long, "long", letter: "l", "Print more about each book.")
        list.flag(&all, "all", letter: "a", "Print up to 10,000 rows.")
        list.option(&limit, "limit", letter: "n", "Rows per page.")
        list.option(&page, "page", "Which page, from 1.")
    }

    var complaint: String? { page == 0 ? "page numbers start at 1" : nil }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try ListOptions.checkPage(limit: limit, page: page)
        var list = ListBooks()
        (list.shelf, list.words, list.reverse) = (shelf?.shelf, words.joined(separator: " "), reverse)
        (list.sort, list.long, list.limit, list.page) = (sort?.key ?? .added, long, all ? 0 : limit, page)
        return try context.send(list)
    }
}

struct BookShowCommand: Command {
    static let name = "show"
    static var spec: Spec {
        Spec(
            "Show a book's details, chapters and reading log.",
            examples: ["vault book show Dune": "See a book, its chapters and its reading log."])
    }
    var book = ""

    mutating func declare(_ list: inout ArgumentList) { list.word(&book, "book", "The book.") }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(ShowBook(ref: NameCheck.short(book, "book")))
    }
}

struct BookStartCommand: Command {
    static let name = "start"
    static var spec: Spec {
        Spec(
            "Start reading a book, or resume an archived one.",
            examples: ["vault book start Dune": "Put it on the shelf of books that you read."])
    }
    var book = ""
    var date: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&book, "book", "The book.")
        list.option(&date, "date", "The day: 2026-11-21, today or yesterday.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(MoveBook(ref: NameCheck.short(book, "book"), .start, day: BookDay.parse(date, context)))
    }
}

struct BookFinishCommand: Command {
    static let name = "finish"
    static var spec: Spec {
        Spec(
            "Finish a book: it was read to its end, and is archived.",
            examples: ["vault book finish Dune --rating 4.5": "Note that it was read today, and how good it was."])
    }
    var book = ""
    var date: String?
    var rating: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&book, "book", "The book.")
        list.option(&date, "date", "The day: 2026-11-21, today or yesterday.")
        list.option(&rating, "rating", value: "stars", "0 to 5 stars, in quarters.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        var move = MoveBook(ref: try NameCheck.short(book, "book"), .finish, day: try BookDay.parse(date, context))
        move.rating = try BookRating.parse(rating)
        return try context.send(move)
    }
}

struct BookArchiveCommand: Command {
    static let name = "archive"
    static var spec: Spec {
        Spec(
            "Archive a book that you are reading, finished or not.",
            examples: ["vault book archive Dune": "Archive it; 'vault book start Dune' resumes it."])
    }
    var book = ""

    mutating func declare(_ list: inout ArgumentList) { list.word(&book, "book", "The book.") }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(MoveBook(ref: NameCheck.short(book, "book"), .archive, day: BookDay.today(context)))
    }
}

struct BookRemoveCommand: Command {
    static let name = "rm"
    static var spec: Spec {
        Spec(
            "Move a book to the trash; its notes become ordinary notes.",
            discussion: "On a terminal, it asks what to do with the notes. 'vault undo' restores everything.",
            examples: [
                "vault book rm Dune": "Remove a book, and choose what to do with its notes.",
                "vault book rm Dune --with-notes": "Its notes go to the trash as well.",
            ])
    }
    var book = ""
    var withNotes = false
    var keepNotes = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&book, "book", "The book.")
        list.flag(&withNotes, "with-notes", "Move its notes to the trash too.")
        list.flag(&keepNotes, "keep-notes", "Keep its notes, and do not ask.")
    }

    var complaint: String? {
        withNotes && keepNotes ? "--with-notes and --keep-notes cannot both be given" : nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            let ref = try NameCheck.short(book, "book")
            let asks =
                !withNotes && !keepNotes && !context.options.noInput && !context.options.json
                && Terminal.canAsk
            guard asks else { return try conversation.perform(RemoveBook(ref: ref, withNotes: withNotes)) }
            let (outcome, replies) = try conversation.ask(ShowBook(ref: ref))
            guard outcome.code == .ok, let shown = replies.first else { return outcome }
            let count = shown.book.noteCount
            let question =
                count == 1 ? "Move its note to the trash too?" : "Move its \(count) notes to the trash too?"
            let takesNotes = count > 0 ? try Confirmation.ask(question) : false
            return try conversation.perform(RemoveBook(ref: shown.book.note.id, withNotes: takesNotes))
        }
    }
}

struct BookStatisticsCommand: Command {
    static let name = "stats"
    static var spec: Spec {
        Spec(
            "Count pages, minutes and finished books by week or year.",
            discussion: """
                A logged page counts the pages since the previous one. Unlogged pages of a book that was \
                finished count on the day it was finished.
                """,
            examples: [
                "vault book stats": "Pages and minutes, week by week.",
                "vault book stats --by year": "The same by years.",
            ])
    }
    var by = StatisticsSpan.week

    mutating func declare(_ list: inout ArgumentList) { list.option(&by, "by", "Weeks or years.") }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(ReadingStatistics(byYear: by == .year))
    }
}

/// `StatisticsSpan` says by what reading is counted.
enum StatisticsSpan: String, Sendable, CaseIterable, ArgumentValue { case week, year }

/// `ShelfChoice` is a shelf on the command line.
enum ShelfChoice: String, Sendable, CaseIterable, ArgumentValue {
    case reading, wishlist, archived

    var shelf: BookShelf {
        switch self {
        case .reading: .reading
        case .wishlist: .wishlist
        case .archived: .archived
        }
    }
}

/// `BookSortChoice` says what books are sorted by.
enum BookSortChoice: String, Sendable, CaseIterable, ArgumentValue {
    case added, title, author, rating, finished, progress

    var key: BookSort {
        switch self {
        case .added: .added
        case .title: .title
        case .author: .author
        case .rating: .rating
        case .finished: .finished
        case .progress: .progress
        }
    }
}
