// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ArgumentParser
internal import VaultFormat

struct AttachArguments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach", abstract: "Photos, videos, recordings and files of notes.",
        discussion: "In a note's text, ![caption](att:NAME) shows where one belongs.",
        subcommands: [
            AttachAddArguments.self, AttachListArguments.self, AttachGetArguments.self, AttachOpenArguments.self, AttachRemoveArguments.self,
            AttachRenameArguments.self, AttachCaptionArguments.self, AttachRecordArguments.self,
        ])
}

struct AttachAddArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Attach files to a note.",
        discussion: "Place, camera serial numbers and the like are taken out of photos; how they are turned stays.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The files; '-' is standard input.", completion: .file()) var file: [String] = []
    @Flag(help: "Attach the picture that lies in the clipboard.") var paste = false
    @Option(help: ArgumentHelp("What stands below it.", valueName: "text")) var caption: String?
    @Option(help: ArgumentHelp("What it is to be called.", valueName: "name")) var name: String?
    @Flag(help: "Leave photos exactly as they are.") var keepMetadata = false
    @Flag(help: "Take metadata out of photos; this is so anyway.") var stripMetadata = false
    @OptionGroup(title: "Global options") var global: GlobalArguments

    func validate() throws {
        if file.isEmpty != paste { throw ValidationError(paste ? "--paste goes without files" : "a file is needed, '-' or --paste") }
        if keepMetadata && stripMetadata { throw ValidationError("--keep-metadata and --strip-metadata cannot both be given") }
    }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        if paste { return try PasteCommand.run(id, name: name, caption: caption, context) }
        var options = AttachOptions(note: id, files: file)
        options.caption = caption
        options.name = name
        options.keepsMetadata = keepMetadata
        return try AttachCommands.add(options, context)
    }
}

struct AttachListArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List what is attached to a note.")
    @Argument(help: "The note.") var id: String
    @Flag(help: "Only photos.") var images = false
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(.attaching(.list(ref: NoteCommands.short(id, "ID"), kind: images ? .photo : nil)), context)
    }
}

struct AttachGetArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Write an attachment to a file, in the clear.",
        discussion: "Without -o it gets its own name in this folder. Nothing is ever overwritten.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The attachment: its name, or its number.") var name: String
    @Option(name: .shortAndLong, help: ArgumentHelp("A new file; '-' is standard output.", valueName: "path"), completion: .file()) var output:
        String?
    @Option(help: ArgumentHelp("Only a part, such as 1M:64k.", valueName: "offset:count")) var range: String?
    @OptionGroup(title: "Global options") var global: GlobalArguments

    func validate() throws {
        if let range, RangeText.parse(range) == nil { throw ValidationError("a range is OFFSET:COUNT in bytes, such as 1M:64k") }
    }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try AttachCommands.get(id, name, output: output, range: range.flatMap(RangeText.parse), context)
    }
}

struct AttachOpenArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Show an attachment in the desktop's program for it.",
        discussion: "It lies in a folder in memory while you look at it; what that program keeps of it is not in our hands.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The attachment.") var name: String
    @Flag(help: "Let it lie on a disk when there is no folder in memory.") var allowDiskTemp = false
    @Flag(help: "Do not ask, whatever may run when it is opened.") var yes = false
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try OpenCommand.run(id, name, allowsDisk: allowDiskTemp, yes: yes, context) }
}

struct AttachRemoveArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Take attachments off a note.",
        discussion: "'vault undo' brings them back, as long as the note's history has them; then 'vault gc' removes them for good.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The attachments.") var name: [String]
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try AttachCommands.remove(id, name, context) }
}

struct AttachRenameArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Give an attachment another name.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The attachment.") var name: String
    @Argument(help: "Its new name.") var new: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(.attaching(.rename(ref: NoteCommands.short(id, "ID"), name: name, to: NoteCommands.short(new, "name"))), context)
    }
}

struct AttachCaptionArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "caption", abstract: "Write what stands below an attachment.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The attachment.") var name: String
    @Argument(help: "The caption; '' takes it away.") var text: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(.attaching(.caption(ref: NoteCommands.short(id, "ID"), name: name, to: NoteCommands.short(text, "caption"))), context)
    }
}

struct AttachRecordArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Record sound into a note, with arecord or pw-record.",
        discussion: "Ctrl-C ends the recording. It goes straight into the vault and never lies on a disk.")
    @Argument(help: "The note.") var id: String
    @Option(help: ArgumentHelp("What it is to be called.", valueName: "name")) var name: String?
    @Option(help: ArgumentHelp("What stands below it.", valueName: "text")) var caption: String?
    @Option(help: ArgumentHelp("How long, with arecord.", valueName: "seconds")) var seconds: UInt32?
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try RecordCommand.run(id, name: name, caption: caption, seconds: seconds, context)
    }
}
