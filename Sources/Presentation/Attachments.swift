// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import TerminalText
internal import VaultFormat

extension ListAttachments: Presented {
    public func present(_ reply: AttachmentList, on page: inout Page) {
        if page.style.json { return page.json(.answer([page.list(reply)])) }
        for (number, attachment) in reply.attachments.enumerated() {
            if page.style.isTerminal {
                page.output("\(number + 1)  \(Page.line(attachment))\n")
            } else {
                page.tabbed([
                    attachment.name, attachment.kind.word, String(attachment.byteCount), attachment.mediaType,
                    attachment.caption, attachment.id,
                ])
            }
        }
    }
}

extension CommitAttachments: Presented {
    public func present(_ reply: AttachmentList, on page: inout Page) {
        if page.style.json { return page.json(.answer([("note", .string(reply.note)), page.list(reply)])) }
        for attachment in reply.attachments {
            page.output(page.style.isTerminal ? "attached  \(Page.line(attachment))\n" : attachment.name + "\n")
        }
        guard let first = reply.attachments.first else { return }
        if reply.attachments.contains(where: \.isStripped) {
            page.talk("vault: note: photos are stored without location and camera data; --keep-metadata keeps it")
        }
        page.hint(
            "![\(SafeText.singleLine(first.caption))](att:\(SafeText.singleLine(first.name))) shows it in the text")
    }
}

extension RemoveAttachments: Presented {
    public func present(_ reply: AttachmentList, on page: inout Page) {
        if page.style.json { return page.json(.answer([page.list(reply)])) }
        for attachment in reply.attachments {
            page.output(
                page.style.isTerminal ? "removed  \(SafeText.singleLine(attachment.name))\n" : attachment.name + "\n")
        }
        page.hint("vault undo brings it back, as long as the note's history has it")
    }
}

extension RenameAttachment: Presented {
    public func present(_ reply: AttachmentList, on page: inout Page) { page.described(reply, "renamed") }
}

extension CaptionAttachment: Presented {
    public func present(_ reply: AttachmentList, on page: inout Page) { page.described(reply, "saved") }
}

extension ShowAttached: Presented {
    /// Presents it as `CreateNote` does.
    public func present(_ reply: AttachedNote, on page: inout Page) {
        if page.style.json {
            return page.json(.answerOfNotes([("notes", .array([.note(reply.note, attachments: reply.attachments)]))]))
        }
        page.changed([reply.note], "saved")
        if page.style.isTerminal {
            for attachment in reply.attachments { page.output("attached  \(Page.line(attachment))\n") }
        }
    }
}

extension PutAttachment: Presented {}
extension DropAttachments: Presented {}
extension GetAttachment: Presented {}
extension ShowThumbnail: Presented {}
extension DescribeAttachment: Presented {}

extension Page {
    fileprivate func list(_ reply: AttachmentList) -> (key: String, value: JSONText) {
        ("attachments", .array(reply.attachments.map { .attachment($0) }))
    }

    fileprivate mutating func described(_ reply: AttachmentList, _ word: String) {
        if style.json { return json(.answer([list(reply)])) }
        for attachment in reply.attachments {
            output(style.isTerminal ? "\(word)  \(Self.line(attachment))\n" : attachment.name + "\n")
        }
    }

    /// Writes the lines of the attachments below a note that is shown.
    mutating func attachmentLines(_ all: [AttachmentRow]) {
        output("\n")
        for (number, attachment) in all.enumerated() {
            var styled = StyledLine()
            styled.append("\(number + 1)  \(Self.line(attachment))", .dim)
            output(styled)
        }
    }

    /// Returns name, kind, size, picture's size, caption.
    static func line(_ attachment: AttachmentRow) -> String {
        var parts = [SafeText.singleLine(attachment.name), attachment.kind.word, Quantity.bytes(attachment.byteCount)]
        if attachment.width > 0 { parts.append("\(attachment.width)×\(attachment.height)") }
        if !attachment.caption.isEmpty { parts.append(SafeText.singleLine(attachment.caption)) }
        return parts.joined(separator: "  ")
    }
}
