// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation

/// `vault share`: a note leaves the vault, as plain text, because its owner says so.
enum ShareCommand {
    static func run(_ options: ShareOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        let settings = try context.settings()
        // What cannot be done is said before the note is read.
        switch options.target {
        case .file:
            guard let path = options.output, !path.isEmpty, path != "-" else {
                throw .usage("--to file needs the name of a new file", hint: "vault share ID --to file -o PATH; to standard output: vault cat ID")
            }
            try NewFile.checkIsNew(path)
            let bytes = try text(options.note, context)
            try NewFile.write(bytes, to: path)
            try context.print(
                json: "{\"schema\":1,\"shared\":\"file\",\"path\":\(JSONText.quoted(path)),\"bytes\":\(bytes.count)}",
                text: "written to \(VisibleText.escaped(path)) as plain text, which the vault no longer protects")
        case .clip:
            guard options.output == nil else { throw .usage("-o needs --to file", hint: "vault share ID --to file -o PATH") }
            let tool = try ClipboardTool.choose(options.usesTerminal ? .osc52 : settings.clipboardTool)
            let bytes = try text(options.note, context)
            let seconds = settings.clipboardClearSeconds
            let report = try Clipboard(tool: tool, allowsDisk: options.allowsDisk).copy(bytes, clearAfter: seconds)
            report.warnings.forEach(Streams.warn)
            try context.print(
                json: "{\"schema\":1,\"shared\":\"clip\",\"tool\":\(JSONText.quoted(tool.choice.rawValue)),\"clearedAfter\":"
                    + "\(report.isCleared ? String(seconds) : "null")}",
                text: report.news)
        }
        return Outcome(.ok)
    }

    private static func text(_ note: String, _ context: Context) throws(ClientFailure) -> [UInt8] {
        try Session.with(context) { conversation throws(ClientFailure) in
            let (outcome, replies) = try conversation.ask(ShareNote(ref: NoteCommands.short(note, "ID")))
            try Session.require(outcome)
            return replies.flatMap { Array($0.text.utf8) }
        }
    }
}
