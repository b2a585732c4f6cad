// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser
internal import VaultFormat

struct AttachArguments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach", abstract: "Manage a note's photos, videos, recordings and files.",
        discussion: "In a note's text, ![caption](att:NAME) marks where one belongs.",
        subcommands: [
            AttachAddArguments.self, AttachListArguments.self, AttachGetArguments.self, AttachOpenArguments.self, AttachRemoveArguments.self,
            AttachRenameArguments.self, AttachCaptionArguments.self, AttachRecordArguments.self,
        ])
}

struct AttachAddArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Attach files to a note.",
        discussion: "Location and camera data are removed from photos; orientation is kept.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The files; '-' is standard input.", completion: .file()) var file: [String] = []
    @Flag(help: "Attach the picture in the clipboard.") var paste = false
    @Option(help: ArgumentHelp("The caption.", valueName: "text")) var caption: String?
    @Option(help: ArgumentHelp("The attachment's name.", valueName: "name")) var name: String?
    @Flag(help: "Leave photos exactly as they are.") var keepMetadata = false
    @Flag(help: "Remove metadata from photos; this is the default.") var stripMetadata = false
    @OptionGroup(title: "Global options") var global: GlobalArguments

    func validate() throws {
        if file.isEmpty != paste { throw ValidationError(paste ? "--paste takes no files" : "a file, '-' or --paste is needed") }
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
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List a note's attachments.")
    @Argument(help: "The note.") var id: String
    @Flag(help: "Only photos.") var images = false
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(ListAttachments(ref: NoteCommands.short(id, "ID"), kind: images ? .photo : nil), context)
    }
}

struct AttachGetArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Write an attachment to a file, unencrypted.",
        discussion: "Without -o, the file has the attachment's name and is in this folder. Nothing is ever overwritten.")
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
        commandName: "open", abstract: "Open an attachment in the desktop's program for it.",
        discussion: "The file is in memory while you look at it; vault cannot control what that program keeps of it.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The attachment.") var name: String
    @Flag(help: "Use a disk if there is no folder in memory.") var allowDiskTemp = false
    @Flag(help: "Do not ask, even if opening it may run a program.") var yes = false
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try OpenCommand.run(id, name, allowsDisk: allowDiskTemp, yes: yes, context) }
}

struct AttachRemoveArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Remove attachments from a note.",
        discussion: "'vault undo' brings them back while the note's history has them; after that, 'vault gc' deletes them permanently.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The attachments.") var name: [String]
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try AttachCommands.remove(id, name, context) }
}

struct AttachRenameArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Rename an attachment.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The attachment.") var name: String
    @Argument(help: "Its new name.") var new: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(RenameAttachment(ref: NoteCommands.short(id, "ID"), name: name, to: NoteCommands.short(new, "name")), context)
    }
}

struct AttachCaptionArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "caption", abstract: "Set an attachment's caption.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The attachment.") var name: String
    @Argument(help: "The caption; '' removes it.") var text: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(CaptionAttachment(ref: NoteCommands.short(id, "ID"), name: name, caption: NoteCommands.short(text, "caption")), context)
    }
}

struct AttachRecordArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Record sound into a note, with arecord or pw-record.",
        discussion: "Ctrl-C ends the recording. The sound goes straight into the vault and is never on a disk unencrypted.")
    @Argument(help: "The note.") var id: String
    @Option(help: ArgumentHelp("The attachment's name.", valueName: "name")) var name: String?
    @Option(help: ArgumentHelp("The caption.", valueName: "text")) var caption: String?
    @Option(help: ArgumentHelp("The duration, with arecord.", valueName: "seconds")) var seconds: UInt32?
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try RecordCommand.run(id, name: name, caption: caption, seconds: seconds, context)
    }
}
