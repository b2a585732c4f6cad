// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import ParserProtocol
internal import Presentation
internal import VaultFormat

/// `SketchGroup` is the heading `vault sketch`.
enum SketchGroup: CommandGroup {
    static let name = "sketch"
    static var spec: Spec { Spec("Manage drawings in notes, whose strokes stay editable.") }
    static var commands: CommandList {
        [SketchNewCommand.self, SketchImportCommand.self, SketchListCommand.self, SketchExportCommand.self]
    }
}

struct SketchNewCommand: Command {
    static let name = "new"
    static var spec: Spec {
        Spec(
            "Draw a sketch on the web page's canvas.",
            examples: ["vault sketch new k7": "Open the page (vault web) with a canvas for the note."])
    }
    var id = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try SketchCommands.new(id, context) }
}

struct SketchImportCommand: Command {
    static let name = "import"
    static var spec: Spec {
        Spec(
            "Make a sketch from an SVG file.",
            discussion: """
                Lines and outlines become strokes. Everything else, such as text and pictures, is left out and \
                listed.
                """,
            examples: ["vault sketch import k7 plan.svg": "Import a drawing from another program."])
    }
    var id = ""
    var file = ""
    var name: String?
    var caption: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.word(&file, "file", "The file; '-' is standard input.", completion: .file)
        list.option(&name, "name", value: "name", "The attachment's name.")
        list.option(&caption, "caption", value: "text", "The caption.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try SketchCommands.add(id, file, name: name, caption: caption, context)
    }
}

struct SketchListCommand: Command {
    static let name = "ls"
    static var spec: Spec {
        Spec(
            "List the sketches of a note.",
            examples: ["vault sketch ls k7": "See the sketches of a note."])
    }
    var id = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(ListAttachments(ref: NameCheck.short(id, "ID"), kind: .sketch))
    }
}

struct SketchExportCommand: Command {
    static let name = "export"
    static var spec: Spec {
        Spec(
            "Write a sketch to a file, unencrypted.",
            discussion: """
                svg is the sketch itself; pdf has real paths; png has a transparent background, jpeg a white one.
                """,
            examples: [
                "vault sketch export k7 plan.svg --format pdf": "Write plan.pdf, with real paths.",
                "vault sketch export k7 plan.svg --width 800 -o plan.png":
                    "Write a picture 800 pixels wide.",
            ])
    }
    var id = ""
    var name = ""
    var format: SketchFormatChoice?
    var width: UInt32?
    var output: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.word(&name, "name", "The sketch: its name, or its number among the attachments.")
        list.option(&format, "format", "The format: by default that of the output's name, or svg.")
        list.option(&width, "width", value: "n", "Width in pixels, for png and jpeg.")
        list.option(
            &output, "output", letter: "o", value: "path", "A new file; '-' is standard output.", completion: .file)
    }

    var complaint: String? {
        if width != nil && ![.png, .jpeg].contains(chosenFormat) { return "--width is only for png and jpeg" }
        if let width, !(1...16384).contains(width) { return "a width is 1 to 16384 pixels" }
        return nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try SketchCommands.export(id, name, format: chosenFormat, width: width, output: output, context)
    }

    private var chosenFormat: SketchFormatChoice { format ?? SketchFormatChoice(fileName: output ?? "") ?? .svg }
}

/// `SketchCommands` runs `vault sketch …`: drawings as strokes. Everything that is read is read by `vault-parse`
/// (docs/sketch-format.md).
enum SketchCommands {
    static let mediaType = "image/svg+xml"

    static func add(_ note: String, _ path: String, name: String?, caption: String?, _ context: Context)
        throws(ClientFailure) -> Outcome
    {
        let source = try SourceFile(path, name: name)
        let filter = try ParserFilter(["sketch", "import"], input: source.descriptor)
        guard let bytes = try? filter.readAll(max: SketchImportRecord.byteCountMax),
            let record = try? SketchImportRecord(parsing: bytes)
        else {
            throw ClientFailure(.other, "the drawing could not be read")
        }
        guard record.status == .ok else {
            throw .usage(
                "this drawing cannot become a sketch: \(record.status.sentence)",
                hint: "vault attach add keeps the file as it is")
        }
        for loss in record.losses { Streams.say("vault: loss: \(loss.count) × \(loss.code.words)") }
        let given = name ?? source.name
        var file = AddedFile(
            name: given.hasSuffix(".svg") ? given : given + ".svg", kind: .sketch, mediaType: mediaType)
        file.caption = caption ?? ""
        let outcome = try Session.with(context) { conversation throws(ClientFailure) in
            let ref = try NameCheck.short(note, "ID")
            let memory = try MemoryFile(record.svg)
            let put = try conversation.perform(PutAttachment(ref: ref, file: file), descriptor: memory.descriptor)
            guard put.code == .ok else { return put }
            return try conversation.perform(CommitAttachments(ref: ref))
        }
        guard outcome.code == .ok, !record.losses.isEmpty else { return outcome }
        return Outcome(.doneWithLosses, "only strokes were imported")
    }

