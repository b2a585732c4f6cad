// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TerminalText
internal import VaultCore
internal import VaultFormat

/// Attachments and private notes, as the client wants them told.
extension Answer {
    /// A note's shortest name.
    func name(_ note: NoteID) -> String { String(note.text.prefix(6)) }

    /// What was done with a note's password. Its title is not told: it may just have become secret.
    func secured(_ note: NoteID, _ word: String) {
        if presentation.json { return json(.answer([("note", .string(note.text)), ("done", .string(word))])) }
        output(presentation.isTerminal ? "\(word)  \(name(note))\n" : note.text + "\n")
    }

    func attachments(_ all: [Attachment]) {
        if presentation.json { return json(.answer([("attachments", .array(all.map { .attachment($0) }))])) }
        for (number, attachment) in all.enumerated() {
            output((presentation.isTerminal ? row(attachment, number: number + 1) : tabbed(attachment)) + "\n")
        }
    }

    func attached(_ added: [Attachment], to note: String) {
        if presentation.json { return json(.answer([("note", .string(note)), ("attachments", .array(added.map { .attachment($0) }))])) }
        for attachment in added { output(presentation.isTerminal ? "attached  \(line(attachment))\n" : attachment.name + "\n") }
        guard let first = added.first else { return }
        if added.contains(where: { $0.details.isStripped }) {
            connection.talk("vault: note: location and camera data were removed; --keep-metadata keeps them")
        }
        hint("![\(SafeText.singleLine(first.details.caption))](att:\(SafeText.singleLine(first.name))) shows it in the text")
    }

    func detached(_ gone: [Attachment]) {
        if presentation.json { return json(.answer([("attachments", .array(gone.map { .attachment($0) }))])) }
        for attachment in gone { output(presentation.isTerminal ? "removed  \(SafeText.singleLine(attachment.name))\n" : attachment.name + "\n") }
        hint("vault undo brings it back, as long as the note's history has it")
    }

    func described(_ attachment: Attachment, _ word: String) {
        if presentation.json { return json(.answer([("attachments", .array([.attachment(attachment)]))])) }
        output(presentation.isTerminal ? "\(word)  \(line(attachment))\n" : attachment.name + "\n")
    }

    /// Below a note that is shown.
    func attachmentLines(_ all: [Attachment]) {
        output("\n")
        for (number, attachment) in all.enumerated() {
            var styled = StyledLine()
            styled.append(row(attachment, number: number + 1), .dim)
            connection.output(styled.encoded(color: presentation.color))
        }
    }

    /// One line in a list: number, name, kind, size, picture's size, caption.
    private func row(_ attachment: Attachment, number: Int) -> String { "\(number)  \(line(attachment))" }

    func line(_ attachment: Attachment) -> String {
        let details = attachment.details
        var parts = [SafeText.singleLine(details.name), details.kind.word, Quantity.bytes(Int(clamping: details.byteCount))]
        if details.width > 0 { parts.append("\(details.width)×\(details.height)") }
        if !details.caption.isEmpty { parts.append(SafeText.singleLine(details.caption)) }
        return parts.joined(separator: "  ")
    }

    private func tabbed(_ attachment: Attachment) -> String {
        let details = attachment.details
        let fields = [details.name, details.kind.word, String(details.byteCount), details.mediaType, details.caption, attachment.id.text]
        return fields.map(SafeText.singleLine).joined(separator: "\t")
    }
}

extension JSONText {
    static func attachment(_ attachment: Attachment) -> JSONText {
        let details = attachment.details
        return .object([
            ("id", .string(attachment.id.text)), ("name", .string(details.name)), ("kind", .string(details.kind.word)),
            ("mediaType", .string(details.mediaType)), ("byteCount", .int(Int64(clamping: details.byteCount))), ("created", .date(details.created)),
            ("caption", .string(details.caption)), ("width", .int(Int64(details.width))), ("height", .int(Int64(details.height))),
            ("stripped", .bool(details.isStripped)),
        ])
    }
}

extension AttachmentDetails.Kind {
    /// One word for people and scripts.
    var word: String {
        switch self {
        case .file: "file"
        case .photo: "photo"
        case .video: "video"
        case .audio: "audio"
        case .sketch: "sketch"
        }
    }
}
