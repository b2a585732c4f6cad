// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import VaultFormat

struct SearchCommand: Command {
    static let name = "search"
    static var spec: Spec {
        Spec(
            "Find notes.",
            discussion: """
                All words must occur, in any case and with or without accents; "a phrase" in quotation marks must \
                occur exactly; -word must not occur; OR separates alternatives. Filters: +work or tag:work, \
                notebook:home, title:word, created:>2026-01-01, modified:7d, has:link, \
                state:\(NoteFlag.allCases.map(\.name).joined(separator: "|"))|draft|conflict.
                """,
            examples: [
                "vault search milk bread": "Notes that hold both words.",
                "vault search '\"oat milk\"'": "An exact phrase.",
                "vault search -n 5 zurich": "The five best; accents and capitals do not matter.",
                "vault search tag:work 'created:>2026-01-01'": "Notes with a tag, created after a date.",
                "vault search milk OR bread -- -butter": "Either word, but not a third.",
                "vault search --regex 'INV-[0-9]{4}'": "Texts that match a pattern.",
                "vault search -a --regex 'INV-[0-9]{4}'":
                    "The same for all notes of a vault so large that only the newest are searched.",
            ])
    }
    var query: [String] = []
    var limit: UInt32?
    var page: UInt32 = 1
    var sort: SortChoice?
    var reverse = false
    var since: String?
    var regex: String?
    var all = false

    mutating func declare(_ list: inout ArgumentList) {
        list.terms(&query, "query", "What to look for.")
        list.option(&limit, "limit", letter: "n", "Rows per page, 0 for all; as many as the screen holds by default.")
        list.option(&page, "page", "Which page, from 1.")
        list.option(&sort, "sort", "What to sort by; the best match first by default.")
        list.flag(&reverse, "reverse", letter: "r", "Reverse the order.")
        list.option(&since, "since", value: "time", "Only notes changed since: 7d, 2w, 3m, 1y or a date.")
        list.option(&regex, "regex", value: "pattern", "A pattern (PCRE) that must match title or text.")
        list.flag(&all, "all", letter: "a", "Look at every note, however long it takes.")
    }

    var complaint: String? {
        if page == 0 { return "page numbers start at 1" }
        if query.isEmpty && regex == nil { return "nothing to search for" }
        return nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try ListOptions.checkPage(limit: limit, page: page)
        var request = SearchNotes(query: SinceFilter.joined(query, since: since))
        guard request.query.utf8.count <= 16384 else { throw .usage("the query is longer than 16 KiB") }
        guard (regex ?? "").utf8.count <= 1000 else { throw .usage("the pattern is longer than 1,000 bytes") }
        guard request.query.contains(where: { !$0.isWhitespace }) || regex != nil else {
            throw .usage("nothing to search for", hint: "vault search QUERY")
        }
        request.regex = regex ?? ""
        request.sort = sort?.key
        request.reverse = reverse
        request.limit = limit ?? ListOptions.standardLimit(context.style, long: false)
        request.page = page
        request.isExhaustive = all
        return try context.send(request)
    }
}

struct WatchCommand: Command {
    static let name = "watch"
    static var spec: Spec {
        Spec(
            "Print which notes change, as they do.",
            discussion: """
                Ends with Ctrl-C, when the vault locks, or with --count. Watching does not keep the vault unlocked.
                """,
            examples: [
                "vault watch": "See which notes change, while others write.",
                "vault watch -n 1 && make site": "Wait for the next change.",
                "vault --json watch --since 120": "Everything since a position that was printed before, for a script.",
            ])
    }
    var count: UInt32 = 0
    var since: UInt64?

    mutating func declare(_ list: inout ArgumentList) {
        list.option(
            &count, "count", letter: "n", "End after this many answers, each with what changed until then; 0 for never."
        )
        list.option(
            &since, "since", value: "position",
            "Begin after an earlier position, as --json prints it; 0 for all changes.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        // Only beside others: an agent of this command alone would keep everybody out, and hear of nothing.
        guard try Session.running(context.location(), context) != nil else {
            throw ClientFailure(
                .locked, "the vault is locked, so nobody can change it", hint: "vault unlock, then vault watch")
        }
        return try context.send(WatchNotes(since: since, limit: count))
    }
}
