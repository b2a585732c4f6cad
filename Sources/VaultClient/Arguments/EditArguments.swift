// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ArgumentParser

/// What every command that opens an editor takes.
struct EditorFields: ParsableArguments {
    @Flag(help: "Use an editor that is not known to keep no copies of the text.") var allowUnknownEditor = false
    @Flag(help: "Let the editor's file lie on a disk when there is no folder in memory.") var allowDiskTemp = false
    @Flag(help: "Do not ask about swap that is not encrypted.") var yes = false

    var options: EditorOptions {
        EditorOptions(allowsUnknown: allowUnknownEditor, allowsDisk: allowDiskTemp, yes: yes)
    }
}

struct EditArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a note in your editor.",
        discussion: """
            $VISUAL, $EDITOR, editor, nano or vi is run on a file in memory. Each time it saves, the text is sealed into the vault as a draft; when it \
            ends, it becomes the note. Leave vim with :cq to save nothing. A note that is emptied goes to the trash.
            """)
    @Argument(help: "The note.") var id: String
    @Option(help: ArgumentHelp("Attach a file first; may be given more than once.", valueName: "file"), completion: .file())
    var attach: [String] = []
    @OptionGroup var editor: EditorFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        if !attach.isEmpty {
            let added = try AttachCommands.add(AttachOptions(note: id, files: attach), context)
            guard added.code == .ok else { return added }
        }
        return try EditCommand.run(.note(ref: NoteCommands.short(id, "ID")), editor.options, context)
    }
}

struct DailyArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "daily", abstract: "Write in the note of a day.",
        discussion:
            "It lies in the notebook 'Daily' and begins with the template 'daily', if there is one. Text in a pipe is added without an editor.")
    @Argument(help: "2026-11-21, today, yesterday or tomorrow.") var date: String = ""
    @OptionGroup var editor: EditorFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try EditCommand.daily(date, editor.options, context) }
}

struct TemplateArguments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "template", abstract: "Look after templates for new notes.",
        discussion: "{{date}}, {{time}}, {{weekday}}, {{yesterday}}, {{tomorrow}} and {{title}} are filled in.",
        subcommands: [TemplateListArguments.self, TemplateEditArguments.self, TemplateRemoveArguments.self])
}

struct TemplateListArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the templates.")
    @OptionGroup var list: ListFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.list(list.options, .template, context) }
}

struct TemplateEditArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "edit", abstract: "Change a template, or make one.")
    @Argument(help: "Its name.") var name: String
    @OptionGroup var editor: EditorFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try EditCommand.run(.template(name: NoteCommands.short(name, "name")), editor.options, context)
    }
}

struct TemplateRemoveArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "rm", abstract: "Move templates to the trash.")
    @Argument(help: "Their names.") var name: [String]
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.remove(NotesOptions(notes: name), context)
    }
}

struct DraftArguments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draft", abstract: "Look after texts that were not finished.",
        subcommands: [
            DraftListArguments.self, DraftShowArguments.self, DraftResumeArguments.self, DraftSaveArguments.self, DraftDiscardArguments.self,
        ])
}

struct DraftListArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the drafts.")
    @Flag(help: "Also those that were thrown away in the last 24 hours.") var all = false
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(.editing(.list(withDiscarded: all)), context)
    }
}

struct DraftShowArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Print a draft's text.")
    @Argument(help: "The draft, or its note.") var id: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.send(.editing(.show(ref: id)), context) }
}

struct DraftResumeArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "resume", abstract: "Go on with a draft in your editor.")
    @Argument(help: "The draft, or its note.") var id: String
    @OptionGroup var editor: EditorFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try EditCommand.run(.draft(ref: id), editor.options, context) }
}

struct DraftSaveArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Save a draft as its note, without an editor.",
        discussion: "A note that was changed meanwhile is merged, or both versions are kept, as 'vault edit' does it.")
    @Argument(help: "The draft, or its note.") var id: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(.editing(.save(ref: NoteCommands.short(id, "ID"))), context)
    }
}

struct DraftDiscardArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "discard", abstract: "Throw drafts away; they are kept for a day.")
    @Argument(help: "The drafts.") var id: [String]
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(.editing(.discard(refs: NoteCommands.references(id))), context)
    }
}
