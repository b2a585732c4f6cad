// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

struct HistoryArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List the revisions of a note, newest first.",
        discussion: "A revision is named by the beginning of its identifier, or by @N: N revisions before the newest, which is @0.")
    @Argument(help: "The note.") var id: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.send(ListHistory(ref: id), context) }
}

struct DiffArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Show what changed in a note.",
        discussion: "Word by word on a terminal, as a unified diff in a pipe. Without revisions: the newest against the one before it.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "One or two revisions, the older one first.") var revision: [String] = []
    @OptionGroup(title: "Global options") var global: GlobalArguments

    func validate() throws {
        if revision.count > 2 { throw ValidationError("at most two revisions can be compared") }
    }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try PastCommands.diff(id, revision, context) }
}

struct RevertArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "revert", abstract: "Revert a note to an earlier revision.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The revision, such as @1; see 'vault history'.") var revision: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(RevertNote(ref: id, revision: revision), context)
    }
}

struct UndoArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Undo the last change to notes, tags or notebooks.",
        discussion: """
            Run it again to undo the change before that; 'vault redo' redoes them. If it would undo more than ten commands, or take notes out of \
            the list, it shows the changes and asks first. Emptying the trash and deleting old revisions cannot be undone.
            """)
    @Option(name: [.long, .customShort("n")], help: "How many commands.") var count: UInt32 = 1
    @Flag(help: "Do not ask.") var yes = false
    @OptionGroup(title: "Global options") var global: GlobalArguments

    func validate() throws {
        if count == 0 || count > 1000 { throw ValidationError("between 1 and 1,000 commands can be undone at once") }
    }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try PastCommands.undo(count, yes: yes, context) }
}

struct RedoArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo", abstract: "Redo what the last undo undid.",
        discussion: """
            Run it again to redo the undo before that. After the next command that changes a note, nothing can be redone; locking the vault makes \
            no difference.
            """)
    @Option(name: [.long, .customShort("n")], help: "How many commands.") var count: UInt32 = 1
    @OptionGroup(title: "Global options") var global: GlobalArguments

    func validate() throws {
        if count == 0 || count > 1000 { throw ValidationError("between 1 and 1,000 commands can be redone at once") }
    }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.send(RedoCommands(commandCount: count), context) }
}

struct CollectArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc", abstract: "Delete old revisions.",
        discussion: """
            All revisions are kept for 30 days, then the last of each day for a year, then the last of each month. A note's current revision is \
            never deleted. To change the times: vault config set history.keep_all 90d.
            """)
    @Flag(help: "Only show what would be deleted.") var dryRun = false
    @Flag(help: "Do not ask.") var yes = false
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        var options = try context.retention()
        options.dryRun = dryRun
        return try PastCommands.thin(options, yes: yes, context)
    }
}
