// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `JSONFilesExport` writes notes as JSON documents of a few megabytes each, `notes-000001.json` and so on, with larger
/// attachments as files beside them.
///
/// In a tar archive a file's size precedes it, so a document is held in memory until it is complete; hence
/// several.
///
/// Spec: docs/export-json.md.
public final class JSONFilesExport: NoteExport {
    /// Size of a document in bytes: it ends after the note that makes it this large.
    static let partByteCount = 4 << 20
    /// Attachments up to this size stand in the document, as long as all of a note's are not more than a part, in
    /// bytes.
    static let inlineByteCountMax: UInt64 = 64 << 10

    /// `Part` is the document that is being written.
    private final class Part {
        var bytes: [UInt8] = []
    }

    private let target: any ExportTarget
    private let content: AttachmentContent
    private var part = Part()
    private var document: JSONDocument
    private var partNumber = 1
    private var totalNoteCount = 0
    private var privateNoteCount = 0
    private var folders: Set<String> = []
    private var modified: Int64 = 0
    private var losses = LossCounter()

    public init(to target: any ExportTarget, content: @escaping AttachmentContent) throws {
        self.target = target
        self.content = content
        document = try Self.document(1, into: part)
    }

    public func leaveOut(privateNotes count: Int) { privateNoteCount += max(0, count) }

    public func add(_ note: ExportedNote) throws {
        try Identifier.check(note)
        losses.addDates(note)
        losses.add(.history, note.revisionCount - note.revisions.count)
        if part.bytes.count >= Self.partByteCount { try nextPart() }
        modified = max(modified, note.modified)
        totalNoteCount += 1
        try document.open(note)
        var inlineByteCount: UInt64 = 0
        for (place, attachment) in note.attachments.enumerated() {
            if attachment.byteCount <= Self.inlineByteCountMax, inlineByteCount < UInt64(Self.partByteCount) {
                inlineByteCount += attachment.byteCount
                try document.add(attachment, isFirst: place == 0, content: content)
            } else {
                try document.add(attachment, file: try addFile(attachment), isFirst: place == 0)
            }
        }
        try document.closeNote()
        try document.output.flush()
    }

    public func finish() throws -> [ExportLoss] {
        try document.close(totalNoteCount: totalNoteCount, privateNotesLeftOut: privateNoteCount)
        try addPart()
        try target.finish()
        losses.add(.privateNotes, privateNoteCount)
        return losses.list
    }

    /// Adds the file `attachments/ab/<id>.png`: the identifier is random, so its first two characters spread the files
    /// over folders.
    private func addFile(_ attachment: ExportedAttachment) throws -> String {
        let folder = ["attachments", String(attachment.id.prefix(2))]
        if folders.isEmpty { try target.addFolder(["attachments"], modified: attachment.created) }
        if folders.insert(folder[1]).inserted { try target.addFolder(folder, modified: attachment.created) }
        let path = folder + [attachment.id + SafeName.split(attachment.name).ending]
        try target.addFile(path, byteCount: attachment.byteCount, modified: attachment.created) { sink in
            try content(attachment.id, sink)
        }
        return path.joined(separator: "/")
    }

    private func nextPart() throws {
        try document.close()
        try addPart()
        partNumber += 1
        part = Part()
        document = try Self.document(partNumber, into: part)
    }

    private func addPart() throws {
        let digits = String(partNumber)
        let name = "notes-" + String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits + ".json"
        try target.addFile([name], modified: modified, bytes: part.bytes)
    }

    private static func document(_ number: Int, into part: Part) throws -> JSONDocument {
        try JSONDocument(part: number) { piece in part.bytes.append(piece) }
    }
}
