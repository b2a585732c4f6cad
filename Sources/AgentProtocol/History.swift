// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// The revisions of a note, the newest first.
public struct ListHistory: Operation {
    public static let id: UInt8 = 0x88
    public static let traits: OperationTraits = [.paged]
    public typealias Reply = NoteHistory
    public var ref = ""
    public init() {}

    public init(ref: String) {
        self.ref = ref
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
    }
}

/// What changed between two revisions of a note.
public struct CompareRevisions: Operation {
    public static let id: UInt8 = 0x89
    public static let traits: OperationTraits = [.paged]
    public typealias Reply = ComparedRevisions
    public var ref = ""
    /// Nil for the one before the newest.
    public var from: String? = nil
    /// Nil for the newest.
    public var to: String? = nil
    /// Whether the difference is wanted word by word, not as a unified diff.
    public var byWord = false
    public init() {}

    public init(ref: String, from: String?, to: String?, byWord: Bool) {
        (self.ref, self.from, self.to, self.byWord) = (ref, from, to, byWord)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.optionalText(&from, max: 64)
        try fields.optionalText(&to, max: 64)
        try fields.flag(&byWord)
    }
}

/// Brings an earlier revision back as a new one.
public struct RevertNote: Operation {
    public static let id: UInt8 = 0x8A
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedNotes
    public var ref = ""
    public var revision = ""
    public init() {}

    public init(ref: String, revision: String) {
        (self.ref, self.revision) = (ref, revision)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.note(&ref)
        try fields.text(&revision, max: 64)
    }
}

/// Takes back the last commands, the newest first.
public struct UndoCommands: Operation {
    public static let id: UInt8 = 0x8B
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = UndoneChanges
    public var commandCount: UInt32 = 1
    public var consent: UndoConsent = .ask
    public init() {}

    public init(commandCount: UInt32, consent: UndoConsent) {
        (self.commandCount, self.consent) = (commandCount, consent)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.u32(&commandCount)
        try fields.code(&consent)
    }
}

/// Brings back what the last undo took back.
public struct RedoCommands: Operation {
    public static let id: UInt8 = 0x8C
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = UndoneChanges
    public var commandCount: UInt32 = 1
    public init() {}

    public init(commandCount: UInt32) {
        self.commandCount = commandCount
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.u32(&commandCount)
    }
}

/// Deletes old revisions, or says which would be deleted.
public struct ThinHistory: Operation {
    public static let id: UInt8 = 0x8D
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ThinnedHistory
    /// All revisions are kept for this time, in seconds.
    public var keepAllSeconds: UInt32 = 30 * 86400
    /// The last revision of each day is kept for this time, in seconds; after that, the last of each month.
    public var keepDailySeconds: UInt32 = 365 * 86400
    /// Whether it only says what would be deleted.
    public var dryRun = false
    public init() {}

    public var effect: RequestEffect { dryRun ? .nothing : .change }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.u32(&keepAllSeconds)
        try fields.u32(&keepDailySeconds)
        try fields.flag(&dryRun)
    }
}

/// `UndoConsent` says whether somebody has agreed to what an undo takes back.
public enum UndoConsent: UInt8, Sendable {
    /// It is done if it needs no question; otherwise the agent tells what it would do, and it ends with 10.
    case ask = 1
    /// The question was answered on this connection; nothing else may have been written since.
    case answered
    /// No question is wanted.
    case given
}

/// Changes that were undone or redone, and what an undo would do before its question is answered.
public struct UndoneChanges: ReplyValue {
    public struct Change: ReplyValue {
        /// `edit`, `rm`, `new`: docs/format.md §16.
        public var kind = ""
        /// Milliseconds since 1970, UTC.
        public var made: Int64 = 0
        /// All of its notes, each once; empty before the question.
        public var notes: [String] = []
        public var noteCount = 0
        /// The first of them.
        public var named: [NamedNote] = []
        public init() {}

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.text(&kind)
            try fields.i64(&made)
            try fields.texts(&notes)
            try fields.count(&noteCount)
            try fields.values(&named)
        }
    }

    /// A note by what a person calls it.
    public struct NamedNote: ReplyValue {
        public var shortID = ""
        /// Empty of a note without a title, and of a locked one.
        public var title = ""
        public var isLocked = false
        public init() {}

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.text(&shortID)
            try fields.text(&title)
            try fields.flag(&isLocked)
        }
    }

    public var changes: [Change] = []
    /// Whether nothing was done yet: the question comes next.
    public var isPreview = false
    /// Before the question: how many older changes are not among `changes`, and how many notes would leave the list.
    public var moreCount = 0
    public var leavingCount = 0
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.values(&changes)
        try fields.flag(&isPreview)
        try fields.count(&moreCount)
        try fields.count(&leavingCount)
    }
}

/// What thinning a history removed, or would.
public struct ThinnedHistory: ReplyValue {
    public var revisions = 0
    public var notes = 0
    public var byteCount = 0
    /// Revisions that stay until other devices have read what came after them.
    public var awaited = 0
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.count(&revisions)
        try fields.count(&notes)
        try fields.count(&byteCount)
        try fields.count(&awaited)
    }
}
