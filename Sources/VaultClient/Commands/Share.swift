// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import ParserProtocol
internal import Presentation

/// `ShareCommand` runs `vault share`: a note leaves the vault, as plain text, because its owner says so.
struct ShareCommand: Command {
    static let name = "share"
    static var spec: Spec {
        Spec(
            "Copy a note as plain text to the clipboard, a new file, a mail or a QR code.",
            discussion: """
                'email' writes an unsent message that mail programs open (.eml): nothing is sent, and nothing of the \
                note is in an argument. 'qr' draws a code for a phone's camera, for texts of at most 2,048 bytes. \
                'age:age1…' encrypts it to an age key, or to several with commas between them; age -d opens it. \
                The clipboard is cleared after 45 seconds, if the text is still there. To change the time: vault \
                config set clipboard.clear 2m.
                """,
            examples: [
                "vault share k7 --to clip": "Copy a note; the clipboard is cleared after 45 seconds.",
                "vault share k7 --to age:age1… -o note.age": "For the owner of a key.",
            ])
    }
    var id = ""
    var target = ShareTarget.clip
    /// Where `--to file` writes.
    var output: String?
    /// Through the terminal, although every program on the way can read it.
    var usesTerminal = false
    var allowsDisk = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.required(&target, "to", "The target.")
        list.option(&output, "output", letter: "o", value: "file", "The new file.", completion: .file)
        list.flag(
            &usesTerminal, "osc52", "Use the terminal's own clipboard, even from another machine; it is not cleared.")
        list.flag(
            &allowsDisk, "allow-disk-temp",
            "Let wl-copy keep the text in a file on a disk while it is on the clipboard.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let settings = try context.settings()
        // What cannot be done is said before the note is read.
        switch target {
        case .file:
            guard let path = output, !path.isEmpty, path != "-" else {
                throw .usage(
                    "--to file needs the name of a new file",
                    hint: "vault share ID --to file -o PATH; to standard output: vault cat ID")
            }
            try NewFile.checkIsNew(path)
            let bytes = try text(context)
            try NewFile.write(bytes, to: path)
            try context.print(
                json: "{\"schema\":1,\"shared\":\"file\",\"path\":\(JSONText.quoted(path)),\"bytes\":\(bytes.count)}",
                text: "written to \(VisibleText.escaped(path)) as plain text, which the vault no longer protects")
        case .email:
            guard let path = output, !path.isEmpty, path != "-" else {
                throw .usage(
                    "--to email needs the name of a new file",
                    hint: "vault share ID --to email -o note.eml; then xdg-open")
            }
            try NewFile.checkIsNew(path)
            let message = MailMessage(try text(context))
            try NewFile.write(message.bytes, to: path)
            try context.print(
                json:
                    "{\"schema\":1,\"shared\":\"email\",\"path\":\(JSONText.quoted(path)),\"bytes\":\(message.bytes.count)}",
                text: "written to \(VisibleText.escaped(path)) as an unsent message; xdg-open \(ShellWord.quoted(path))"
            )
        case .qr:
            try draw(context)
        case .age(let keys):
            guard let path = output, !path.isEmpty, path != "-" else {
                throw .usage(
                    "--to age: needs the name of a new file", hint: "vault share ID --to age:age1… -o note.age")
            }
            try NewFile.checkIsNew(path)
            let bytes = try text(context, for: keys)
            try NewFile.write(bytes, to: path)
            try context.print(
                json: "{\"schema\":1,\"shared\":\"age\",\"path\":\(JSONText.quoted(path)),\"bytes\":\(bytes.count)}",
                text: "written to \(VisibleText.escaped(path)); age -d opens it with the key")
        case .clip:
            guard output == nil else { throw .usage("-o needs --to file", hint: "vault share ID --to file -o PATH") }
            let tool = try ClipboardTool.choose(usesTerminal ? .osc52 : settings.clipboardTool)
            let bytes = try text(context)
            try Self.copy(bytes, tool, allowsDisk: allowsDisk, settings, context)
        }
        return Outcome(.ok)
    }

    /// Puts a text on the clipboard, and says when it will be cleared.
    static func copy(
        _ bytes: [UInt8], _ tool: ClipboardTool, allowsDisk: Bool, _ settings: Settings, _ context: Context
    ) throws(ClientFailure) {
        let seconds = settings.clipboardClearSeconds
        let report = try Clipboard(tool: tool, allowsDisk: allowsDisk).copy(bytes, clearAfter: seconds)
        report.warnings.forEach(Streams.warn)
        try context.print(
            json:
                "{\"schema\":1,\"shared\":\"clip\",\"tool\":\(JSONText.quoted(tool.choice.rawValue)),\"clearedAfter\":"
                + "\(report.isCleared ? String(seconds) : "null")}",
            text: report.news)
    }

    private func draw(_ context: Context) throws(ClientFailure) {
        guard output == nil, !context.options.json, Terminal.isOutput, let size = Terminal.size(of: Streams.output)
        else {
            throw .usage("--to qr draws on a terminal", hint: "vault share ID --to file -o PATH")
        }
        let bytes = try text(context)
        guard bytes.count <= QRCodeRecord.textByteCountMax else {
            throw .usage(
                "the note has \(bytes.count) bytes, and a code holds \(QRCodeRecord.textByteCountMax)",
                hint: "vault share ID --to file -o PATH")
        }
        let picture = try QRPicture.made(of: bytes)
        guard QRPicture.columns(picture) <= size.columns else {
            throw ClientFailure(
                .other, "the QR code needs a terminal of \(QRPicture.columns(picture)) columns",
                hint: "make the window wider, or its letters smaller")
        }
        try Streams.write(QRPicture.drawn(picture))
    }

    private func text(_ context: Context, for keys: [String] = []) throws(ClientFailure) -> [UInt8] {
        try Session.with(context) { conversation throws(ClientFailure) in
            let (outcome, replies) = try conversation.ask(
                ShareNote(ref: NameCheck.short(id, "ID"), recipients: keys))
            try Session.require(outcome)
            return replies.flatMap { Array($0.text.utf8) }
        }
    }
}

/// `ShareTarget` tells where a shared note goes.
enum ShareTarget: Sendable, Equatable, ArgumentValue {
    case clip, file, email, qr
    /// For the owners of keys, `age:age1…`.
    case age([String])

    static let allArguments = ["clip", "file", "email", "qr"]

    init?(argument: String) {
        switch argument {
        case "clip": self = .clip
        case "file": self = .file
        case "email": self = .email
        case "qr": self = .qr
        default:
            let keys = argument.dropFirst(4).split(separator: ",").map(String.init)
            guard argument.hasPrefix("age:"), !keys.isEmpty else { return nil }
            self = .age(keys)
        }
    }

    var argument: String {
        switch self {
        case .clip: "clip"
        case .file: "file"
        case .email: "email"
        case .qr: "qr"
        case .age(let keys): "age:" + keys.joined(separator: ",")
        }
    }
}
