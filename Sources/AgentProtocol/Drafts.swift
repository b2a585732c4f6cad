// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Unfinished edits.
public struct ListDrafts: Operation {
    public static let id: UInt8 = 0x28
    public static let traits: OperationTraits = [.paged]
    public typealias Reply = DraftList
    public var withDiscarded = false
    public init() {}

    public init(withDiscarded: Bool) {
        self.withDiscarded = withDiscarded
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.flag(&withDiscarded)
    }
}

/// The text of a draft.
public struct ShowDraft: Operation {
    public static let id: UInt8 = 0x29
    public static let traits: OperationTraits = [.paged]
    public typealias Reply = DraftBody
    public var ref = ""
    public init() {}

    public init(ref: String) {
        self.ref = ref
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
    }
}

/// Throws drafts away; they are kept for a day.
public struct DiscardDrafts: Operation {
    public static let id: UInt8 = 0x2A
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = DiscardedDrafts
    public var refs: [String] = []
    public init() {}

    public init(refs: [String]) {
        self.refs = refs
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.references(&refs)
    }
}

/// Makes a draft's text its note, or a new one, without an editor.
public struct SaveDraft: Operation {
    public static let id: UInt8 = 0x2B
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = EndedEdit
    public var ref = ""
    public init() {}

    public init(ref: String) {
        self.ref = ref
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
    }
}

/// Drafts, the newest first.
public struct DraftList: ReplyValue {
    public struct Row: ReplyValue {
        public enum State: UInt8, Sendable {
            /// An editor has it open now.
            case open = 1
            /// Left by an editor that ended without a word.
            case left
            case discarded
        }

        public var id = ""
        /// The note that it edits; nil for a new note.
        public var note: String?
        public var title = ""
        public var state = State.left
        /// The name of its state in JSON.
        public var stateName = ""
        /// Milliseconds since 1970, UTC.
        public var begun: Int64 = 0
        public var saved: Int64 = 0
        public var byteCount = 0
        /// It belongs to a locked private note.
        public var isLocked = false
        public var isDamaged = false
        public init() {}

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.text(&id)
            try fields.optionalText(&note, max: 64)
            try fields.text(&title)
            try fields.code(&state)
            try fields.text(&stateName)
            try fields.i64(&begun)
            try fields.i64(&saved)
            try fields.count(&byteCount)
            try fields.flag(&isLocked)
            try fields.flag(&isDamaged)
        }
    }

    public var drafts: [Row] = []
    public init() {}
    public init(_ drafts: [Row]) { self.drafts = drafts }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.values(&drafts) }
}

/// The text of a draft.
public struct DraftBody: ReplyValue {
    /// What the editor wrote, byte for byte: it need not be UTF-8.
    public var text: [UInt8] = []
    public init() {}
    public init(_ text: [UInt8]) { self.text = text }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.bytes(&text, max: Frame.noteByteCountMax)
    }
}

/// How many drafts were discarded.
public struct DiscardedDrafts: ReplyValue {
    public var count = 0
    public init() {}
    public init(count: Int) { self.count = count }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.count(&count) }
}
