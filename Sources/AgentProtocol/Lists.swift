// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// `ListPlace` says which places a list is about.
public enum ListPlace: UInt8, Sendable, CaseIterable {
    case live = 0
    case trash = 1
    case archive = 2
    case template = 3
    case book = 4
}

/// `SortKey` says what a list is sorted by.
public enum SortKey: UInt8, Sendable, CaseIterable {
    /// Pinned ones first, then the newest change.
    case modified = 0
    case created = 1
    case title = 2
    case size = 3
}

/// Notes of one place, in pages.
public struct ListNotes: Operation {
    public static let id: UInt8 = 0x18
    public static let traits: OperationTraits = [.paged]
    /// Most rows of one page, unless it is all of them.
    public static let limitMax: UInt32 = 10_000
    public static let pageMax: UInt32 = 100_000
    public typealias Reply = NoteList
    public var place: ListPlace = .live
    public var tag: String?
    public var notebook: String?
    /// Where the changes of the notes are; nil for anywhere.
    public var state: UploadState?
    /// Words and filters, as `SearchNotes` takes them; empty for all.
    public var filter = ""
    public var sort: SortKey = .modified
    public var reverse = false
    public var countOnly = false
    public var long = false
    /// Rows of one page; 0 is all.
    public var limit: UInt32 = 20
    /// From 1.
    public var page: UInt32 = 1
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&place)
        try fields.optionalText(&tag, max: 4096)
        try fields.optionalText(&notebook, max: 4096)
        try fields.optional(&state, else: .persisted) { (fields, state) throws(FormatError) in try fields.code(&state) }
        try fields.text(&filter, max: SearchNotes.queryByteCountMax)
        try fields.code(&sort)
        try fields.flag(&reverse)
        try fields.flag(&countOnly)
        try fields.flag(&long)
        try fields.u32(&limit)
        try fields.u32(&page)
    }
}

/// Notes that match words and filters.
public struct SearchNotes: Operation {
    public static let id: UInt8 = 0x19
    public static let traits: OperationTraits = [.paged]
    static let queryByteCountMax = 16384
    public typealias Reply = FoundNotes
    /// Words and filters.
    public var query = ""
    /// A pattern that must match title or text; empty for none.
    public var regex = ""
    /// Nil sorts by rank, the best first.
    public var sort: SortKey?
    public var reverse = false
    public var limit: UInt32 = 20
    public var page: UInt32 = 1
    /// Every note is looked at, however long it takes.
    public var isExhaustive = false
    public init() {}

    public init(query: String) { self.query = query }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&query, max: Self.queryByteCountMax)
        try fields.text(&regex, max: 1000)
        try fields.optional(&sort, else: .modified) { (fields, key) throws(FormatError) in try fields.code(&key) }
        try fields.flag(&reverse)
        try fields.u32(&limit)
        try fields.u32(&page)
        try fields.flag(&isExhaustive)
    }
}

/// A page of a list, or a part of a whole one.
public struct NoteList: ReplyValue {
    public var notes: [NoteRow] = []
    /// How many notes the whole list has; nil when not all were looked at.
    public var total: Int?
    /// Of this list, so far: all parts.
    public var shown = 0
    /// Rows of the pages before.
    public var before = 0
    public var hasMore = false
    /// The scan reached its limit.
    public var isCutShort = false
    public var isFirst = true
    public var isLast = true
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.values(&notes)
        try fields.optionalCount(&total)
        try fields.count(&shown)
        try fields.count(&before)
        try fields.flag(&hasMore)
        try fields.flag(&isCutShort)
        try fields.flag(&isFirst)
        try fields.flag(&isLast)
    }
}

/// A page of what a search found.
public struct FoundNotes: ReplyValue {
    public struct Hit: ReplyValue {
        /// Its snippet is a line around the hits.
        public var note = NoteRow()
        /// Byte ranges of the hits in the snippet.
        public var snippetHits: [Range<Int>] = []
        /// Byte ranges of the hits in the title.
        public var titleHits: [Range<Int>] = []
        public init() {}

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try note.code(&fields)
            try fields.ranges(&snippetHits)
            try fields.ranges(&titleHits)
        }
    }

    public var hits: [Hit] = []
    /// Rows of the pages before.
    public var before = 0
    /// There are more than this page shows. They are never counted.
    public var hasMore = false
    /// The search ended early because it reached its limit.
    public var isCutShort = false
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.values(&hits)
        try fields.count(&before)
        try fields.flag(&hasMore)
        try fields.flag(&isCutShort)
    }
}
