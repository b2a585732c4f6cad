// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser
internal import VaultFormat

struct SketchArguments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sketch", abstract: "Manage drawings in notes, whose strokes stay editable.",
        subcommands: [SketchNewArguments.self, SketchImportArguments.self, SketchListArguments.self, SketchExportArguments.self])
}

struct SketchNewArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "new", abstract: "Draw a sketch on the web page's canvas.")
    @Argument(help: "The note.") var id: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try SketchCommands.new(context) }
}

struct SketchImportArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Make a sketch from an SVG file.",
        discussion: "Lines and outlines become strokes. Everything else, such as text and pictures, is left out and listed.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The file; '-' is standard input.", completion: .file()) var file: String
    @Option(help: ArgumentHelp("The attachment's name.", valueName: "name")) var name: String?
    @Option(help: ArgumentHelp("The caption.", valueName: "text")) var caption: String?
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try SketchCommands.add(id, file, name: name, caption: caption, context)
    }
}

struct SketchListArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the sketches of a note.")
    @Argument(help: "The note.") var id: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(ListAttachments(ref: NoteCommands.short(id, "ID"), kind: .sketch), context)
    }
}

struct SketchExportArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a sketch to a file, unencrypted.",
        discussion: "svg is the sketch itself; pdf has real paths; png has a transparent background, jpeg a white one.")
    @Argument(help: "The note.") var id: String
    @Argument(help: "The sketch: its name, or its number among the attachments.") var name: String
    @Option(help: "The format.") var format: SketchFormatChoice = .svg
    @Option(help: ArgumentHelp("Width in pixels, for png and jpeg.", valueName: "n")) var width: UInt32?
    @Option(name: .shortAndLong, help: ArgumentHelp("A new file; '-' is standard output.", valueName: "path"), completion: .file()) var output:
        String?
    @OptionGroup(title: "Global options") var global: GlobalArguments

    func validate() throws {
        if width != nil && ![.png, .jpeg].contains(format) { throw ValidationError("--width is only for png and jpeg") }
        if let width, !(1...16384).contains(width) { throw ValidationError("a width is 1 to 16384 pixels") }
    }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try SketchCommands.export(id, name, format: format, width: width, output: output, context)
    }
}

extension SketchFormatChoice: ExpressibleByArgument {}
