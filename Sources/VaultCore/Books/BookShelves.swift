// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SearchText
internal import VaultCrypto
public import VaultFormat

/// A `ShelfMove` is what a person does with a book.
public enum ShelfMove: Sendable {
    /// Begin to read it; an archived one is taken up again.
    case start
    /// It was read to its end: it is archived.
    case finish
    /// Put it away, read or not.
    case archive
}

extension BookDetails {
    /// Puts the book on another shelf. Only a book that is being read can be archived; one on the wishlist can only be
    /// begun, or removed.
    ///
    /// - Throws: `VaultError.wrongShelf`.
    mutating func move(_ move: ShelfMove, day: UInt32) throws(VaultError) {
        switch (move, shelf) {
        case (.start, .reading): return
        case (.start, .wishlist), (.start, .archived):
            guard readings.count < Self.readingCountMax else { throw VaultError(.tooLarge) }
            readings.append(BookReading(started: day))
            shelf = .reading
        case (.finish, .reading):
            end(day)
            shelf = .archived
        // One that was put away, and read to its end meanwhile.
        case (.finish, .archived) where readings.last?.finished == 0: end(day)
        case (.finish, .archived): return
        case (.archive, .reading): shelf = .archived
        case (.archive, .archived): return
        case (.finish, .wishlist), (.archive, .wishlist):
            throw VaultError(
                .wrongShelf, found: UInt64(shelf.rawValue), expected: UInt64(BookShelf.archived.rawValue))
        }
    }

    private mutating func end(_ day: UInt32) {
        if readings.last?.finished != 0 { readings.append(BookReading(started: 0)) }
        readings[readings.count - 1].finished = max(day, readings[readings.count - 1].started)
    }
}

extension Books {
    /// Adds a line to a book's reading log. This starts a book on the wishlist; an archived one stays archived.
    ///
    /// - Throws: `VaultError.noSuchPage` for a page behind the last one, `.tooLarge` for a percent above 100, and as
    ///   `change`.
    public func log(
        _ id: NoteID, day: UInt32, _ kind: ReadingLogEntry.Kind, _ amount: UInt32, _ line: String
    ) throws(VaultError) -> BookSummary {
        let name = try ChapterID.random()
        return try change(id, .bookLog) { (_, book) throws(VaultError) in
            let entry = ReadingLogEntry(id: name, day: day, kind: kind, amount: amount, line: line)
            let isBehindEnd = kind == .page && book.pages > 0 && amount > book.pages
            guard !isBehindEnd else { throw VaultError(.noSuchPage, expected: UInt64(book.pages)) }
            guard entry.isWithinLimits else { throw VaultError(.tooLarge) }
            guard book.log.count < BookDetails.logCountMax else { throw VaultError(.tooLarge) }
            if book.shelf == .wishlist { try book.move(.start, day: day) }
            book.log.append(entry)
        }
    }

    /// Removes the line that was added last from a book's reading log.
    ///
    /// - Throws: `VaultError.notFound` where it has none, and as `change`.
    public func unlog(_ id: NoteID) throws(VaultError) -> BookSummary {
        try change(id, .bookLog) { (_, book) throws(VaultError) in
            guard book.log.popLast() != nil else { throw VaultError(.notFound) }
        }
    }

    /// Adds a chapter at the end, or before another one. One that is there is moved.
    ///
    /// - Parameters:
    ///   - before: the title of a chapter; nil for the end.
    ///   - mustExist: it is only moved.
    /// - Throws: `VaultError.noChapter`, `.empty`, and as `change`.
    public func putChapter(
        _ title: String, in id: NoteID, before: String?, mustExist: Bool = false
    ) throws(VaultError) -> BookSummary {
        guard title.contains(where: { !$0.isWhitespace }) else { throw VaultError(.empty) }
        let name = try ChapterID.random()
        return try change(id, .bookChapter) { (_, book) throws(VaultError) in
            let at = book.chapterPlace(title, isWhole: !mustExist)
            guard at != nil || !mustExist else { throw VaultError(.noChapter, reference: .chapter(title)) }
            guard at != nil || book.chapters.count < BookDetails.chapterCountMax else { throw VaultError(.tooLarge) }
            let next = try before.map { before throws(VaultError) in
                guard let at = book.chapterPlace(before) else {
                    throw VaultError(.noChapter, reference: .chapter(before))
                }
                return book.chapters[at].id
            }
            // Before itself a chapter is where it stands.
            guard at == nil || next != book.chapters[at!].id else { return }
            let chapter = at.map { book.chapters.remove(at: $0) } ?? BookChapter(id: name, title: title)
            let place = next.flatMap { next in book.chapters.firstIndex { $0.id == next } } ?? book.chapters.count
            book.chapters.insert(chapter, at: place)
        }
    }

