// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// A book as lists show it.
public struct BookRow: ReplyValue {
    public var note = NoteRow()
    public var shelf = BookShelf.wishlist
    public var authors: [String] = []
    /// Days since 1970-01-01; 0 for none.
    public var started: UInt32 = 0
    public var finished: UInt32 = 0
    /// Quarters of a star; 0 for none.
    public var rating: UInt8 = 0
    public var pages: UInt32 = 0
    /// How far it was read; 0 where nothing is known.
    public var page: UInt32 = 0
    public var percent: UInt32 = 0
    public var hasCover = false
    /// Milliseconds since 1970, UTC.
    public var added: Int64 = 0
    public var noteCount = 0
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try note.code(&fields)
        try fields.code(&shelf)
        try fields.texts(&authors)
        try fields.u32(&started)
        try fields.u32(&finished)
        try fields.u8(&rating)
        try fields.u32(&pages)
        try fields.u32(&page)
        try fields.u32(&percent)
        try fields.flag(&hasCover)
        try fields.i64(&added)
        try fields.count(&noteCount)
    }
}

/// The book that a note belongs to, and its chapter there.
public struct BookSpot: ReplyValue {
    /// 16 characters of base32.
    public var id = ""
    public var title = ""
    /// Nil for before all chapters.
    public var chapter: String?
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.text(&id)
        try fields.text(&title)
        try fields.optional(&chapter, else: "") { (fields, text) throws(FormatError) in try fields.text(&text) }
    }
}

/// A page of a list of books.
public struct BookList: ReplyValue {
    public var books: [BookRow] = []
    /// Matching books on each shelf: reading, wishlist, archived.
    public var reading = 0
    public var wishlist = 0
    public var archived = 0
    public var before = 0
    public var hasMore = false
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.values(&books)
        try fields.count(&reading)
        try fields.count(&wishlist)
        try fields.count(&archived)
        try fields.count(&before)
        try fields.flag(&hasMore)
    }

    public func count(_ shelf: BookShelf) -> Int {
        switch shelf {
        case .reading: reading
        case .wishlist: wishlist
        case .archived: archived
        }
    }
}

/// A book that was added or changed.
public struct ChangedBook: ReplyValue {
    public var book = BookRow()
    public init() {}
    public init(_ book: BookRow) { self.book = book }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try book.code(&fields) }
}

/// A book that was moved to the trash.
public struct RemovedBook: ReplyValue {
    public var note = NoteRow()
    /// Notes that were trashed with it, or that left it and are now ordinary notes.
    public var noteCount = 0
    public var withNotes = false
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try note.code(&fields)
        try fields.count(&noteCount)
        try fields.flag(&withNotes)
    }
}

/// A book with all that is known of it.
public struct ShownBook: ReplyValue {
    public struct Chapter: ReplyValue {
        public var title = ""
        public var noteCount = 0
        public init() {}
        public init(_ title: String, _ noteCount: Int) { (self.title, self.noteCount) = (title, noteCount) }

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.text(&title)
            try fields.count(&noteCount)
        }
    }

    public struct Reading: ReplyValue {
        public var started: UInt32 = 0
        public var finished: UInt32 = 0
        public init() {}
        public init(_ reading: BookReading) { (started, finished) = (reading.started, reading.finished) }

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.u32(&started)
            try fields.u32(&finished)
        }
    }

    public struct LogEntry: ReplyValue {
        public var day: UInt32 = 0
        public var kind = ReadingLogEntry.Kind.none
        public var amount: UInt32 = 0
        public var line = ""
        public init() {}
        public init(_ entry: ReadingLogEntry) {
            (day, kind, amount, line) = (entry.day, entry.kind, entry.amount, entry.line)
        }

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.u32(&day)
            try fields.code(&kind)
            try fields.u32(&amount)
            try fields.text(&line)
        }
    }

    public var book = BookRow()
    public var subtitle = ""
    public var publishers: [String] = []
    public var published = ""
    /// "isbn13:9780441013593".
    public var identifiers: [String] = []
    public var language = ""
    public var description = ""
    public var source = ""
    /// The identifier of the attachment that is the cover; empty for none.
    public var cover = ""
    public var readings: [Reading] = []
    public var chapters: [Chapter] = []
    /// Notes before all chapters.
    public var looseNotes = 0
    public var log: [LogEntry] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try book.code(&fields)
        try fields.text(&subtitle)
        try fields.texts(&publishers)
        try fields.text(&published)
        try fields.texts(&identifiers)
        try fields.text(&language)
        try fields.text(&description)
        try fields.text(&source)
        try fields.text(&cover)
        try fields.values(&readings)
        try fields.values(&chapters)
        try fields.count(&looseNotes)
        try fields.values(&log)
    }
}

/// The notes of a book by its chapters.
public struct BookNoteList: ReplyValue {
    public struct Section: ReplyValue {
        /// Nil for the notes before all chapters.
        public var chapter: String?
        public var notes: [NoteRow] = []
        /// All of the chapter's notes.
        public var count = 0
        public init() {}

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.optional(&chapter, else: "") { (fields, text) throws(FormatError) in try fields.text(&text) }
            try fields.values(&notes)
            try fields.count(&count)
        }
    }

    public var book = NoteRow()
    public var sections: [Section] = []
    public var total = 0
    public var hasMore = false
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try book.code(&fields)
        try fields.values(&sections)
        try fields.count(&total)
        try fields.flag(&hasMore)
    }
}

/// What was read on which days, of all books together.
public struct ReadDays: ReplyValue {
    public struct Day: ReplyValue {
        /// Days since 1970-01-01.
        public var day: UInt32 = 0
        public var pages = 0
        public var minutes = 0
        /// Readings that ended then.
        public var finished = 0
        public init() {}

        public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
            try fields.u32(&day)
            try fields.count(&pages)
            try fields.count(&minutes)
            try fields.count(&finished)
        }
    }
    public var days: [Day] = []
    public init() {}

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) { try fields.values(&days) }
}
