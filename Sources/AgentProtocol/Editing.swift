// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Requests of an editor's session, and about the drafts that such sessions left. Spec: docs/agent-protocol.md §4.
public enum Editing: Sendable, Equatable {
    /// Begins an edit on this connection; answered with an `editText` frame, then `end`. `folder` is where the editor's file will lie.
    case begin(EditTarget, folder: String)
    /// The editor saved: the text is durable when this is answered. Bytes as the file has them.
    case journal(text: [UInt8])
    /// The editor has ended with this text.
    case commit(text: [UInt8])
    /// The editor was left without saving.
    case cancel(EditLeaving)
    /// Adds to the note of a day without an editor.
    case appendDaily(DailyNote, text: String)
    case list(withDiscarded: Bool)
    case show(ref: String)
    case discard(refs: [String])
    /// A draft's text becomes its note, or a new one, without an editor.
    case save(ref: String)
}

/// What becomes of a draft whose editor was left without saving.
public enum EditLeaving: UInt8, Sendable {
    /// It is thrown away, and kept for a day.
    case discard = 1
    /// Nobody wrote anything that is to be kept: it goes at once.
    case forget
    /// It was there before, and stays.
    case keep
}

/// Where the text that an editor is given comes from.
public enum EditOrigin: UInt8, Sendable {
    /// A note as it is, or both of its versions: as long as that is the text, there is nothing to save.
    case note = 1
    /// What a new note begins with.
    case new
    /// A draft, which no note has yet.
    case draft
}

/// What is to be edited.
public enum EditTarget: Sendable, Equatable {
    case note(ref: String)
    case new(NewNote)
    /// A template by its name; made when there is none.
    case template(name: String)
    case daily(DailyNote)
    /// Goes on with a draft.
    case draft(ref: String)
    /// Joins the heads of a note; ends at once, without an `editText` frame, when they fit together.
    case heads(ref: String)
}

/// The note of a day.
public struct DailyNote: Sendable, Equatable {
    /// "2026-11-21", "today", "yesterday", "tomorrow"; empty for today.
    public var date = ""
    public var notebook = "Daily"
    /// What a new one begins with, if there is such a template.
    public var template = "daily"
    public init() {}
}

/// What an editor is given.
public struct EditText: Sendable, Equatable {
    public var draft: [UInt8]
    /// What the note is called, for the file's name and messages.
    public var title: String
    public var text: [UInt8]
    /// How many attachments hang on the note: emptying its text would throw them away with it.
    public var attachmentCount: UInt32 = 0
    public var origin: EditOrigin

    public init(draft: [UInt8], title: String, text: [UInt8], origin: EditOrigin) {
        self.origin = origin
        self.draft = draft
        self.title = title
        self.text = text
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 64 + text.count)
        writer.raw(draft)
        writer.text(title)
        writer.lengthPrefixed(text)
        writer.u32(attachmentCount)
        writer.u8(origin.rawValue)
        return writer.bytes
    }

    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        draft = try reader.bytes(DraftID.byteCount)
        title = try reader.text(max: 8192)
        text = try reader.lengthPrefixed(max: Frame.noteByteCountMax)
        attachmentCount = try reader.u32()
        guard let origin = EditOrigin(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        self.origin = origin
        try reader.end()
    }
}

extension Editing {
    private enum Operation: UInt8 { case begin = 1, journal, commit, cancel, appendDaily, list, show, discard, save }

    func encode(to writer: inout ByteWriter) {
        func begin(_ operation: Operation) { writer.u8(operation.rawValue) }
        switch self {
        case .begin(let target, let folder):
            begin(.begin)
            target.encode(to: &writer)
            writer.text(folder)
        case .journal(let text):
            begin(.journal)
            writer.lengthPrefixed(text)
        case .commit(let text):
            begin(.commit)
            writer.lengthPrefixed(text)
        case .cancel(let leaving):
            begin(.cancel)
            writer.u8(leaving.rawValue)
        case .appendDaily(let day, let text):
            begin(.appendDaily)
            day.encode(to: &writer)
            writer.text(text)
        case .list(let withDiscarded):
            begin(.list)
            writer.flag(withDiscarded)
        case .show(let ref):
            begin(.show)
            writer.text(ref)
        case .discard(let refs):
            begin(.discard)
            writer.texts(refs)
        case .save(let ref):
            begin(.save)
            writer.text(ref)
        }
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        guard let operation = Operation(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        let textMax = Frame.noteByteCountMax
        self =
            switch operation {
            case .begin: .begin(try EditTarget(from: &reader), folder: try reader.text(max: 4096))
            case .journal: .journal(text: try reader.lengthPrefixed(max: textMax))
            case .commit: .commit(text: try reader.lengthPrefixed(max: textMax))
            case .cancel: .cancel(try EditLeaving(from: &reader))
            case .appendDaily: .appendDaily(try DailyNote(from: &reader), text: try reader.text(max: textMax))
            case .list: .list(withDiscarded: try reader.flag())
            case .show: .show(ref: try reader.text(max: Request.refMax))
            case .discard: .discard(refs: try reader.texts())
            case .save: .save(ref: try reader.text(max: Request.refMax))
            }
    }
}

extension EditLeaving {
    init(from reader: inout ByteReader) throws(FormatError) {
        guard let leaving = EditLeaving(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        self = leaving
    }
}
