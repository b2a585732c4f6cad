// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import VaultFormat

// What `--json` answers. Documented in docs/cli.md; a field is added without a new number; one that changes its meaning
// or goes brings one.

extension JSONText {
    /// Returns a whole answer: the schema's number first.
    static func answer(_ fields: [(key: String, value: JSONText)]) -> JSONText {
        .object([("schema", .int(1))] + fields)
    }

    /// Returns the answer for a request of the page that failed.
    public static func failure(_ outcome: Outcome) -> JSONText {
        let candidates = outcome.candidates.map {
            JSONText.object([("id", .string($0.id)), ("title", .string($0.title))])
        }
        let error: [(key: String, value: JSONText)] = [
            ("code", .int(Int64(outcome.code.rawValue))), ("message", .string(outcome.message)),
            ("hint", .string(outcome.hint)), ("candidates", .array(candidates)),
        ]
        return .object([("error", .object(error))])
    }

    /// Of answers that hold notes. 2: `hasAttachments` says what `attachments` said in lists, and `attachments` is a
    /// list of objects.
    static let notesSchema: Int64 = 2

    static func answerOfNotes(_ fields: [(key: String, value: JSONText)]) -> JSONText {
        .object([("schema", .int(notesSchema))] + fields)
    }

    static func count(_ number: Int) -> JSONText { .int(Int64(number)) }
    static func count(_ number: UInt64) -> JSONText { .int(Int64(clamping: number)) }

    /// Returns a note as a JSON object.
    ///
    /// - Parameter attachments: nil where they are not told one by one.
    static func note(_ note: NoteRow, attachments: [AttachmentRow]? = nil) -> JSONText {
        let told = attachments.map { all in [("attachments", JSONText.array(all.map { .attachment($0) }))] } ?? []
        return .object(
            head(note) + [
                ("forked", .bool(note.isForked)), ("private", .bool(note.isPrivate)), ("locked", .bool(note.isLocked)),
                ("hasAttachments", .bool(note.hasAttachments)), ("hasSketches", .bool(note.hasSketches)),
                ("damaged", .bool(note.isDamaged)),
                ("state", .string(note.state.name)), ("snippet", .string(note.snippet)),
                ("byteCount", .count(note.byteCount)),
            ] + told)
    }

    static func note(_ shown: ShownNote) -> JSONText {
        let note = shown.note
        return .object(
            head(note) + [
                ("forked", .bool(note.isForked)), ("private", .bool(note.isPrivate)),
                ("hasAttachments", .bool(!shown.attachments.isEmpty)),
                ("hasSketches", .bool(shown.attachments.contains { $0.kind == .sketch })),
                ("attachments", .array(shown.attachments.map { .attachment($0) })),
                ("state", .string(note.state.name)), ("snippet", .string(note.snippet)), ("body", .string(shown.body)),
                ("byteCount", .count(note.byteCount)), ("book", shown.book.map { .spot($0) } ?? .null),
            ])
    }

    /// Returns what a list and a shown note say first.
    private static func head(_ note: NoteRow) -> [(key: String, value: JSONText)] {
        [
            ("id", .string(note.id)), ("shortID", .string(note.shortID)), ("revision", .string(note.revision)),
            ("title", .string(note.title)), ("created", .date(note.created)), ("updated", .date(note.modified)),
            ("notebook", .string(note.notebook)), ("tags", .array(note.tags.map { .string($0) })),
            ("trashed", .bool(note.place == .trash)), ("place", .string(note.place.name)),
        ] + NoteFlag.marks.map { ($0.name, .bool(note.marks.contains($0))) }
    }

    static func attachment(_ attachment: AttachmentRow) -> JSONText {
        .object([
            ("id", .string(attachment.id)), ("name", .string(attachment.name)), ("kind", .string(attachment.kind.word)),
            ("mediaType", .string(attachment.mediaType)), ("byteCount", .count(attachment.byteCount)),
            ("created", .date(attachment.created)),
            ("caption", .string(attachment.caption)), ("width", .int(Int64(attachment.width))),
            ("height", .int(Int64(attachment.height))),
            ("stripped", .bool(attachment.isStripped)),
        ])
    }
}

extension ListPlace {
    /// The name for it in JSON.
    var name: String {
        switch self {
        case .live: "live"
        case .trash: "trash"
        case .archive: "archive"
        case .template: "template"
        case .book: "book"
        }
    }
}
