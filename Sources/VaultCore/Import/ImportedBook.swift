// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TextMerge
internal import VaultCrypto
public import VaultFormat

/// An `ImportedBook` is what a source says of a book.
public struct ImportedBook: Sendable {
    /// Without chapters; entries of the log have names of their own.
    public var details: BookDetails
    /// Titles, in order.
    public var chapters: [String] = []
    /// The shelf, where the source says it; an import moves a book forward and never back.
    public var shelf: BookShelf?
    /// The name of the file that is the cover; empty for none, nil for the first picture.
    public var cover: String?

    public init(_ details: BookDetails) { self.details = details }
}

/// An `ImportedPlace` says which book an imported note belongs to.
public struct ImportedPlace: Sendable {
    /// It may be imported after the note.
    public var book: NoteID
    /// A title; empty for none.
    public var chapter: String
    /// Nil for behind the notes that are there.
    public var position: Int64?

    public init(book: NoteID, chapter: String, position: Int64?) {
        (self.book, self.chapter, self.position) = (book, chapter, position)
    }
}

extension ImportedBook {
    /// Puts what the source says into a book that may be there already: what a person did here stays.
    ///
    /// - Parameter cover: nil where the source has none.
    func details(of id: NoteID, over old: BookDetails?, cover: AttachmentID?) throws -> BookDetails {
        var book = try joined(of: id, over: old)
        book.cover = cover ?? old?.cover
        Self.cut(&book, besides: old)
        return book
    }

    /// Takes out what a book cannot hold: of what is new, and never of what was there.
    ///
    /// - Returns: what that was.
    @discardableResult
    static func cut(_ book: inout BookDetails, besides old: BookDetails?) -> [String] {
        var names: [String] = []
        if book.identifiers.count > BookDetails.nameCountMax {
            book.identifiers.removeLast(book.identifiers.count - BookDetails.nameCountMax)
            names.append("identifiers")
        }
        if book.chapters.count > BookDetails.chapterCountMax {
            book.chapters.removeLast(book.chapters.count - BookDetails.chapterCountMax)
            names.append("chapters")
        }
        if book.log.count > BookDetails.logCountMax {
            book.log.removeLast(book.log.count - BookDetails.logCountMax)
            names.append("lines of the log")
        }
        while book.readings.count > BookDetails.readingCountMax {
            let isNew = { (reading: BookReading) in old?.readings.contains(reading) != true }
            book.readings.remove(at: book.readings.firstIndex(where: isNew) ?? 0)
            if names.last != "readings" { names.append("readings") }
        }
        return names
    }

    func joined(of id: NoteID, over old: BookDetails?) throws -> BookDetails {
        var book = details
        book.log = []
        if let old {
            book.added = old.added
            book.readings = readings(over: old.readings)
            book.identifiers = old.identifiers + details.identifiers.filter { !old.identifiers.contains($0) }
            if book.subtitle.isEmpty { book.subtitle = old.subtitle }
            if book.authors.isEmpty { book.authors = old.authors }
            if book.publishers.isEmpty { book.publishers = old.publishers }
            if book.published.isEmpty { book.published = old.published }
            if book.language.isEmpty { book.language = old.language }
            if book.rating == 0 { book.rating = old.rating }
            if book.pages == 0 { book.pages = old.pages }
            (book.chapters, book.log) = (old.chapters, old.log)
        }
        if old == nil || (shelf ?? .wishlist).rawValue > (old?.shelf.rawValue ?? 0) {
            book.shelf = shelf ?? .wishlist
        } else if let old {
            book.shelf = old.shelf
        }
        for title in chapters where !book.chapters.contains(where: { $0.title == title }) {
            let chapter = BookChapter(id: try ChapterID.imported(title, in: id), title: title)
            if !book.chapters.contains(where: { $0.id == chapter.id }) { book.chapters.append(chapter) }
        }
        // A line that is there counts once for each time that it is there.
        var known = (old?.log ?? []).map { Line($0) }
        for (number, entry) in details.log.enumerated() {
            if let at = known.firstIndex(of: Line(entry)) {
                known.remove(at: at)
            } else {
                var entry = entry
                entry.id = try ChapterID.imported("\(number) \(entry.day) \(entry.line)", in: id)
                if !book.log.contains(where: { $0.id == entry.id }) { book.log.append(entry) }
            }
        }
        return book
    }

    /// Puts the source's readings between those that are there, so that one that goes on stays the last. One of
    /// which only the end is known is the one that ended then.
    private func readings(over old: [BookReading]) -> [BookReading] {
        var readings = old
        func isKnown(_ new: BookReading) -> Bool {
            readings.contains { known in
                known == new || (new.started == 0 && new.finished > 0 && known.finished == new.finished)
                    || (new.finished == 0 && known.finished == 0)
            }
        }
        for new in details.readings where !isKnown(new) {
            if let at = readings.firstIndex(where: { $0.started == 0 && $0.finished == new.finished }) {
                readings[at] = new
            } else {
                let end = { (reading: BookReading) in reading.finished == 0 ? UInt32.max : reading.finished }
                readings.insert(new, at: readings.firstIndex { end($0) > end(new) } ?? readings.count)
            }
        }
        return readings
    }

    /// `Line` is an entry of a log without its name.
    private struct Line: Equatable {
        let day: UInt32
        let kind: ReadingLogEntry.Kind
        let amount: UInt32
        let line: String

        init(_ entry: ReadingLogEntry) {
            (day, kind, amount, line) = (entry.day, entry.kind, entry.amount, entry.line)
        }
    }
}

extension ChapterID {
    /// Makes the identifier of an imported chapter, or line of a log: the same whether the book or its note comes
    /// first.
    static func imported(_ text: String, in book: NoteID) throws -> ChapterID {
        let bytes = Array("vault/v1 imported chapter".utf8) + book.bytes + Array(text.utf8)
        return try ChapterID(Array(Digest.sha256(bytes).prefix(byteCount)))
    }
}
