// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ArgumentParser

struct HistoryArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List the revisions of a note, newest first.",
        discussion: "A revision is named by the beginning of its identifier, or by @N: N revisions before the newest, which is @0.")
    @Argument(help: "The note.") var id: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.send(.past(.history(ref: id)), context) }
}

struct DiffArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Show what changed in a note.",
        discussion: "Word by word on a terminal, as a unified diff in a pipe. Without revisions: the newest against the one before it.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "One or two revisions, the older one first.") var revision: [String] = []
    @OptionGroup(title: "Global options") var global: GlobalArguments

    func validate() throws {
        if revision.count > 2 { throw ValidationError("at most two revisions are compared") }
    }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try PastCommands.diff(id, revision, context) }
}

struct RevertArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "revert", abstract: "Give a note the content of an earlier revision.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The revision, such as @1; see 'vault history'.") var revision: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(.past(.revert(ref: id, revision: revision)), context)
    }
}

struct UndoArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Take the last change to notes, tags or notebooks back.",
        discussion: """
            Again, and the one before it is taken back; 'vault redo' brings them back. More than ten commands, and whatever takes notes out of the \
            list, are told first, and undone after a yes. Emptying the trash and dropping old revisions cannot be undone.
            """)
    @Option(name: [.long, .customShort("n")], help: "How many commands.") var count: UInt32 = 1
    @Flag(help: "Do not ask.") var yes = false
    @OptionGroup(title: "Global options") var global: GlobalArguments

    func validate() throws {
        if count == 0 || count > 1000 { throw ValidationError("between 1 and 1,000 commands are undone at once") }
    }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try PastCommands.undo(count, yes: yes, context) }
}

struct RedoArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo", abstract: "Bring back what the last undo took back.",
        discussion: """
            Again, and the undo before that one is taken back too. The next command that changes a note ends what can be redone; locking the vault \
            does not.
            """)
    @Option(name: [.long, .customShort("n")], help: "How many commands.") var count: UInt32 = 1
    @OptionGroup(title: "Global options") var global: GlobalArguments

    func validate() throws {
        if count == 0 || count > 1000 { throw ValidationError("between 1 and 1,000 commands are redone at once") }
    }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.send(.past(.redo(commandCount: count)), context) }
}

struct CollectArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc", abstract: "Drop old revisions, after saying which.",
        discussion: """
            All revisions are kept for 30 days, then the last of each day for a year, then the last of each month. What a note says now is never dropped. \
            Other times: vault config set history.keep_all 90d.
            """)
    @Flag(help: "Only say what would go.") var dryRun = false
    @Flag(help: "Do not ask.") var yes = false
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        var options = try context.retention()
        options.dryRun = dryRun
        return try PastCommands.thin(options, yes: yes, context)
    }
}
