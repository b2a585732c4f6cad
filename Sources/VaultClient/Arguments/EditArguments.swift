// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

/// What every command that opens an editor takes.
struct EditorFields: ParsableArguments {
    @Flag(help: "Use an editor that may keep copies of the text.") var allowUnknownEditor = false
    @Flag(help: "Put the editor's file on a disk if there is no folder in memory.") var allowDiskTemp = false
    @Flag(help: "Do not ask about unencrypted swap.") var yes = false

    var options: EditorOptions {
        EditorOptions(allowsUnknown: allowUnknownEditor, allowsDisk: allowDiskTemp, yes: yes)
    }
}

struct EditArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a note in your editor.",
        discussion: """
            This runs $VISUAL, $EDITOR, editor, nano or vi on a file in memory. Each time the editor saves, the text is encrypted into the vault \
            as a draft; when it exits, the draft becomes the note. Leave vim with :cq to save nothing. A note that is emptied goes to the trash.
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
        commandName: "daily", abstract: "Write in a day's note.",
        discussion:
            "It is in the notebook 'Daily' and starts from the template 'daily', if there is one. Piped text is added without an editor.")
    @Argument(help: "2026-11-21, today, yesterday or tomorrow.") var date: String = ""
    @OptionGroup var editor: EditorFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try EditCommand.daily(date, editor.options, context) }
}

struct TemplateArguments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "template", abstract: "Manage templates for new notes.",
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
    static let configuration = CommandConfiguration(commandName: "edit", abstract: "Change or create a template.")
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
        commandName: "draft", abstract: "Manage unfinished drafts.",
        subcommands: [
            DraftListArguments.self, DraftShowArguments.self, DraftResumeArguments.self, DraftSaveArguments.self, DraftDiscardArguments.self,
        ])
}

struct DraftListArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the drafts.")
    @Flag(help: "Also those discarded in the last 24 hours.") var all = false
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(ListDrafts(withDiscarded: all), context)
    }
}

struct DraftShowArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Print a draft's text.")
    @Argument(help: "The draft, or its note.") var id: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.send(ShowDraft(ref: id), context) }
}

struct DraftResumeArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "resume", abstract: "Continue a draft in your editor.")
    @Argument(help: "The draft, or its note.") var id: String
    @OptionGroup var editor: EditorFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try EditCommand.run(.draft(ref: id), editor.options, context) }
}

struct DraftSaveArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Save a draft as its note, without an editor.",
        discussion: "If the note was changed meanwhile, it is merged or both versions are kept, as with 'vault edit'.")
    @Argument(help: "The draft, or its note.") var id: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(SaveDraft(ref: NoteCommands.short(id, "ID")), context)
    }
}

struct DraftDiscardArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "discard", abstract: "Discard drafts; they are kept for a day.")
    @Argument(help: "The drafts.") var id: [String]
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(DiscardDrafts(refs: NoteCommands.references(id)), context)
    }
}
