// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

struct TagArguments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag", abstract: "Tag a note, or manage tags.",
        subcommands: [TagAddArguments.self, TagListArguments.self, TagRenameArguments.self, TagMergeArguments.self],
        defaultSubcommand: TagAddArguments.self)
}

struct TagAddArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Tag a note; the word 'add' may be left out.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The tags.") var tag: [String]
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try OrderCommands.tag(id, tags: tag, add: true, context)
    }
}

struct TagListArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List all tags, and how many notes have each.")
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.send(ListTags(), context) }
}

struct TagRenameArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename a tag, and all tags below it.",
        discussion: "If there is already a tag of that name, the two become one.")
    @Argument(help: "The tag.") var old: String
    @Argument(help: "Its new name.") var new: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(RenameTag(from: [old], to: new), context)
    }
}

struct TagMergeArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "merge", abstract: "Merge several tags into the last one named.")
    @Argument(help: ArgumentHelp("The tags; the last one stays.", valueName: "tag … into")) var tag: [String]
    @OptionGroup(title: "Global options") var global: GlobalArguments

    func validate() throws {
        if tag.count < 2 { throw ValidationError("at least two tags are needed") }
    }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        // One name alone would be a renaming; twice it is the same merge.
        let old = Array(tag.dropLast())
        return try NoteCommands.send(RenameTag(from: old.count == 1 ? old + old : old, to: tag[tag.count - 1]), context)
    }
}

struct NotebookArguments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notebook", abstract: "Manage notebooks.",
        subcommands: [NotebookListArguments.self, NotebookMoveArguments.self, NotebookRemoveArguments.self])
}

struct NotebookListArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List all notebooks, and how many notes are in each.")
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.send(ListNotebooks(), context) }
}

struct NotebookMoveArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "mv", abstract: "Rename or move a notebook, with everything below it.")
    @Argument(help: "The notebook.") var old: String
    @Argument(help: "Its new name.") var new: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(RenameNotebook(from: old, to: new), context)
    }
}

struct NotebookRemoveArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Delete a notebook; its notes move to the one above.",
        discussion: "With --with-notes, they go to the trash; the notebook's name is asked for first.")
    @Argument(help: "The notebook.") var name: String
    @Flag(help: "Move its notes to the trash.") var withNotes = false
    @Flag(help: "Do not ask.") var yes = false
    @Option(help: ArgumentHelp("The notebook's name again, so that it is not asked for.", valueName: "name")) var confirm: String?
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try OrderCommands.removeNotebook(name, withNotes: withNotes, confirm: confirm, yes: yes, context)
    }
}
