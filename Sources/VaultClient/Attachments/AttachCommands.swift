// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import ForeignRecords
internal import Presentation
internal import VaultFormat

/// `vault attach …`: files of notes. The client opens them and passes the descriptor; what is in them never goes through its memory.
enum AttachCommands {
    /// So many are one change at most: a command with more goes on with another.
    private static let batchCount = 500

    static func add(_ options: AttachOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        let kinds = FileKinds()
        try kinds.start()
        return try Session.with(context) { conversation throws(ClientFailure) in try add(options, kinds, &conversation) }
    }

    static func add(_ options: AttachOptions, _ kinds: FileKinds, _ conversation: inout Conversation) throws(ClientFailure) -> Outcome {
        let note = try NoteCommands.short(options.note, "ID")
        guard options.name == nil || options.files.count == 1 else { throw .usage("--name is for one file", hint: "attach the others separately") }
        // A file that cannot be read is told before the first one is sealed.
        if options.files.count < 100 { for path in options.files where path != "-" { try SourceFile.check(path) } }
        for begin in stride(from: 0, to: options.files.count, by: batchCount) {
            for path in options.files[begin..<min(begin + batchCount, options.files.count)] {
                let outcome = try put(SourceFile(path, name: options.name), kinds, note, options, &conversation)
                guard outcome.code == .ok else { return named(outcome, path) }
            }
            let outcome = try conversation.perform(CommitAttachments(ref: note))
            guard outcome.code == .ok else { return outcome }
        }
        return Outcome(.ok)
    }

    private static func put(
        _ source: SourceFile, _ kinds: FileKinds, _ note: String, _ options: AttachOptions, _ conversation: inout Conversation
    ) throws(ClientFailure) -> Outcome {
        let kind = try kinds.kind(of: source.head, name: source.name)
        var file = AddedFile(name: source.name, kind: kind.detailsKind, mediaType: kind.mediaType)
        file.caption = options.caption ?? ""
        if let width = kind.width, let height = kind.height { (file.width, file.height) = (width, height) }
        guard kind.kind == .photo, !options.keepsMetadata, kind.mediaType != "image/bmp" else {
            return try conversation.perform(PutAttachment(ref: note, file: file), descriptor: source.descriptor)
        }
        file.isStripped = true
        let stripper = try ParserFilter(["strip"], input: source.descriptor)
        let outcome = try conversation.perform(PutAttachment(ref: note, file: file), descriptor: stripper.output)
        let code = stripper.finish()
        guard outcome.code == .ok, code != 0 else { return outcome }
        // What came out of the pipe was cut short; it is forgotten, and the photo is not attached without a word.
        _ = try conversation.perform(DropAttachments(count: 1))
        return Outcome(
            .usage, "location and camera data cannot be removed from this photo: its format is not supported",
            hint: "--keep-metadata attaches it unchanged")
    }

    private static func named(_ outcome: Outcome, _ path: String) -> Outcome {
        var outcome = outcome
        if outcome.code != .interrupted && outcome.code != .locked { outcome.message = VisibleText.escaped(path) + ": " + outcome.message }
        return outcome
    }

    /// Writes an attachment to a new file, or to standard output.
    static func get(_ note: String, _ name: String, output: String?, range: ByteRange?, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            let ref = try NoteCommands.short(note, "ID")
            guard output != "-" else {
                try Terminal.refuseOutput(of: "an attachment")
                return try write(ref, name, range, to: Streams.output, &conversation)
            }
            try Session.require(try conversation.perform(DescribeAttachment(ref: ref, name: name)))
            guard let found = conversation.attachment else { throw ClientFailure(.other, "the agent sent no description") }
            // The name was made safe when it came in; it is never a path.
            let path = output ?? ProgramPath.lastName(found.details.name)
            let target = try TargetFile(path)
            let outcome = try conversation.perform(GetAttachment(ref: ref, name: name, range: range), descriptor: target.descriptor)
            guard outcome.code == .ok else { return outcome }
            try target.keep()
            try context.print(
                json: "{\"schema\":1,\"written\":\(JSONText.quoted(path))}", text: "written to \(VisibleText.escaped(path)) (not encrypted)")
            return outcome
        }
    }

    /// A file or a pipe is written by the agent itself; anything else through a pipe of ours.
    static func write(
        _ ref: String, _ name: String, _ range: ByteRange?, to stream: Int32, _ conversation: inout Conversation
    ) throws(ClientFailure) -> Outcome {
        var status = stat()
        let kind = unsafe fstat(stream, &status) == 0 ? status.st_mode & S_IFMT : 0
        // A file that has content, or is written from its middle, is written through a pipe: the agent writes from offset 0.
        let isFresh = kind == S_IFREG && status.st_size == 0 && lseek(stream, 0, SEEK_CUR) == 0 && fcntl(stream, F_GETFL) & O_APPEND == 0
        if kind == S_IFIFO || isFresh {
            return try conversation.perform(GetAttachment(ref: ref, name: name, range: range), descriptor: stream)
        }
        let pump = try PipePump(to: stream)
        let outcome = try conversation.perform(GetAttachment(ref: ref, name: name, range: range), descriptor: pump.input)
        pump.finish()
        return outcome
    }

    static func remove(_ note: String, _ names: [String], _ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(RemoveAttachments(ref: NoteCommands.short(note, "ID"), names: NoteCommands.references(names)), context)
    }
}
