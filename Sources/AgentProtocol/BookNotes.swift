// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// Adds, moves, renames or removes a chapter of a book.
public struct ChangeChapter: Operation {
    public static let id: UInt8 = 0xC7
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ShownBook

    /// The raw values stand on the wire.
    public enum Change: UInt8, Sendable, CaseIterable {
        /// Adds it, or moves it, before `other`, or to the end where that is nil.
        case put = 1
        /// Moves an existing chapter, likewise.
        case move = 2
        /// `other` is its new title.
        case rename = 3
        case remove = 4
    }

    public var ref = ""
    public var change = Change.put
    public var title = ""
    public var other: String?
    public init() {}
    public init(ref: String, _ change: Change, title: String, other: String? = nil) {
        (self.ref, self.change, self.title, self.other) = (ref, change, title, other)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
        try fields.code(&change)
        try fields.reference(&title)
        try fields.optionalText(&other, max: 4096)
    }
}

/// The notes of a book by its chapters.
public struct ListBookNotes: Operation {
    public static let id: UInt8 = 0xC8
    public static let traits: OperationTraits = [.paged]
    public typealias Reply = BookNoteList
    public var ref = ""
    /// Notes of one page, at most `ListNotes.limitMax`; 0 is that many.
    public var limit: UInt32 = 0
    public var page: UInt32 = 1
    public init() {}
    public init(ref: String) { self.ref = ref }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
        try fields.u32(&limit)
        try fields.u32(&page)
    }
}

/// Puts notes into a book, or takes them out of theirs.
public struct PlaceNotes: Operation {
    public static let id: UInt8 = 0xC9
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedNotes

    /// The raw values stand on the wire.
    public enum Spot: UInt8, Sendable, CaseIterable {
        case last = 0
        case first = 1
        case before = 2
        case after = 3
    }

    public var refs: [String] = []
    /// Nil takes them out of their books.
    public var book: String?
    /// The chapter's title; nil for before all chapters. A missing chapter is added.
    public var chapter: String?
    public var spot = Spot.last
    /// The note of `before` and `after`.
    public var other = ""
    public init() {}
    public init(refs: [String], book: String?, chapter: String?) {
        (self.refs, self.book, self.chapter) = (refs, book, chapter)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.notes(&refs)
        try fields.optionalText(&book, max: 4096)
        try fields.optionalText(&chapter, max: 4096)
        try fields.code(&spot)
        try fields.note(&other)
    }
}
