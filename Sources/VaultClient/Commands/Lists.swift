// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation
internal import VaultFormat

struct ListCommand: Command {
    static let name = "ls"
    static var spec: Spec {
        Spec(
            "List notes: pinned ones first, then the newest.",
            discussion: """
                Filters are those of 'vault search', such as tag:work or created:>2026-01-01. Each note has a state. \
                Without a remote it is 'persisted': the note is on this device. With remotes it is 'pending' while a \
                remote has not acknowledged all of the note, and 'uploaded' from then on. On a terminal a pending note \
                is marked [not uploaded].
                """,
            examples: [
                "vault ls": "See pinned notes, and those that changed last.",
                "vault ls -b work +urgent": "Only one notebook and one tag.",
                "vault ls --since 7d --sort title": "Notes that changed in the last week, by title.",
                "vault ls --long --all": "All notes, with more about each.",
                "vault ls --count has:link": "Count the notes that hold a link.",
                "vault ls --state pending": "Notes that are not at all remotes yet.",
            ])
    }
    var options = ListOptions()

    mutating func declare(_ list: inout ArgumentList) {
        options.declare(&list)
    }

    var complaint: String? { options.complaint }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try options.send(.live, context)
    }
}

/// `ListOptions` holds what `ls`, `trash ls` and `template ls` are told.
struct ListOptions: Sendable, Equatable, ArgumentGroup {
    /// Words and filters, as `search` takes them.
    var filter: [String] = []
    /// The same in one word.
    var filterText: String?
    var count = false
    var long = false
    var all = false
    var archived = false
    /// As many as the screen holds without it.
    var limit: UInt32?
    var page: UInt32 = 1
    var tag: String?
    var notebook: String?
    var state: StateChoice?
    var sort: SortChoice?
    var reverse = false
    var since: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.terms(&filter, "filter", "Words and filters that the notes must match.")
        list.option(&filterText, "filter", "The same, as one word: --filter \"tag:work milk\".")
        list.flag(&count, "count", "Print only the number of notes.")
        list.flag(&long, "long", letter: "l", "Print more about each note.")
        list.flag(&all, "all", letter: "a", "Print all rows; the same as --limit 0.")
        list.option(&limit, "limit", letter: "n", "Rows per page, 0 for all; as many as the screen holds by default.")
        list.option(&page, "page", "Which page, from 1.")
        list.option(&tag, "tag", letter: "t", "Only notes with this tag.")
        list.option(&notebook, "notebook", letter: "b", "Only notes of this notebook.")
        list.option(&state, "state", "Only notes in this state: not uploaded yet, or at all remotes.")
        list.flag(&archived, "archived", "List archived notes.")
        list.option(&sort, "sort", "What to sort by.")
        list.flag(&reverse, "reverse", letter: "r", "Reverse the order.")
        list.option(&since, "since", value: "time", "Only notes changed since: 7d, 2w, 3m, 1y or a date.")
    }

    var complaint: String? { page == 0 ? "page numbers start at 1" : nil }

    func send(_ place: ListPlace, _ context: Context) throws(ClientFailure) -> Outcome {
        try Self.checkPage(limit: limit, page: page)
        if let tag { _ = try NameCheck.short(tag, "tag") }
        if let notebook { _ = try NameCheck.short(notebook, "notebook") }
        return try context.send(query(place, context.style))
    }

    /// Rows of a page where nobody said how many: what the screen holds, or 20 where there is none.
    static func standardLimit(_ style: PageStyle, long: Bool) -> UInt32 {
        style.isTerminal && !style.json ? UInt32(clamping: style.noteCount(long: long)) : 20
    }

    static func checkPage(limit: UInt32?, page: UInt32) throws(ClientFailure) {
        guard limit ?? 0 <= ListNotes.limitMax else {
            throw .usage(
                "--limit is at most \(ListNotes.limitMax), or 0 for all",
                hint: "--limit 0, or --page 2 for the rows after the first")
        }
        guard page <= ListNotes.pageMax else {
            throw .usage("--page is at most \(ListNotes.pageMax)", hint: "a larger --limit")
        }
    }

    /// Returns the request's form.
    func query(_ place: ListPlace, _ style: PageStyle) -> ListNotes {
        var query = ListNotes()
        query.place = archived && place == .live ? .archive : place
        query.tag = tag
        query.notebook = notebook
        query.state = state?.state
        query.filter = SinceFilter.joined(filter + (filterText.map { [$0] } ?? []), since: since)
        query.sort = sort?.key ?? .modified
        query.reverse = reverse
        query.countOnly = count
        query.long = long
        query.limit = all ? 0 : limit ?? Self.standardLimit(style, long: long)
        query.page = page
        return query
    }
}

/// `StateChoice` says in which state the notes of a list are.
enum StateChoice: String, Sendable, CaseIterable, ArgumentValue {
    case persisted, pending, uploaded

    var state: UploadState {
        switch self {
        case .persisted: .persisted
        case .pending: .pending
        case .uploaded: .uploaded
        }
    }
}

/// `SortChoice` says what lists are sorted by.
enum SortChoice: String, Sendable, CaseIterable, ArgumentValue {
    case modified, created, title, size

    var key: SortKey {
        switch self {
        case .modified: .modified
        case .created: .created
        case .title: .title
        case .size: .size
        }
    }
}

/// `--since` is a filter like those in the query: "7d" is that long ago, a date its begin.
enum SinceFilter {
    static func joined(_ words: [String], since: String?) -> String {
        guard let since else { return words.isEmpty ? "" : words.joined(separator: " ") }
        // Not yesterday, which ends with a letter of a span.
        let isSpan = since.first?.isNumber == true && since.last.map { "dwmy".contains($0) } ?? false
        return (["modified:" + (isSpan ? since : ">=" + since)] + words).joined(separator: " ")
    }
}
