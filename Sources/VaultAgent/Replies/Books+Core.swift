// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Dates
internal import VaultCore
internal import VaultFormat

extension BookRow {
    init(_ book: BookSummary) {
        self.init()
        (note, shelf, authors) = (NoteRow(book.note), book.shelf, book.authors)
        (started, finished, rating) = (book.started, book.finished, book.rating)
        (pages, page, percent) = (book.pages, book.page, book.percent)
        (hasCover, added, noteCount) = (book.hasCover, book.added, book.noteCount)
    }
}

extension ShownBook {
    init(_ shown: Book) {
        self.init()
        let details = shown.details
        book = BookRow(shown.summary)
        (subtitle, publishers, published) = (details.subtitle, details.publishers, details.published)
        identifiers = details.identifiers.map { "\($0.kind):\($0.value)" }
        (language, description, source) = (details.language, shown.description, shown.source ?? "")
        cover = details.cover?.text ?? ""
        readings = details.readings.map { Reading($0) }
        chapters = zip(details.chapters, shown.chapterNotes).map { Chapter($0.title, $1) }
        looseNotes = shown.looseNotes
        log = details.log.map { LogEntry($0) }
    }
}

extension BookSpot {
    init(_ book: NoteSummary, _ chapter: BookChapter?) {
        self.init()
        (id, title, self.chapter) = (book.id.text, book.title, chapter?.title)
    }
}

extension BookQuery.Order {
    init(_ sort: BookSort) {
        switch sort {
        case .added: self = .added
        case .title: self = .title
        case .author: self = .author
        case .rating: self = .rating
        case .finished: self = .finished
        case .progress: self = .progress
        }
    }
}

extension ShelfMove {
    init(_ move: BookMove) {
        switch move {
        case .start: self = .start
        case .finish: self = .finish
        case .archive: self = .archive
        }
    }
}

extension RequestContext {
    /// Today where the client is, in days since 1970-01-01.
    var today: UInt32 {
        let clock = clock
        return UInt32(clamping: (clock.now + Int64(clock.offset(clock.now)) * 1000) / 86_400_000)
    }
}