    /// Gives a chapter another title.
    ///
    /// - Throws: `VaultError.noChapter`, `.empty`, and as `change`.
    public func renameChapter(_ title: String, to new: String, in id: NoteID) throws(VaultError) -> BookSummary {
        guard new.contains(where: { !$0.isWhitespace }) else { throw VaultError(.empty) }
        return try change(id, .bookChapter) { (_, book) throws(VaultError) in
            guard let at = book.chapterPlace(title) else { throw VaultError(.noChapter, reference: .chapter(title)) }
            book.chapters[at].title = new
        }
    }

    /// Returns the chapter of a title or its beginning, and the one that has another title as a whole.
    ///
    /// - Throws: `VaultError.notFound`, `.notABook`.
    public func chapters(
        _ title: String, _ whole: String, in id: NoteID
    ) throws(VaultError) -> (named: ChapterID?, whole: ChapterID?) {
        let book = try book(id).details
        return (
            book.chapterPlace(title).map { book.chapters[$0].id },
            book.chapterPlace(whole, isWhole: true).map { book.chapters[$0].id }
        )
    }

    /// Removes a chapter. Its notes stay in the book, before all chapters.
    ///
    /// - Throws: `VaultError.noChapter`, and as `change`.
    public func removeChapter(_ title: String, in id: NoteID) throws(VaultError) -> BookSummary {
        try change(id, .bookChapter) { (_, book) throws(VaultError) in
            guard let at = book.chapterPlace(title) else { throw VaultError(.noChapter, reference: .chapter(title)) }
            book.chapters.remove(at: at)
        }
    }
}

extension BookDetails {
    /// Finds a chapter by its title: the whole one wins over a beginning in words that no other has, so that "2" finds
    /// "2. The desert" and not "20. Home".
    func chapterPlace(_ title: String, isWhole: Bool = false) -> Int? {
        let wanted = TextFold.fold(title)
        let titles = chapters.map { TextFold.fold($0.title) }
        if let whole = titles.firstIndex(of: wanted) { return whole }
        guard !isWhole, !wanted.isEmpty else { return nil }
        let begun = titles.indices.filter { at in
            titles[at].starts(with: wanted) && titles[at].dropFirst(wanted.count).first.map { !$0.isWordByte } ?? true
        }
        return begun.count == 1 ? begun[0] : nil
    }
}

extension UInt8 {
    /// Whether it is part of a letter or a digit, in folded UTF-8.
    fileprivate var isWordByte: Bool {
        (0x30...0x39).contains(self) || (0x61...0x7A).contains(self) || self >= 0x80
    }
}

extension Transaction {
    /// Returns a book's chapter of this title; one that is not there is added at the end.
    fileprivate func addedChapter(_ title: String, _ book: NoteID) throws -> ChapterID {
        let name = try ChapterID.random()
        try changeBook(book) { (_, details) in
            guard details.chapters.count < BookDetails.chapterCountMax else { throw VaultError(.tooLarge) }
            details.chapters.append(BookChapter(id: name, title: title))
        }
        return name
    }

    func chapter(titled title: String, of book: NoteID) throws -> ChapterID {
        guard title.contains(where: { !$0.isWhitespace }) else { throw VaultError(.empty) }
        let details = try bookRecord(book).details
        if let at = details.chapterPlace(title) { return details.chapters[at].id }
        return try addedChapter(title, book)
    }
}

extension ChapterID {
    /// Makes a random identifier.
    ///
    /// - Throws: `VaultError.libraryFailed`.
    static func random() throws(VaultError) -> ChapterID {
        try VaultError.translating { try ChapterID(SecureRandom.bytes(byteCount)) }
    }
}
