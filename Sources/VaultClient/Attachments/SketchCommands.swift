// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import ForeignRecords
internal import Glibc
internal import Presentation
internal import VaultFormat

/// `vault sketch …`: drawings as strokes. Everything that is read is read by `vault-parse` (docs/sketch-format.md).
enum SketchCommands {
    static let mediaType = "image/svg+xml"

    static func add(_ note: String, _ path: String, name: String?, caption: String?, _ context: Context) throws(ClientFailure) -> Outcome {
        let source = try SourceFile(path, name: name)
        let filter = try ParserFilter(["sketch", "import"], input: source.descriptor)
        guard let bytes = filter.readAll(max: SketchImportRecord.byteCountMax), let record = try? SketchImportRecord(parsing: bytes) else {
            throw ClientFailure(.other, "the drawing could not be read")
        }
        guard record.status == .ok else {
            throw .usage("this drawing cannot become a sketch: \(record.status.sentence)", hint: "vault attach add keeps the file as it is")
        }
        for loss in record.losses { Streams.say("vault: loss: \(loss.count) × \(loss.code.words)") }
        let given = name ?? source.name
        var file = AddedFile(name: given.hasSuffix(".svg") ? given : given + ".svg", kind: .sketch, mediaType: mediaType)
        file.caption = caption ?? ""
        let outcome = try Session.with(context) { conversation throws(ClientFailure) in
            let ref = try NoteCommands.short(note, "ID")
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
            let ref = try NoteCommands.short(note, "ID")
            try Session.require(try conversation.perform(DescribeAttachment(ref: ref, name: name)))
            guard let found = conversation.attachment?.details else { throw ClientFailure(.other, "the agent sent no description") }
            guard found.kind == .sketch else { throw .usage("this attachment is not a sketch", hint: "vault sketch ls ID") }
            guard found.byteCount <= UInt64(SketchImportRecord.svgByteCountMax) else { throw .usage("the sketch is too large to be drawn") }
            let memory = try MemoryFile([])
            let got = try conversation.perform(GetAttachment(ref: ref, name: name, range: nil), descriptor: memory.descriptor)
            guard got.code == .ok else { return got }
            let bytes = format == .svg ? try memory.content() : try drawn(memory, format, width)
            guard output != "-" else {
                try Streams.write(bytes)
                return Outcome(.ok)
            }
            let path = output ?? stem(ProgramPath.lastName(found.name)) + "." + format.rawValue
            let target = try TargetFile(path)
            guard Streams.writeAll(bytes, to: target.descriptor) else {
                throw ClientFailure(.localSaveFailed, "cannot write \(VisibleText.escaped(path)): \(SystemError.text(errno))")
            }
            try target.keep()
            try context.print(
                json: "{\"schema\":1,\"written\":\(JSONText.quoted(path))}", text: "written to \(VisibleText.escaped(path)) (not encrypted)")
            return Outcome(.ok)
        }
    }

    private static func drawn(_ memory: MemoryFile, _ format: SketchFormatChoice, _ width: UInt32?) throws(ClientFailure) -> [UInt8] {
        memory.rewind()
        let filter = try ParserFilter(["sketch", "draw", format.rawValue] + (width.map { [String($0)] } ?? []), input: memory.descriptor)
        guard let bytes = filter.readAll(max: SketchDrawingRecord.byteCountMax), let record = try? SketchDrawingRecord(parsing: bytes),
            record.status == .ok
        else { throw ClientFailure(.other, "the sketch could not be drawn", hint: "vault sketch export ID NAME --format svg") }
        return record.content
    }

    private static func stem(_ name: String) -> String { name.hasSuffix(".svg") ? String(name.dropLast(4)) : name }

    /// Drawing needs a canvas, which is a web page's.
    static func new(_ context: Context) throws(ClientFailure) -> Outcome {
        throw ClientFailure(
            .other, "the drawing canvas is part of the web page, which this version does not have yet",
            hint: "draw in another program, then vault sketch import ID FILE.svg")
    }
}

/// Forms that a sketch is written in.
enum SketchFormatChoice: String, CaseIterable, Sendable {
    case svg, png, jpeg, pdf
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
