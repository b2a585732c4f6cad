// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Notes as one JSON document, with all of their fields, history and attachments in it.
///
/// Spec: docs/export-json.md.
public final class JSONExport: NoteExport {
    private let document: JSONDocument
    private let content: AttachmentContent
    private var losses = LossCounter()
    private var privateNoteCount = 0

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
