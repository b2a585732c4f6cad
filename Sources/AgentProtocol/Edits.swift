// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Begins an edit on this connection; answered with an `editText` frame, then `end`.
public struct BeginEdit: Operation {
    public static let id: UInt8 = 0x20
    public static let traits: OperationTraits = [.writes]
    public typealias Reply = EndedEdit
    public var target: EditTarget = .note(ref: "")
    /// Where the editor's file will be.
    public var folder = ""
    public init() {}

    public init(target: EditTarget, folder: String) {
        (self.target, self.folder) = (target, folder)
    }

    /// What the request may have done: nothing is written before the editor saves, but heads that fit together are
    /// joined at once.
    public var effect: RequestEffect {
        if case .heads = target { .change } else { .nothing }
    }

    public var needsSecret: Bool {
        if case .new(let note) = target { note.isPrivate } else { false }
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try target.code(&fields)
        try fields.text(&folder, max: 4096)
    }
}

/// The editor saved: the text is durable when this is answered. Bytes as the file has them.
public struct JournalEdit: Operation {
    public static let id: UInt8 = 0x21
    public static let traits: OperationTraits = [.changes]
    public var text: [UInt8] = []
    public init() {}

    public init(text: [UInt8]) {
        self.text = text
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.bytes(&text, max: Frame.noteByteCountMax)
    }
}

/// The editor has ended with this text.
public struct CommitEdit: Operation {
    public static let id: UInt8 = 0x22
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = EndedEdit
    public var text: [UInt8] = []
    public init() {}

    public init(text: [UInt8]) {
        self.text = text
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.bytes(&text, max: Frame.noteByteCountMax)
    }
}

/// The editor was left without saving. The note stays as it is, and its draft is there afterwards too, as recovered or
/// as discarded.
public struct CancelEdit: Operation {
    public static let id: UInt8 = 0x23
    public static let traits: OperationTraits = [.writes]
    public var leaving: EditLeaving = .discard
    public init() {}

    public init(leaving: EditLeaving) {
        self.leaving = leaving
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&leaving)
    }
}

/// Adds to the note of a day without an editor.
public struct AppendDaily: Operation {
    public static let id: UInt8 = 0x24
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedNotes
    public var day: DailyNote = DailyNote()
    public var text = ""
    public init() {}

    public init(day: DailyNote, text: String) {
        (self.day, self.text) = (day, text)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try day.code(&fields)
        try fields.text(&text, max: Frame.noteByteCountMax)
    }
}

/// `EditLeaving` says what becomes of a draft whose editor was left without saving.
public enum EditLeaving: UInt8, Sendable {
    /// It is thrown away, and kept for a day.
    case discard = 1
    /// Nothing worth keeping was written: it is deleted at once.
    case forget
    /// It existed before, and is kept.
    case keep
}

/// `EditTarget` says what is to be edited.
public enum EditTarget: Sendable, Equatable {
    case note(ref: String)
    case new(NewNote)
    /// A template by its name; made when there is none.
    case template(name: String)
    case daily(DailyNote)
    /// Continues a draft.
    case draft(ref: String)
    /// Joins the heads of a note; ends at once, without an `editText` frame, when they fit together.
    case heads(ref: String)

    private enum Kind: UInt8 { case note = 1, new, template, daily, draft, heads }

    private var kind: Kind {
        switch self {
        case .note: .note
        case .new: .new
        case .template: .template
        case .daily: .daily
        case .draft: .draft
        case .heads: .heads
        }
    }

    private var name: String {
        switch self {
        case .note(let ref), .template(let ref), .draft(let ref), .heads(let ref): ref
        case .new, .daily: ""
        }
    }

    mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        var kind = kind
        try fields.code(&kind)
        switch kind {
        case .new:
            var note = if case .new(let note) = self { note } else { NewNote(text: "") }
            try note.code(&fields)
            self = .new(note)
        case .daily:
            var day = if case .daily(let day) = self { day } else { DailyNote() }
            try day.code(&fields)
            self = .daily(day)
        case .note, .template, .draft, .heads:
            var name = name
            if kind == .note || kind == .heads { try fields.note(&name) } else { try fields.reference(&name) }
            self =
                switch kind {
                case .template: .template(name: name)
                case .draft: .draft(ref: name)
                case .heads: .heads(ref: name)
                case .note, .new, .daily: .note(ref: name)
                }
        }
    }
}

/// `DailyNote` names the note of a day.
public struct DailyNote: Sendable, Equatable {
    /// "2026-11-21", "today", "yesterday", "tomorrow"; empty for today.
    public var date = ""
    public var notebook = "Daily"
    /// What a new one begins with, if there is such a template.
    public var template = "daily"
    public init() {}

    mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&date, max: 64)
        try fields.reference(&notebook)
        try fields.reference(&template)
    }
}

/// What became of an edit.
public struct EndedEdit: ReplyValue {
    public enum Ending: UInt8, Sendable {
        /// The text is as it was.
        case unchanged = 1
        /// A new note without a text: none was made.
        case empty
        case created
        case saved
        /// The note was changed meanwhile, and both changes are in it.
        case merged
        /// The note was changed meanwhile at the same place: both versions are kept.
        case forked
        /// All text was deleted.
        case trashed
    }

    public var ending = Ending.unchanged
    /// The note; nil when none was changed.
    public var note: NoteRow?
    public init() {}
    public init(_ ending: Ending, _ note: NoteRow? = nil) { (self.ending, self.note) = (ending, note) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&ending)
        try fields.optional(&note, else: NoteRow()) { (fields, note) throws(FormatError) in try note.code(&fields) }
    }
}
