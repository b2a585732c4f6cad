// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `MarkdownExport` writes notes as Markdown files: notebooks are folders, attachments lie in a folder beside their
/// note.
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

    /// Begins an export to a target.
    ///
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

/// `AttachmentFiles` finds names for the files of one note's attachments, in their order.
private struct AttachmentFiles {
    private(set) var names: [String] = []
    private(set) var renamedCount = 0

    init(_ attachments: [ExportedAttachment]) {
        var used = UsedNames()
        for attachment in attachments {
            let (stem, ending) = SafeName.split(attachment.name)
            let room = SafeName.byteCountMax - ending.utf8.count
            let name =
                used.claim(SafeName.clean(stem, byteCountMax: room, fallback: "attachment"), in: 0, endings: [ending])
                + ending
            if !name.utf8.elementsEqual(attachment.name.utf8) { renamedCount += 1 }
            names.append(name)
        }
    }
}

/// `NotebookFolders` finds the folders that notebooks become. Their number is that of the notebooks, not of the notes.
private struct NotebookFolders {
    struct Folder {
        /// For `UsedNames`: 0 is the export's own folder.
        let number: Int
        let path: [String]
    }

    /// Deeper notebooks lie in one folder with their names joined: paths have an end on every system.
    static let depthMax = 24

    private var known: [[UInt8]: Folder] = [:]
    private var recent: (notebook: [UInt8], folder: Folder)?
    private let root: Folder
    private(set) var renamedCount = 0

    /// Begins with the folder that all of the export lies in.
    ///
    /// - Parameter root: parts of the path that all of the export lies in.
    init(root: [String] = []) { self.root = Folder(number: 0, path: root) }

    /// Finds the folder of a notebook.
    ///
    /// - Parameter make: is called for each new folder, its parents first.
    mutating func folder(of notebook: String, _ names: inout UsedNames, make: ([String]) throws -> Void) throws
        -> Folder
    {
        if notebook.isEmpty { return root }
        let key = Array(notebook.utf8)
        if let recent, recent.notebook == key { return recent.folder }
        var folder = root
        var parts = notebook.split(separator: "/").map(String.init)
        if parts.count > Self.depthMax {
            parts = parts[..<(Self.depthMax - 1)] + [parts[(Self.depthMax - 1)...].joined(separator: "_")]
        }
        var above: [UInt8] = []
        for part in parts {
            above += [UInt8(ascii: "/")] + part.utf8
            folder = try self.folder(part, key: above, in: folder, &names, make: make)
        }
        recent = (key, folder)
        return folder
    }

    private mutating func folder(
        _ name: String, key: [UInt8], in parent: Folder, _ names: inout UsedNames, make: ([String]) throws -> Void
    ) throws -> Folder {
        if let folder = known[key] { return folder }
        var clean = SafeName.clean(name, fallback: "Notebook")
        // Such a folder is a note's attachments to a program that reads the export.
        if clean.lowercased().hasSuffix(".files") {
            clean = SafeName.cut(clean, byteCountMax: SafeName.byteCountMax - 1) + "_"
        }
        let safe = names.claim(clean, in: parent.number, endings: [""])
        if !safe.utf8.elementsEqual(name.utf8) { renamedCount += 1 }
        let folder = Folder(number: known.count + 1, path: parent.path + [safe])
        try make(folder.path)
        known[key] = folder
        return folder
    }
}
