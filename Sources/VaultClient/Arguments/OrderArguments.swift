// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

struct TitleArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "title", abstract: "Set a note's title.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The title.") var words: [String] = []
    @Flag(help: "Remove the title; the first line is used again.") var clear = false
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try OrderCommands.title(id, words: words, clear: clear, context)
    }
}

struct UntagArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "untag", abstract: "Remove tags from a note.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The tags.") var tag: [String]
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try OrderCommands.tag(id, tags: tag, add: false, context)
    }
}

struct MoveArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "mv", abstract: "Move notes to a notebook.",
        discussion: "A notebook exists as soon as a note is in it; '/' takes notes out of theirs.")
    @Argument(help: ArgumentHelp("The notes, then the notebook.", valueName: "id … notebook")) var words: [String]
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try OrderCommands.move(words, context) }
}

/// Commands that take notes and set one mark.
protocol MarkCommand: ClientCommand {
    static var change: FieldChange { get }
    var id: [String] { get }
}

extension MarkCommand {
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try OrderCommands.modify(id, Self.change, context) }
}

struct PinArguments: MarkCommand {
    static let configuration = CommandConfiguration(commandName: "pin", abstract: "Pin notes to the top of the list.")
    static let change = FieldChange.pinned(true)
    @Argument(help: "The notes.") var id: [String]
    @OptionGroup(title: "Global options") var global: GlobalArguments
}

struct UnpinArguments: MarkCommand {
    static let configuration = CommandConfiguration(commandName: "unpin", abstract: "Unpin notes.")
    static let change = FieldChange.pinned(false)
    @Argument(help: "The notes.") var id: [String]
    @OptionGroup(title: "Global options") var global: GlobalArguments
}

struct ArchiveArguments: MarkCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "Archive notes.",
        discussion: "They are still found by searching, and listed by 'vault ls --archived'.")
    static let change = FieldChange.archived(true)
    @Argument(help: "The notes.") var id: [String]
    @OptionGroup(title: "Global options") var global: GlobalArguments
}

struct UnarchiveArguments: MarkCommand {
    static let configuration = CommandConfiguration(commandName: "unarchive", abstract: "Unarchive notes.")
    static let change = FieldChange.archived(false)
    @Argument(help: "The notes.") var id: [String]
    @OptionGroup(title: "Global options") var global: GlobalArguments
}

struct DuplicateArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "dup", abstract: "Make a copy of a note.")
    @Argument(help: "The note.") var id: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.send(DuplicateNote(ref: id), context) }
}

struct MergeArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Merge notes, or the two versions of one.",
        discussion: """
            With several notes, the texts and tags of the others are added to the first, and the others go to the trash. With one note that has \
            two versions, because it was changed in two places, they are merged; where they conflict, an editor shows both.
            """)
    @Argument(help: "The notes.") var id: [String]
    @OptionGroup var editor: EditorFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        if id.count > 1 { return try OrderCommands.join(id, context) }
        return try EditCommand.run(.heads(ref: id[0]), editor.options, context)
    }
}