    static func export(
        _ note: String, _ name: String, format: SketchFormatChoice, width: UInt32?, output: String?, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        if output == "-" { try Terminal.refuseOutput(of: "a drawing") }
        return try Session.with(context) { conversation throws(ClientFailure) in
            let ref = try NameCheck.short(note, "ID")
            try Session.require(try conversation.perform(DescribeAttachment(ref: ref, name: name)))
            guard let found = conversation.attachment?.details else {
                throw ClientFailure(.other, "the agent sent no description")
            }
            guard found.kind == .sketch else {
                throw .usage("this attachment is not a sketch", hint: "vault sketch ls ID")
            }
            guard found.byteCount <= UInt64(SketchImportRecord.svgByteCountMax) else {
                throw .usage("the sketch is too large to be drawn")
            }
            let memory = try MemoryFile([])
            let got = try conversation.perform(
                GetAttachment(ref: ref, name: name, range: nil), descriptor: memory.descriptor)
            guard got.code == .ok else { return got }
            let bytes = format == .svg ? try memory.content() : try drawn(memory, format, width)
            guard output != "-" else {
                try Streams.write(bytes)
                return Outcome(.ok)
            }
            let path = output ?? stem(ProgramPath.lastName(found.name)) + "." + format.rawValue
            let target = try TargetFile(path)
            guard Streams.writeAll(bytes, to: target.descriptor) else {
                throw ClientFailure(
                    .localSaveFailed, "cannot write \(VisibleText.escaped(path)): \(SystemError.text(errno))")
            }
            try target.keep()
            try context.print(
                json: "{\"schema\":1,\"written\":\(JSONText.quoted(path))}",
                text: "written to \(VisibleText.escaped(path)) (not encrypted)")
            return Outcome(.ok)
        }
    }

    private static func drawn(_ memory: MemoryFile, _ format: SketchFormatChoice, _ width: UInt32?)
        throws(ClientFailure) -> [UInt8]
    {
        memory.rewind()
        let filter = try ParserFilter(
            ["sketch", "draw", format.rawValue] + (width.map { [String($0)] } ?? []), input: memory.descriptor)
        guard let bytes = try? filter.readAll(max: SketchDrawingRecord.byteCountMax),
            let record = try? SketchDrawingRecord(parsing: bytes),
            record.status == .ok
        else {
            throw ClientFailure(
                .other, "the sketch could not be drawn", hint: "vault sketch export ID NAME --format svg")
        }
        return record.content
    }

    private static func stem(_ name: String) -> String { name.hasSuffix(".svg") ? String(name.dropLast(4)) : name }

    /// Opens the page with a canvas for a note.
    static func new(_ note: String, _ context: Context) throws(ClientFailure) -> Outcome {
        let found = try Session.with(context) { conversation throws(ClientFailure) in
            let (outcome, notes) = try conversation.ask(ShowNotes(refs: [note], raw: false, withDetails: false))
            try outcome.require()
            return notes.first?.note.id ?? ""
        }
        return try WebCommand.open(context, .drawing(found))
    }
}

/// `SketchFormatChoice` names forms that a sketch is written in.
enum SketchFormatChoice: String, CaseIterable, Sendable, ArgumentValue {
    case svg, png, jpeg, pdf

    /// Returns the format that a file's name ends with; nil for another ending.
    init?(fileName: String) {
        let parts = fileName.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let ending = parts.last else { return nil }
        self.init(rawValue: ending == "jpg" ? "jpeg" : String(ending))
    }
}

extension SketchStatus {
    fileprivate var sentence: String {
        switch self {
        case .ok: "it is one"
        case .notASketch: "it is not supported SVG"
        case .damaged: "it is damaged"
        case .tooLarge: "it is too large"
        case .failed: "the drawing library failed"
        }
    }
}
