// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// `BookSort` says what a list of books is sorted by.
public enum BookSort: UInt8, Sendable, CaseIterable {
    /// The one that was added last first.
    case added = 0
    case title = 1
    case author = 2
    case rating = 3
    case finished = 4
    case progress = 5
}

/// Books, one shelf after the other, in pages.
public struct ListBooks: Operation {
    public static let id: UInt8 = 0xC0
    public static let traits: OperationTraits = [.paged]
    public typealias Reply = BookList
    /// Nil for all of them.
    public var shelf: BookShelf?
    /// Words that must occur in the title, authors or identifiers.
    public var words = ""
    public var sort = BookSort.added
    public var reverse = false
    public var long = false
    /// Rows of one page, at most `ListNotes.limitMax`; 0 is that many.
    public var limit: UInt32 = 50
    /// From 1.
    public var page: UInt32 = 1
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.optional(&shelf, else: .reading) { (fields, shelf) throws(FormatError) in try fields.code(&shelf) }
        try fields.text(&words, max: SearchNotes.queryByteCountMax)
        try fields.code(&sort)
        try fields.flag(&reverse)
        try fields.flag(&long)
        try fields.u32(&limit)
        try fields.u32(&page)
    }
}

/// A book with all that is known of it.
public struct ShowBook: Operation {
    public static let id: UInt8 = 0xC1
    public static let traits: OperationTraits = [.paged]
    public typealias Reply = ShownBook
    public var ref = ""
    public init() {}
    public init(ref: String) { self.ref = ref }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.reference(&ref) }
}

/// Adds a book by hand.
public struct AddBook: Operation {
    public static let id: UInt8 = 0xC2
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedBook
    public var title = ""
    public var facts = BookFacts()
    public var shelf = BookShelf.wishlist
    public var tags: [String] = []
    /// The service that it came from, and its ID there: "google:zyTCAlFPjgYC". A second one is refused.
    public var source: String?
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&title)
        try facts.code(&fields)
        try fields.code(&shelf)
        try fields.references(&tags)
        try fields.optionalText(&source, max: 256)
    }
}

/// Changes a book's details.
public struct ChangeBook: Operation {
    public static let id: UInt8 = 0xC3
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedBook
    public var ref = ""
    /// Nil leaves it as it is.
    public var title: String?
    public var rating: UInt8?
    /// Facts that are set replace the existing ones.
    public var facts = BookFacts()
    /// The identifier of one of its attachments; empty for no cover.
    public var cover: String?
    public init() {}
    public init(ref: String) { self.ref = ref }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
        try fields.optionalText(&title, max: 4096)
        try fields.optional(&rating, else: 0) { (fields, rating) throws(FormatError) in try fields.u8(&rating) }
        try facts.code(&fields)
        try fields.optionalText(&cover, max: 64)
    }
}

/// `BookFacts` holds the details of a book that a person may set; nil for those not given.
public struct BookFacts: Sendable, Equatable {
    public var subtitle: String?
    public var authors: [String]?
    public var publishers: [String]?
    public var published: String?
    /// "isbn13:9780441013593".
    public var identifiers: [String]?
    public var pages: UInt32?
    public var language: String?
    public var description: String?
    public init() {}

    mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.optionalText(&subtitle, max: BookDetails.nameByteCountMax)
        try fields.optional(&authors, else: []) { (fields, names) throws(FormatError) in try fields.references(&names) }
        try fields.optional(&publishers, else: []) { (fields, names) throws(FormatError) in
            try fields.references(&names)
        }
        try fields.optional(&identifiers, else: []) { (fields, names) throws(FormatError) in
            try fields.references(&names)
        }
        try fields.optionalText(&published, max: BookDetails.nameByteCountMax)
        try fields.optional(&pages, else: 0) { (fields, pages) throws(FormatError) in try fields.u32(&pages) }
        try fields.optionalText(&language, max: BookDetails.nameByteCountMax)
        try fields.optionalText(&description, max: Frame.noteByteCountMax)
    }
}

/// `BookMove` says which shelf a book is moved to. The raw values are sent on the wire.
public enum BookMove: UInt8, Sendable, CaseIterable {
    case start = 1
    case finish = 2
    case archive = 3
}

/// Puts a book on another shelf.
public struct MoveBook: Operation {
    public static let id: UInt8 = 0xC4
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedBook
    public var ref = ""
    public var move = BookMove.start
    /// Days since 1970-01-01, as the client's calendar has it.
    public var day: UInt32 = 0
    /// Quarters of a star.
    public var rating: UInt8?
    public init() {}
    public init(ref: String, _ move: BookMove, day: UInt32) { (self.ref, self.move, self.day) = (ref, move, day) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
        try fields.code(&move)
        try fields.u32(&day)
        try fields.optional(&rating, else: 0) { (fields, rating) throws(FormatError) in try fields.u8(&rating) }
    }
}

/// Moves a book to the trash. Its notes become ordinary notes, or are trashed too.
public struct RemoveBook: Operation {
    public static let id: UInt8 = 0xC5
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = RemovedBook
    public var ref = ""
    public var withNotes = false
    public init() {}
    public init(ref: String, withNotes: Bool) { (self.ref, self.withNotes) = (ref, withNotes) }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
        try fields.flag(&withNotes)
    }
}

/// Adds a line to a book's reading log, or takes the last one away.
public struct LogReading: Operation {
    public static let id: UInt8 = 0xC6
    public static let traits: OperationTraits = [.changes]
    public typealias Reply = ChangedBook
    public var ref = ""
    public var takesBack = false
    /// Days since 1970-01-01.
    public var day: UInt32 = 0
    public var kind = ReadingLogEntry.Kind.none
    public var amount: UInt32 = 0
    public var line = ""
    public init() {}
    public init(ref: String) { self.ref = ref }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.reference(&ref)
        try fields.flag(&takesBack)
        try fields.u32(&day)
        try fields.code(&kind)
        try fields.u32(&amount)
        try fields.text(&line, max: ReadingLogEntry.lineByteCountMax)
    }
}

/// What was read on which days.
public struct ReadingStatistics: Operation {
    public static let id: UInt8 = 0xCA
    public static let traits: OperationTraits = [.paged]
    public typealias Reply = ReadDays
    /// By years, not by weeks.
    public var byYear = false
    public init() {}
    public init(byYear: Bool) { self.byYear = byYear }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.flag(&byYear) }
}
