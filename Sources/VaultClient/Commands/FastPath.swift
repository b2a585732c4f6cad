// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// The commands that are run most, dispatched before ArgumentParser is touched: its tables cost more than the command.
enum FastPath {
    /// What to do, or nil when ArgumentParser should read the line.
    static func outcome(_ shape: CommandLineShape) -> Prepared? {
        switch shape.names.first {
        case "new":
            prepare(OptionTable.new, shape, NewOptions(), { $0.text.append($1) }, NoteCommands.new)
        case "append":
            edit(shape, NoteCommands.append)
        case "show":
            prepare(
                OptionTable.show, shape, ShowOptions(), { $0.notes.append($1) }, NoteCommands.show, when: { !$0.notes.isEmpty })
        case "cat":
            prepare(
                OptionTable.cat, shape, NotesOptions(), { $0.notes.append($1) }, NoteCommands.cat, when: { !$0.notes.isEmpty })
        case "ls":
            prepareList(shape)
        case "search":
            prepare(
                OptionTable.search, shape, SearchOptions(), { $0.words.append($1) }, NoteCommands.search,
                takesTerms: true, when: { !$0.words.isEmpty || $0.regex != nil })
        case "status": prepareBare(shape, StatusCommand.run)
        case "about": prepareBare(shape, AboutCommand.about)
        case "version": prepareBare(shape, AboutCommand.version)
        default: nil
        }
    }

    /// A command that was understood: its global options, and what runs it.
    struct Prepared {
        let global: GlobalOptions
        let run: (Context) throws(ClientFailure) -> Outcome
    }

    private static func prepare<Options>(
        _ table: OptionTable<Options>, _ shape: CommandLineShape, _ options: Options,
        _ argument: (inout Options, String) -> Void,
        _ run: @escaping (Options, Context) throws(ClientFailure) -> Outcome,
        takesTerms: Bool = false, when isComplete: (Options) -> Bool = { _ in true }
    ) -> Prepared? {
        guard shape.names.count == 1, let read = table.parse(shape.rest, into: options, takesTerms: takesTerms, argument: argument),
            isComplete(read.own)
        else { return nil }
        return Prepared(global: read.global) { context throws(ClientFailure) in try run(read.own, context) }
    }

    private static func edit(
        _ shape: CommandLineShape, _ run: @escaping (EditOptions, Context) throws(ClientFailure) -> Outcome
    ) -> Prepared? {
        prepare(
            OptionTable.bare, shape, NotesOptions(), { $0.notes.append($1) },
            { words, context throws(ClientFailure) in
                try run(EditOptions(note: words.notes[0], text: Array(words.notes.dropFirst())), context)
            }, when: { !$0.notes.isEmpty })
    }

    /// A command that takes global options only.
    private static func prepareBare(
        _ shape: CommandLineShape, _ run: @escaping (Context) throws(ClientFailure) -> Outcome
    ) -> Prepared? {
        var hasArgument = false
        let prepared = prepare(
            OptionTable<NotesOptions>.bare, shape, NotesOptions(), { _, _ in hasArgument = true },
            { _, context throws(ClientFailure) in try run(context) })
        return hasArgument ? nil : prepared
    }

    private static func prepareList(_ shape: CommandLineShape) -> Prepared? {
        prepare(
            OptionTable.list, shape, ListOptions(), { $0.filter.append($1) },
            { options, context throws(ClientFailure) in try NoteCommands.list(options, .live, context) }, takesTerms: true)
    }
}
