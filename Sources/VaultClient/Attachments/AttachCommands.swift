// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation
internal import VaultFormat

/// `AttachCommands` runs `vault attach …`: files of notes. The client opens them and passes the descriptor; what is in
/// them never goes through its memory.
enum AttachCommands {
    /// Most attachments of one change: a command with more goes on with another.
    private static let batchCount = 500

    static func add(_ options: AttachOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        let kinds = FileKinds()
        try kinds.start()
        return try Session.with(context) { conversation throws(ClientFailure) in try add(options, kinds, &conversation)
        }
    }

    static func add(_ options: AttachOptions, _ kinds: FileKinds, _ conversation: inout Conversation)
        throws(ClientFailure) -> Outcome
    {
        let note = try NameCheck.short(options.note, "ID")
        guard options.name == nil || options.files.count == 1 else {
            throw .usage("--name is for one file", hint: "attach the others separately")
        }
        // A file that cannot be read is told before the first one is sealed.
        if options.files.count < 100 { for path in options.files where path != "-" { try SourceFile.check(path) } }
        for begin in stride(from: 0, to: options.files.count, by: batchCount) {
            for path in options.files[begin..<min(begin + batchCount, options.files.count)] {
                let outcome = try AttachmentUpload.put(
                    SourceFile(path, name: options.name), to: note, caption: options.caption ?? "",
                    keepsMetadata: options.keepsMetadata, kinds,
                    over: &conversation)
                guard outcome.code == .ok else { return named(outcome, path) }
            }
            let outcome = try conversation.perform(CommitAttachments(ref: note))
            guard outcome.code == .ok else { return outcome }
        }
        return Outcome(.ok)
    }

    /// Puts the file before what is wrong with it; what is wrong with the note is told as it is.
    private static func named(_ outcome: Outcome, _ path: String) -> Outcome {
        guard ![.interrupted, .locked, .notFound, .ambiguous].contains(outcome.code) else { return outcome }
        var outcome = outcome
        outcome.message = VisibleText.escaped(path) + ": " + outcome.message
        return outcome
    }

    /// Writes an attachment to a new file, or to standard output.
    static func get(_ note: String, _ name: String, output: String?, range: ByteRange?, _ context: Context)
        throws(ClientFailure) -> Outcome
    {
        try Session.with(context) { conversation throws(ClientFailure) in
            let ref = try NameCheck.short(note, "ID")
            guard output != "-" else {
                try Terminal.refuseOutput(of: "an attachment")
                let output = try OutputPipe(to: Streams.output)
                let outcome = try conversation.perform(
                    GetAttachment(ref: ref, name: name, range: range), descriptor: output.descriptor)
                try output.finish()
                return outcome
            }
            try Session.require(try conversation.perform(DescribeAttachment(ref: ref, name: name)))
            guard let found = conversation.attachment else {
                throw ClientFailure(.other, "the agent sent no description")
            }
            // The name was made safe when it came in; it is never a path.
            let path = output ?? ProgramPath.lastName(found.details.name)
            let target = try TargetFile(path)
            let outcome = try conversation.perform(
                GetAttachment(ref: ref, name: name, range: range), descriptor: target.descriptor)
            guard outcome.code == .ok else { return outcome }
            try target.keep()
            try context.print(
                json: "{\"schema\":1,\"written\":\(JSONText.quoted(path))}",
                text: "written to \(VisibleText.escaped(path)) (not encrypted)")
            return outcome
        }
    }

    static func remove(_ note: String, _ names: [String], _ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(RemoveAttachments(ref: NameCheck.short(note, "ID"), names: NameCheck.references(names)))
    }
}
