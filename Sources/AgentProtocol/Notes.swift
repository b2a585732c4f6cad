// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// `NewNote` holds what a new note begins with.
public struct NewNote: Sendable, Equatable {
    /// The tag of notes whose text lists and searches do not begin to show.
    public static let secretTag = "secret"

    public var text: String
    public var title: String?
    public var tags: [String] = []
    public var notebook = ""
    /// A template that it begins with.
    public var template: String?
    /// It gets a password of its own, which is the secret.
    public var isPrivate = false
    /// Whether a private note's title is told while it is locked.
    public var showsTitle = false
    /// The book that it stands in, and the title of its chapter there, which is added if it is not there.
    public var book: String?
    public var chapter: String?
    /// The day on which it was made, as `DailyNote` names one; empty for now. Of an edit it means nothing.
    public var date = ""
    public init(text: String) { self.text = text }

    mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&text, max: Frame.noteByteCountMax)
        try fields.optionalText(&title, max: 4096)
        try fields.references(&tags)
        try fields.reference(&notebook)
        try fields.optionalText(&template, max: 4096)
        try fields.flag(&isPrivate)
        try fields.flag(&showsTitle)
        try fields.optionalText(&book, max: 4096)
        try fields.optionalText(&chapter, max: 4096)
        try fields.text(&date, max: 64)
    }
}

/// Saves a new note.
public struct CreateNote: Operation {
    public static let id: UInt8 = 0x10
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedNotes
    public var note: NewNote = NewNote(text: "")
    public init() {}

    public init(_ note: NewNote) { self.note = note }

    public var needsSecret: Bool { note.isPrivate }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try note.code(&fields)
    }
}

/// Adds a text to a note, on a line of its own.
public struct AppendText: Operation {
    public static let id: UInt8 = 0x11
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedNotes
    public var ref = ""
    public var text = ""
    /// It comes before the rest; a first line that is the title stays the first.
    public var isFirst = false
    public init() {}

    public init(ref: String, text: String, isFirst: Bool = false) {
        (self.ref, self.text, self.isFirst) = (ref, text, isFirst)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.text(&text, max: Frame.noteByteCountMax)
        try fields.flag(&isFirst)
    }
}

/// Ticks a task of a note, `- [ ] …`.
public struct TickTask: Operation {
    public static let id: UInt8 = 0x1B
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedNotes
    public var ref = ""
    /// Which of its tasks, from 1, as `TaskLines` counts them; 0 for the first one that is open.
    public var number: UInt32 = 0
    public init() {}

    public init(ref: String, number: UInt32) { (self.ref, self.number) = (ref, number) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.u32(&number)
    }
}

/// Gives a note another text.
public struct ReplaceText: Operation {
    public static let id: UInt8 = 0x12
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedNotes
    public var ref = ""
    public var text = ""
    public init() {}

    public init(ref: String, text: String) {
        (self.ref, self.text) = (ref, text)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.text(&text, max: Frame.noteByteCountMax)
    }
}

/// Notes with their titles and facts, and pictures where they are wanted.
public struct ShowNotes: Operation {
    public static let id: UInt8 = 0x13
    public static let traits: OperationTraits = [.paged]
    public typealias Reply = ShownNote
    public var refs: [String] = []
    public var raw = false
    /// Whether more than texts is wanted: attachments, snippets and shortest identifiers, which take time to find.
    public var withDetails = false
    public init() {}

    public init(refs: [String], raw: Bool, withDetails: Bool) {
        (self.refs, self.raw, self.withDetails) = (refs, raw, withDetails)
    }

    public var isPaged: Bool { !raw }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.notes(&refs)
        try fields.flag(&raw)
        try fields.flag(&withDetails)
    }
}

/// Notes whose texts alone are wanted, byte for byte.
public struct CatNotes: Operation {
    public static let id: UInt8 = 0x14
    public static let traits: OperationTraits = []
    public typealias Reply = ShownNote
    public var refs: [String] = []
    /// As `ShowNotes` has it.
    public var withDetails = false
    public init() {}

    public init(refs: [String], withDetails: Bool) {
        (self.refs, self.withDetails) = (refs, withDetails)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.notes(&refs)
        try fields.flag(&withDetails)
    }
}

/// Moves notes to the trash.
public struct TrashNotes: Operation {
    public static let id: UInt8 = 0x15
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedNotes
    public var refs: [String] = []
    /// The words name templates, and no other notes.
    public var templates = false
    public init() {}

    public init(refs: [String], templates: Bool = false) {
        (self.refs, self.templates) = (refs, templates)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.notes(&refs)
        try fields.flag(&templates)
    }
}

/// Brings notes back from the trash.
public struct RestoreNotes: Operation {
    public static let id: UInt8 = 0x16
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedNotes
    public var refs: [String] = []
    public init() {}

    public init(refs: [String]) {
        self.refs = refs
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.notes(&refs)
    }
}

/// Deletes the notes in the trash permanently.
public struct EmptyTrash: Operation {
    public static let id: UInt8 = 0x17
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = EmptiedTrash
    public init() {}
}

/// How many notes an operation deleted.
public struct EmptiedTrash: ReplyValue {
    public var count = 0
    public init() {}
    public init(count: Int) { self.count = count }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.count(&count) }
}
