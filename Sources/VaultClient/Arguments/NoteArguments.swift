// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

struct NewArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Write a note.",
        discussion: "Without text, it opens an editor on a terminal, and reads standard input elsewhere.")
    @Argument(help: "The text; '-' reads standard input.")
    var text: [String] = []
    @Option(help: "The title; the first line by default.")
    var title: String?
    @Option(name: [.long, .customShort("t")], help: "A tag; may be given more than once.")
    var tag: [String] = []
    @Option(name: [.long, .customShort("b")], help: "The notebook, such as work/2026.")
    var notebook: String?
    @Option(help: ArgumentHelp("A template to start from.", valueName: "name"))
    var template: String?
    @Flag(name: .customLong("private"), help: "Give it its own password, which is asked for.")
    var isPrivate = false
    @Flag(help: "With --private: show the title while the note is locked.")
    var showTitle = false
    @Option(help: ArgumentHelp("Attach a file; may be given more than once.", valueName: "file"), completion: .file())
    var attach: [String] = []
    @OptionGroup var passwords: NotePasswordFields
    @OptionGroup var editor: EditorFields
    @OptionGroup(title: "Global options") var global: GlobalArguments

    var options: NewOptions {
        var options = NewOptions()
        options.text = text
        options.title = title
        options.tags = tag
        options.notebook = notebook
        options.template = template
        options.isPrivate = isPrivate
        options.showsTitle = showTitle
        options.passwords = passwords.options
        options.attach = attach
        options.editor = editor.options
        return options
    }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.new(options, context) }
}

struct AppendArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "append", abstract: "Add text to the end of a note.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The text; '-' or nothing reads standard input.") var text: [String] = []
    @OptionGroup(title: "Global options") var global: GlobalArguments

    var options: EditOptions { EditOptions(note: id, text: text) }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.append(options, context) }
}

struct ReplaceArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "replace", abstract: "Replace a note's text.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The text; '-' or nothing reads standard input.") var text: [String] = []
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.replace(EditOptions(note: id, text: text), context)
    }
}

struct RemoveArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "rm", abstract: "Move notes to the trash.")
    @Argument(help: "The notes.") var id: [String]
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.remove(NotesOptions(notes: id), context)
    }
}

struct RestoreArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "restore", abstract: "Take notes out of the trash.")
    @Argument(help: "The notes.") var id: [String]
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.restore(NotesOptions(notes: id), context)
    }
}
