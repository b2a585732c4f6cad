// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
public import ArgumentParser

struct ShowArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Read notes.",
        discussion: "ID @3 or ID@3 is the note at revision @3: 'vault history' numbers them.")
    @Argument(help: "The notes.") var id: [String]
    @Flag(help: "Print control characters unchanged, even on a terminal.") var raw = false
    @Option(help: "How to show photos and sketches.") var images: PictureChoice?
    @OptionGroup(title: "Global options") var global: GlobalArguments

    var options: ShowOptions { ShowOptions(notes: id, raw: raw, images: images) }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.show(options, context) }
}

struct CatArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat", abstract: "Print the texts of notes, byte for byte.",
        discussion: """
            On a terminal, control characters are made visible, unless --raw is given. ID @3 or ID@3 is the text of revision @3: 'vault history' \
            numbers them.
            """)
    @Argument(help: "The notes.") var id: [String]
    @Flag(help: "Print control characters unchanged, even on a terminal.") var raw = false
    @OptionGroup(title: "Global options") var global: GlobalArguments

    var options: NotesOptions { NotesOptions(notes: id, raw: raw) }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.cat(options, context) }
}

struct ListArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "List notes: pinned ones first, then the newest.",
        discussion: "Filters are those of 'vault search', such as tag:work or created:>2026-01-01.")
    @OptionGroup var list: ListFields
    @OptionGroup(title: "Global options") var global: GlobalArguments

    var options: ListOptions { list.options }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.list(options, .live, context)
    }
}

/// What `ls` and `trash ls` share.
struct ListFields: ParsableArguments {
    @Argument(help: "Words and filters that the notes must match.") var filter: [String] = []
    @Flag(help: "Print only the number of notes.") var count = false
    @Flag(name: .shortAndLong, help: "Print more about each note.") var long = false
    @Flag(name: .shortAndLong, help: "Print all rows; the same as --limit 0.") var all = false
    @Option(name: [.long, .customShort("n")], help: "Rows per page; 0 for all.") var limit: UInt32 = 20
    @Option(help: "Which page, from 1.") var page: UInt32 = 1
    @Option(name: [.long, .customShort("t")], help: "Only notes with this tag.") var tag: String?
    @Option(name: [.long, .customShort("b")], help: "Only notes of this notebook.") var notebook: String?
    @Flag(help: "List archived notes.") var archived = false
    @Option(help: "What to sort by.") var sort: SortChoice?
    @Flag(name: .shortAndLong, help: "Reverse the order.") var reverse = false
    @Option(help: ArgumentHelp("Only notes changed since: 7d, 2w, 3m, 1y or a date.", valueName: "time")) var since: String?

    func validate() throws {
        if page == 0 { throw ValidationError("page numbers start at 1") }
    }

    var options: ListOptions {
        var options = ListOptions()
        options.filter = filter
        options.archived = archived
        options.sort = sort
        options.reverse = reverse
        options.since = since
        options.count = count
        options.long = long
        options.all = all
        options.limit = limit
        options.page = page
        options.tag = tag
        options.notebook = notebook
        return options
    }
}

struct SearchArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find notes.",
        discussion:
            """
            All words must occur, in any case and with or without accents; "a phrase" in quotation marks must occur exactly; -word must not occur; \
            OR separates alternatives. Filters: tag:work, notebook:home, title:word, created:>2026-01-01, modified:7d, has:link, \
            state:pinned|archived|trashed|template|draft|conflict.
            """)
    @Argument(help: "What to look for.") var query: [String] = []
    @Option(name: [.long, .customShort("n")], help: "Rows per page; 0 for all.") var limit: UInt32 = 20
    @Option(help: "Which page, from 1.") var page: UInt32 = 1
    @Option(help: "What to sort by; the best match first by default.") var sort: SortChoice?
    @Flag(name: .shortAndLong, help: "Reverse the order.") var reverse = false
    @Option(help: ArgumentHelp("Only notes changed since: 7d, 2w, 3m, 1y or a date.", valueName: "time")) var since: String?
    @Option(help: ArgumentHelp("A pattern (PCRE) that must match title or text.", valueName: "pattern")) var regex: String?
    @Flag(name: [.customShort("a"), .long], help: "Look at every note, however long it takes.") var all = false
    @OptionGroup(title: "Global options") var global: GlobalArguments

    func validate() throws {
        if page == 0 { throw ValidationError("page numbers start at 1") }
        if query.isEmpty && regex == nil { throw ValidationError("nothing to search for") }
    }

    var options: SearchOptions {
        var options = SearchOptions(words: query, limit: limit, page: page)
        options.sort = sort
        options.reverse = reverse
        options.since = since
        options.regex = regex
        options.all = all
        return options
    }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.search(options, context) }
}

extension SortChoice: ExpressibleByArgument {}

struct WatchArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Print which notes change, as they do.",
        discussion: "Ends with Ctrl-C, when the vault locks, or with --count. Watching does not keep the vault unlocked.")
    @Option(name: [.long, .customShort("n")], help: "End after this many changes; 0 for never.") var count: UInt32 = 0
    @Option(help: ArgumentHelp("Begin after an earlier position, as --json prints it; 0 for all changes.", valueName: "position")) var since: UInt64?
    @OptionGroup(title: "Global options") var global: GlobalArguments

    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.watch(WatchNotes(since: since, limit: count), context) }
}
