// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `TextExport` writes all notes in one text, one after another: for reading, printing and searching.
///
/// Each note has a line of "=", its title, a few lines "name: value", a line of "-", its text as it is, and an empty
/// line.
public final class TextExport: NoteExport {
    private static let lineByteCount = 72

    private let output: ByteOutput
    private var losses = LossCounter()

    public init(to sink: @escaping ByteSink) { output = ByteOutput(sink) }

    public func leaveOut(privateNotes count: Int) { losses.add(.privateNotes, count) }

    public func add(_ note: ExportedNote) throws {
        try Identifier.check(note)
        losses.addCommon(note)
        losses.add(.attachmentContents, note.attachments.count)
        losses.add(.sources, note.source == nil ? 0 : 1)
        try output.write(String(repeating: "=", count: Self.lineByteCount) + "\n")
        try output.write((note.title.isEmpty ? "Untitled" : OneLine.text(note.title)) + "\n")
        for (name, value) in facts(of: note) where !value.isEmpty {
            try output.write("\(name): \(OneLine.text(value))\n")
        }
        try output.write(String(repeating: "-", count: Self.lineByteCount) + "\n")
        try output.write(note.body)
        try output.write(note.body.isEmpty || note.body.utf8.last == UInt8(ascii: "\n") ? "\n" : "\n\n")
    }

    public func finish() throws -> [ExportLoss] {
        try output.flush()
        return losses.list
    }

    private func facts(of note: ExportedNote) -> [(String, String)] {
        let attachments = note.attachments.map { attachment in
            let caption = attachment.caption.isEmpty ? "" : " \"\(attachment.caption)\""
            return (
                "attachment", "\(attachment.name)\(caption), \(attachment.mediaType), \(attachment.byteCount) bytes"
            )
        }
        return [
            ("id", note.id), ("created", RFC3339.text(note.created)), ("updated", RFC3339.text(note.modified)),
            ("notebook", note.notebook),
            ("tags", note.tags.joined(separator: ", ")), ("flags", note.flagWords.joined(separator: ", ")),
        ] + attachments
    }
}

/// `OneLine` makes names and titles where one line is all there is.
enum OneLine {
    /// Returns a text as one line: control characters and all that ends a line become spaces; nothing can begin a line
    /// of its own.
    static func text(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        default: false
        }
    }
}
