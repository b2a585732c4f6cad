// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import VaultFormat

struct BookNotesCommand: Command {
    static let name = "notes"
    static var spec: Spec {
        Spec(
            "List a book's notes, chapter by chapter.",
            examples: ["vault book notes Dune": "See the notes of a book in your order."])
    }
    var book = ""
    var limit: UInt32 = 200
    var page: UInt32 = 1

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&book, "book", "The book.")
        list.option(&limit, "limit", letter: "n", "Notes per page.")
        list.option(&page, "page", "Which page, from 1.")
    }

    var complaint: String? { page == 0 ? "page numbers start at 1" : nil }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try ListOptions.checkPage(limit: limit, page: page)
        var list = ListBookNotes(ref: try NameCheck.short(book, "book"))
        (list.limit, list.page) = (limit, page)
        return try context.send(list)
    }
}

struct BookPutCommand: Command {
    static let name = "put"
    static var spec: Spec {
        Spec(
            "Put notes into a book, move them within it, or take them out.",
            examples: [
                "vault book put Dune k7 --chapter \"2. The desert\"": "Put a note into a chapter; a new one is added.",
                "vault book put Dune k7 --before m4": "Move a note before another one, into its chapter's order.",
                "vault book put --out k7": "Take a note out of its book.",
            ])
    }
    var words: [String] = []
    var chapter: String?
    var before: String?
    var after: String?
    var first = false
    var out = false

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&words, "word", "The book, then the notes; with --out the notes alone.")
        list.option(&chapter, "chapter", value: "title", "The chapter; added if it is new.")
        list.option(&before, "before", value: "id", "Put them before this note.")
        list.option(&after, "after", value: "id", "Put them after this note.")
        list.flag(&first, "first", "Put them first in the chapter.")
        list.flag(&out, "out", "Take the notes out of their books.")
    }

    var complaint: String? {
        let spots = [before != nil, after != nil, first].count { $0 }
        if spots > 1 { return "only one of --before, --after and --first can be given" }
        if out && (spots > 0 || chapter != nil) { return "--out takes notes and nothing else" }
        return words.count > 1 || out ? nil : "the book and at least one note are needed"
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let words = try NameCheck.references(words)
        guard !out else { return try context.send(PlaceNotes(refs: words, book: nil, chapter: nil)) }
        var place = PlaceNotes(refs: Array(words.dropFirst()), book: words[0], chapter: chapter)
        if let chapter { _ = try NameCheck.short(chapter, "chapter") }
        if let before { (place.spot, place.other) = (.before, try NameCheck.short(before, "ID")) }
        if let after { (place.spot, place.other) = (.after, try NameCheck.short(after, "ID")) }
        if first { place.spot = .first }
        return try context.send(place)
    }
}

/// `vault book chapter add|mv|rename|rm`: one command, so that groups stay one level deep.
struct BookChapterCommand: Command {
    static let name = "chapter"
    static var spec: Spec {
        Spec(
            "Add, move, rename or remove a chapter of a book.",
            discussion: "The notes of a chapter that is removed stay in the book.",
            examples: [
                "vault book chapter add Dune \"2. The desert\"": "Add a chapter at the end.",
                "vault book chapter mv Dune \"2. The desert\" --before \"3. Spice\"":
                    "Move a chapter before another one.",
                "vault book chapter rename Dune 2 \"2. Sand\"": "Give it another title; its first words name it.",
                "vault book chapter rm Dune 2": "Remove it; its notes stay in the book.",
            ])
    }
    var change = ChapterChange.add
    var book = ""
    var title = ""
    var other: String?
    var before: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&change, "change", "What to do: add, mv, rename or rm.")
        list.word(&book, "book", "The book.")
        list.word(&title, "title", "The chapter.")
        list.word(&other, "new title", "Its new title.")
        list.option(&before, "before", value: "title", "Put it before this chapter; at the end by default.")
    }

    var complaint: String? {
        if change == .rename && other == nil { return "a new title is needed" }
        if change != .rename && other != nil { return "unexpected argument '\(other ?? "")'" }
        return before != nil && (change == .rename || change == .rm) ? "--before is for add and mv" : nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let title = try NameCheck.short(title, "chapter")
        let other = try (other ?? before).map { text throws(ClientFailure) in try NameCheck.short(text, "chapter") }
        return try context.send(
            ChangeChapter(ref: NameCheck.short(book, "book"), change.change, title: title, other: other))
    }
}

/// `ChapterChange` says what becomes of a chapter.
enum ChapterChange: String, Sendable, CaseIterable, ArgumentValue {
    case add, mv, rename, rm

    var change: ChangeChapter.Change {
        switch self {
        case .add: .put
        case .mv: .move
        case .rename: .rename
        case .rm: .remove
        }
    }
}

struct BookLogCommand: Command {
    static let name = "log"
    static var spec: Spec {
        Spec(
            "Log your reading of a book.",
            discussion: "This also starts a book that is on the wishlist.",
            examples: [
                "vault book log Dune --page 120": "You have reached page 120.",
                "vault book log Dune --minutes 45 \"on the train\"": "Time that you have read, with a line about it.",
                "vault book log Dune --percent 30 --date yesterday": "How far you were on another day.",
                "vault book log Dune --undo": "Remove the last line.",
            ])
    }
    var book = ""
    var line: [String] = []
    var page: UInt32?
    var percent: UInt32?
    var minutes: UInt32?
    var date: String?
    var undo = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&book, "book", "The book.")
        list.words(&line, "line", "A line about it.", needed: false)
        list.option(&page, "page", value: "n", "The page that you have reached.")
        list.option(&percent, "percent", value: "n", "How much of it you have read.")
        list.option(&minutes, "minutes", value: "n", "How long you have read.")
        list.option(&date, "date", "The day: 2026-11-21, today or yesterday.")
        list.flag(&undo, "undo", "Remove the last line of the log.")
    }

    var complaint: String? {
        let amounts = [page, percent, minutes].count { $0 != nil }
        if amounts > 1 { return "only one of --page, --percent and --minutes can be given" }
        if undo { return amounts > 0 || !line.isEmpty ? "--undo cannot be combined with other options" : nil }
        if let percent, percent > 100 { return "--percent is at most 100" }
        return amounts == 0 && line.isEmpty ? "--page, --percent, --minutes or a line is needed" : nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        var log = LogReading(ref: try NameCheck.short(book, "book"))
        log.takesBack = undo
        log.day = try BookDay.parse(date, context)
        if let page { (log.kind, log.amount) = (.page, page) }
        if let percent { (log.kind, log.amount) = (.percent, percent) }
        if let minutes { (log.kind, log.amount) = (.minutes, minutes) }
        log.line = line.joined(separator: " ")
        let count = log.line.utf8.count
        guard count <= ReadingLogEntry.lineByteCountMax else {
            throw .tooLong(log.line, "line", count: count, max: ReadingLogEntry.lineByteCountMax)
        }
        return try context.send(log)
    }
}
