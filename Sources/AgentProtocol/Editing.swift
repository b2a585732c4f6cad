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
    case cancel
    /// Adds to the note of a day without an editor.
    case appendDaily(DailyNote, text: String)
    case list(withDiscarded: Bool)
    case show(ref: String)
    case discard(refs: [String])
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

    public init(draft: [UInt8], title: String, text: [UInt8]) {
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
        return writer.bytes
    }

    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        draft = try reader.bytes(DraftID.byteCount)
        title = try reader.text(max: 8192)
        text = try reader.lengthPrefixed(max: Frame.noteByteCountMax)
        attachmentCount = try reader.u32()
        try reader.end()
    }
}

extension Editing {
    private enum Operation: UInt8 { case begin = 1, journal, commit, cancel, appendDaily, list, show, discard }

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
        case .cancel: begin(.cancel)
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
            case .cancel: .cancel
            case .appendDaily: .appendDaily(try DailyNote(from: &reader), text: try reader.text(max: textMax))
            case .list: .list(withDiscarded: try reader.flag())
            case .show: .show(ref: try reader.text(max: Request.refMax))
            case .discard: .discard(refs: try reader.texts())
            }
    }
}
