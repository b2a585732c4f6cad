// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `JSONExport` writes notes as one JSON document, with all of their fields, history and attachments in it.
///
/// Spec: docs/export-json.md.
public final class JSONExport: NoteExport {
    private let document: JSONDocument
    private let content: AttachmentContent
    private var losses = LossCounter()
    private var privateNoteCount = 0

    /// Begins a document.
    ///
    /// - Parameters:
    ///   - sink: takes the document.
    ///   - content: gives the bytes of an attachment; they are written as base64, whatever their size.
    public init(to sink: @escaping ByteSink, content: @escaping AttachmentContent) throws {
        document = try JSONDocument(part: 1, sink)
        self.content = content
    }

    public func leaveOut(privateNotes count: Int) { privateNoteCount += max(0, count) }

    public func add(_ note: ExportedNote) throws {
        try Identifier.check(note)
        losses.addDates(note)
        losses.add(.history, note.revisionCount - note.revisions.count)
        try document.open(note)
        for (place, attachment) in note.attachments.enumerated() {
            try document.add(attachment, isFirst: place == 0, content: content)
        }
        try document.closeNote()
    }

    public func finish() throws -> [ExportLoss] {
        try document.close(totalNoteCount: document.noteCount, privateNotesLeftOut: privateNoteCount)
        losses.add(.privateNotes, privateNoteCount)
        return losses.list
    }
}

/// `JSONDocument` is one JSON document with notes in it, written as a stream.
///
/// Spec: docs/export-json.md §2.
final class JSONDocument {
    static let schema = 1

    let output: ByteOutput
    private(set) var noteCount = 0

    /// Begins a document and writes its head.
    ///
    /// - Parameter part: from 1.
    init(part: Int, _ sink: @escaping ByteSink) throws {
        output = ByteOutput(sink)
        try output.write("{\"format\":\"vault-export\",\"schema\":\(Self.schema),\"part\":\(part),\"notes\":[\n")
    }

    /// Begins a note; its attachments follow.
    func open(_ note: ExportedNote) throws {
        if noteCount > 0 { try output.write(",\n") }
        noteCount += 1
        try output.write(JSONNote.head(of: note))
    }

    func closeNote() throws { try output.write("]}") }

    /// Adds an attachment whose content lies beside the document.
    func add(_ attachment: ExportedAttachment, file: String, isFirst: Bool) throws {
        if !isFirst { try output.write(",") }
        try output.write(JSONNote.head(of: attachment, file: file))
    }

    /// Adds an attachment with its content.
    func add(_ attachment: ExportedAttachment, isFirst: Bool, content: AttachmentContent) throws {
        if !isFirst { try output.write(",") }
        try output.write(JSONNote.head(of: attachment, file: nil))
        var counter = ContentCounter(byteCount: attachment.byteCount)
        var text = Base64Text()
        try content(attachment.id) { piece in
            try counter.take(piece.count)
            try text.add(piece, to: output)
        }
        try counter.end()
        try text.end(to: output)
        try output.write("\"}")
    }

    /// Ends a part that others follow.
    func close() throws {
        try output.write("\n],\"noteCount\":\(noteCount),\"last\":false}\n")
        try output.flush()
    }

    /// Ends the only part, or the last one: without its counts an export is not whole.
    func close(totalNoteCount: Int, privateNotesLeftOut: Int) throws {
        try output.write("\n],\"noteCount\":\(noteCount),\"last\":true,\"totalNoteCount\":\(totalNoteCount),")
        try output.write("\"privateNotesLeftOut\":\(privateNotesLeftOut)}\n")
        try output.flush()
    }
}
