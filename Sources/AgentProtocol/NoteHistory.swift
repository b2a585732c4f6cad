// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// A note's revisions, the newest first.
public struct NoteHistory: ReplyValue {
    public struct Revision: ReplyValue {
        public var id = ""
        /// When it was recorded, in milliseconds since 1970, UTC.
        public var made: Int64 = 0
        public var title = ""
        /// Nothing followed it.
        public var isHead = false
        public var changes: [RevisionChange] = []
        /// Size of the text in bytes.
        public var byteCount = 0
        /// It does not open: what it changed is not known.
        public var isDamaged = false
        public init() {}

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.text(&id)
            try fields.i64(&made)
            try fields.text(&title)
            try fields.flag(&isHead)
            try fields.values(&changes)
            try fields.count(&byteCount)
            try fields.flag(&isDamaged)
        }
    }

    public var revisions: [Revision] = []
    public init() {}
    public init(_ revisions: [Revision]) { self.revisions = revisions }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.values(&revisions) }
}

/// One thing that a revision changed.
public struct RevisionChange: ReplyValue {
    public enum Kind: Sendable, Equatable {
        /// The first revision; `amount` is its size in bytes.
        case first
        /// The text; `amount` is how many bytes it grew.
        case text
        /// The title; `name` is the new one, `amount` is 0 when the title was removed.
        case title
        /// The notebook that it was moved to, or out of.
        case intoNotebook, outOfNotebook
        case tagRemoved, tagAdded
        /// `amount` attachments.
        case attachmentsAdded, attachmentsRemoved, attachmentsReordered
        case flag(NoteFlag, isSet: Bool)
        /// Details of a book, or a note's place in one; `name` says which, in words.
        case book
        /// Nothing at all.
        case none
    }

    public var kind = Kind.first
    public var name = ""
    public var amount: Int64 = 0
    public init() {}
    public init(_ kind: Kind, name: String = "", amount: Int = 0) {
        (self.kind, self.name, self.amount) = (kind, name, Int64(amount))
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&kind)
        try fields.text(&name)
        try fields.i64(&amount)
    }
}

extension RevisionChange.Kind: RawRepresentable {
    /// The fields that are no flags, without the last. Numbers begin with 1.
    private static let fields: [Self] = [
        .first, .text, .title, .intoNotebook, .outOfNotebook, .tagRemoved, .tagAdded, .attachmentsAdded,
        .attachmentsRemoved, .attachmentsReordered, .book,
    ]

    public init?(rawValue: UInt8) {
        let flags = NoteFlag.byBit.flatMap { [Self.flag($0, isSet: true), .flag($0, isSet: false)] }
        guard let kind = (Self.fields + flags + [.none]).first(where: { $0.rawValue == rawValue }) else { return nil }
        self = kind
    }

    /// The number of the change: a flag has two, in the order of the bits. Those of flags that came later stand after
    /// that of `none`.
    public var rawValue: UInt8 {
        switch self {
        case .first: 1
        case .text: 2
        case .title: 3
        case .intoNotebook: 4
        case .outOfNotebook: 5
        case .tagRemoved: 6
        case .tagAdded: 7
        case .attachmentsAdded: 8
        case .attachmentsRemoved: 9
        case .attachmentsReordered: 10
        case .none: 19
        case .book: 64
        case .flag(let flag, let isSet): Self.number(flag, isSet)
        }
    }

    private static func number(_ flag: NoteFlag, _ isSet: Bool) -> UInt8 {
        let number = 11 + 2 * UInt8(flag.rawValue.trailingZeroBitCount) + (isSet ? 0 : 1)
        return number < 19 ? number : number + 1
    }
}

/// How two revisions of a note differ.
public struct ComparedRevisions: ReplyValue {
    /// A piece of a text that was taken away, added, or stands on both sides.
    public struct Piece: ReplyValue {
        public enum Kind: UInt8, Sendable { case same = 1, removed, added }
        public var kind = Kind.same
        public var text: [UInt8] = []
        public init() {}
        public init(_ kind: Kind, _ text: [UInt8]) { (self.kind, self.text) = (kind, text) }

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.code(&kind)
            try fields.bytes(&text, max: Frame.replyByteCountMax)
        }
    }

    /// Neighbouring pieces.
    public struct Hunk: ReplyValue {
        public var pieces: [Piece] = []
        public init() {}
        public init(_ pieces: [Piece]) { self.pieces = pieces }

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.values(&pieces) }
    }

    /// The older one; nil when there is none.
    public var from: String?
    public var to = ""
    public var changes: [RevisionChange] = []
    /// Word by word, if that was asked for.
    public var hunks: [Hunk] = []
    /// Otherwise a unified diff, which patch(1) reads.
    public var unified: [UInt8] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.optionalText(&from, max: 64)
        try fields.text(&to)
        try fields.values(&changes)
        try fields.values(&hunks)
        try fields.bytes(&unified, max: Frame.replyByteCountMax)
    }
}
