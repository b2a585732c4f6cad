// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import TerminalText
internal import VaultFormat

extension CreateNote: Presented {
    public func present(_ reply: ChangedNotes, on page: inout Page) { page.changed(reply, "saved") }
}

extension AppendText: Presented {
    public func present(_ reply: ChangedNotes, on page: inout Page) { page.changed(reply, "saved") }
}

extension TickTask: Presented {
    public func present(_ reply: ChangedNotes, on page: inout Page) { page.changed(reply, "done") }
}

extension ReplaceText: Presented {
    public func present(_ reply: ChangedNotes, on page: inout Page) { page.changed(reply, "saved") }
}

extension TrashNotes: Presented {
    public func present(_ reply: ChangedNotes, on page: inout Page) {
        page.changed(reply, "moved to the trash")
        guard reply.isLast else { return }
        let names = reply.notes.map(\.shortID).joined(separator: " ")
        page.hint(
            "vault undo, or vault restore " + (reply.count == reply.notes.count && reply.count <= 5 ? names : "ID…"))
    }
}

extension RestoreNotes: Presented {
    public func present(_ reply: ChangedNotes, on page: inout Page) { page.changed(reply, "restored") }
}

extension EmptyTrash: Presented {
    public func present(_ reply: EmptiedTrash, on page: inout Page) {
        if page.style.json { return page.json(.answer([("removed", .count(reply.count))])) }
        page.talk("\(Quantity.notes(shown: reply.count, total: reply.count)) permanently deleted")
    }
}

extension ShowNotes: Presented {
    public func present(_ reply: ShownNote, on page: inout Page) {
        if page.style.json {
            return page.elements([.note(reply)], isFirst: reply.isFirst, end: reply.isLast ? "]}\n" : nil)
        }
        if page.style.isTerminal && !raw { page.show(reply) } else { page.output(ShowRenderer.raw(body: reply.body)) }
        if !reply.attachments.isEmpty { page.attachmentLines(reply.attachments) }
    }
}

extension CatNotes: Presented {
    /// Presents a text alone: byte for byte, but harmless on a terminal.
    public func present(_ reply: ShownNote, on page: inout Page) {
        if page.style.json {
            return page.elements([.note(reply)], isFirst: reply.isFirst, end: reply.isLast ? "]}\n" : nil)
        }
        let bytes = Array(reply.body.utf8)
        page.output(page.style.isTerminal ? SafeText.safe(bytes, .multiline) : bytes)
    }
}

extension ModifyNotes: Presented {
    public func present(_ reply: ChangedNotes, on page: inout Page) {
        let word =
            switch change {
            case .title: "titled"
            case .tag: "tagged"
            case .untag: "untagged"
            case .notebook: "moved"
            case .date: "dated"
            case .flag(let flag, let isSet): flag.change(isSet: isSet)
            }
        page.changed(reply, word)
    }
}

extension DuplicateNote: Presented {
    public func present(_ reply: ChangedNotes, on page: inout Page) { page.changed(reply, "copied") }
}

extension MergeNotes: Presented {
    public func present(_ reply: ChangedNotes, on page: inout Page) {
        page.changed(reply, "merged")
        page.hint("vault undo takes it back")
    }
}

extension RevertNote: Presented {
    public func present(_ reply: ChangedNotes, on page: inout Page) {
        page.changed(reply, "reverted")
        page.hint("vault undo takes it back")
    }
}

extension AppendDaily: Presented {
    public func present(_ reply: ChangedNotes, on page: inout Page) { page.changed(reply, "saved") }
}

extension RenameTag: Presented {
    public func present(_ reply: ChangedNotes, on page: inout Page) { page.counted(reply) }
}

extension RenameNotebook: Presented {
    public func present(_ reply: ChangedNotes, on page: inout Page) { page.counted(reply) }
}

extension RemoveNotebook: Presented {
    public func present(_ reply: ChangedNotes, on page: inout Page) { page.counted(reply) }
}

extension Page {
    /// Presents notes that were changed, one by one: for a script their identifiers.
    mutating func changed(_ reply: ChangedNotes, _ word: String) {
        if style.json { return notes(reply.notes, isFirst: reply.isFirst, end: reply.isLast ? "]}\n" : nil) }
        changed(reply.notes, word)
    }

    mutating func changed(_ notes: [NoteRow], _ word: String) {
        for note in notes {
            let title = note.title.isEmpty && note.isLocked ? RenderedNote.privateNote : note.title
            output(style.isTerminal ? "\(word)  \(note.shortID)  \(SafeText.singleLine(title))\n" : note.id + "\n")
        }
    }

    /// Presents notes that a command changed without naming them.
    fileprivate mutating func counted(_ reply: ChangedNotes) {
        if style.json { return json(.answer([("changed", .count(reply.count))])) }
        output("changed \(Quantity.notes(shown: reply.count, total: reply.count))\n")
    }

    fileprivate mutating func show(_ shown: ShownNote) {
        if !shown.isFirst { output("\n") }
        var rendered = RenderedNote(shown.note)
        rendered.shortID += shown.number.map { "@\($0)" } ?? ""
        (rendered.hasAttachments, rendered.hasSketches) = (false, false)
        var renderer = ShowRenderer(color: style.color, hyperlinks: style.hyperlinks, clock: clock)
        if let reads = style.reads {
            let columns = style.columns
            renderer.reads = { text in reads(text, columns) }
        }
        output(renderer.text(rendered, titleIsSet: shown.titleIsSet, body: shown.body))
    }
}
