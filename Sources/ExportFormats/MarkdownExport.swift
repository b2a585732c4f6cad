// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Notes as Markdown files: notebooks are folders, attachments lie in a folder beside their note.
///
/// `Work/Plan.md` has its attachments in `Work/Plan.files/`, and its text refers to them there; those that it does not
/// mention are listed in the front matter. Links `[[Title]]` stay: Obsidian follows
/// them. The text is otherwise as it is, after front matter.
public final class MarkdownExport: NoteExport {
    private let target: any ExportTarget
    private let content: AttachmentContent
    private var losses = LossCounter()
    private var names = UsedNames()
    private var folders = NotebookFolders()

    /// - Parameters:
    ///   - target: new and empty.
    ///   - content: gives the bytes of an attachment.
    public init(to target: any ExportTarget, content: @escaping AttachmentContent) {
        self.target = target
        self.content = content
    }

    public func leaveOut(privateNotes count: Int) { losses.add(.privateNotes, count) }

    public func add(_ note: ExportedNote) throws {
        try Identifier.check(note)
        countLosses(of: note)
        let folder = try folders.folder(of: note.notebook, &names) { try target.addFolder($0, modified: note.modified) }
        let endings = note.attachments.isEmpty ? [".md"] : [".md", ".files"]
        // Room for the longer ending, whether it is needed or not: the name does not change with the first attachment.
        let title = SafeName.clean(
            note.title, byteCountMax: SafeName.byteCountMax - ".files".utf8.count, fallback: "Untitled")
        let stem = names.claim(title, in: folder.number, endings: endings)
        let files = AttachmentFiles(note.attachments)
        losses.add(.renamedAttachments, files.renamedCount)
        let encoded = note.attachments.isEmpty ? [] : PercentText.path(stem + ".files/")
        var (order, seen): ([Int], Set<Int>) = ([], [])
        let text = AttachmentReferences(note.attachments).rewrite(note.body) { place, _ in
            if seen.insert(place).inserted { order.append(place) }
            return encoded + PercentText.path(files.names[place])
        }
        // What the text does not mention would be nobody's to every other program; with all of them listed they keep
        // their order too.
        let listed = order == Array(note.attachments.indices) ? [] : files.names.map { stem + ".files/" + $0 }
        try target.addFile(
            folder.path + [stem + ".md"], modified: note.modified,
            bytes: FrontMatter.bytes(of: note, listing: listed) + text.bytes)
        try addAttachments(of: note, as: files.names, in: folder.path + [stem + ".files"])
    }

    public func finish() throws -> [ExportLoss] {
        try target.finish()
        losses.add(.renamedNotebooks, folders.renamedCount)
        return losses.list
    }

    private func addAttachments(of note: ExportedNote, as names: [String], in folder: [String]) throws {
        guard !note.attachments.isEmpty else { return }
        try target.addFolder(folder, modified: note.modified)
        for (attachment, name) in zip(note.attachments, names) {
            try target.addFile(folder + [name], byteCount: attachment.byteCount, modified: attachment.created) { sink in
                try content(attachment.id, sink)
            }
        }
    }

    private func countLosses(of note: ExportedNote) {
        losses.addCommon(note)
        losses.add(.captions, note.attachments.count { !$0.caption.isEmpty })
        losses.add(.attachmentDetails, note.attachments.count)
    }
}
