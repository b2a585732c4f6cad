// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Dates
internal import Glibc
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let books: [any Handled.Type] = [
        ListBooks.self, ShowBook.self, AddBook.self, ChangeBook.self, MoveBook.self, RemoveBook.self, LogReading.self,
        ChangeChapter.self, ListBookNotes.self, PlaceNotes.self, ReadingStatistics.self, ShowBookService.self,
        AgreeToBookService.self, SetBookKey.self, PassBookKey.self,
    ]
}

extension ListBooks: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let limit = limit == 0 ? Int(ListNotes.limitMax) : Int(limit)
        let offset = (max(Int(page), 1) - 1).multipliedReportingOverflow(by: limit)
        guard !offset.overflow, limit <= Int(ListNotes.limitMax) else { throw VaultError(.badQuery) }
        var query = BookQuery()
        (query.shelf, query.words, query.reverse) = (shelf, words, reverse)
        (query.offset, query.limit, query.order) = (offset.partialValue, limit, BookQuery.Order(sort))
        let found = try work.store.books.list(query)
        var list = BookList()
        list.books = found.books.map { BookRow($0) }
        (list.reading, list.wishlist) = (found.counts[.reading] ?? 0, found.counts[.wishlist] ?? 0)
        (list.archived, list.before) = (found.counts[.archived] ?? 0, offset.partialValue)
        let total = shelf.map { list.count($0) } ?? BookShelf.allCases.reduce(0) { $0 + list.count($1) }
        list.hasMore = offset.partialValue + found.books.count < total
        work.reply(list)
        return Outcome(.ok)
    }
}

extension ShowBook: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.reply(ShownBook(try work.store.books.book(work.store.books.resolve(ref))))
        return Outcome(.ok)
    }
}

extension AddBook: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        var details = BookDetails(shelf: .wishlist, added: work.clock.now)
        guard let (description, complaint) = facts.apply(to: &details, "") else { return BookFacts.badIdentifier }
        if let complaint { return complaint }
        details.shelf = shelf
        if shelf == .reading { details.readings = [BookReading(started: work.today)] }
        if shelf == .archived { details.readings = [BookReading(started: 0, finished: 0)] }
        var draft = BookDraft(title: title, details)
        (draft.description, draft.tags, draft.source) = (description, tags, source.map { "books\n" + $0 })
        if let known = draft.source, let there = try work.store.imports.notes(from: [known])[known] {
            let name = try work.store.notes.shortID(there)
            return Outcome(.conflict, "this book is in the vault already", hint: "vault book show \(name)")
        }
        work.reply(ChangedBook(BookRow(try work.store.books.add(draft))))
        return Outcome(.ok)
    }
}

extension ChangeBook: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let id = try work.store.books.resolve(ref)
        let attachments = try work.store.attachments.all(of: id)
        let wanted = cover.map { name in attachments.first { $0.id.text == name }?.id }
        if let cover, !cover.isEmpty, wanted == .some(nil) { throw VaultError(.noAttachment) }
        var refusal: Outcome?
        do throws(VaultError) {
            let book = try work.store.books.change(id, .bookEdit) { (record, details) throws(VaultError) in
                guard let (description, complaint) = facts.apply(to: &details, record.body), complaint == nil else {
                    refusal = facts.complaint
                    throw VaultError(.tooLarge)
                }
                record.body = description
                if let title { record.title = title }
                if let rating { details.rating = rating }
                if let wanted { details.cover = wanted }
            }
            work.reply(ChangedBook(BookRow(book)))
            return Outcome(.ok)
        } catch {
            // What is refused is not saved in part.
            guard let refusal else { throw error }
            return refusal
        }
    }
}

extension BookFacts {
    static let badIdentifier = Outcome(
        .usage, "an identifier needs a kind and a value", hint: "--identifier isbn13:9780441013593")

    /// What is wrong with these facts.
    fileprivate var complaint: Outcome {
        var book = BookDetails(shelf: .wishlist, added: 0)
        return apply(to: &book, "").map { $0.complaint ?? Self.badIdentifier } ?? Self.badIdentifier
    }

    /// Puts what is said into a book; nil where an identifier is none.
    ///
    /// - Returns: the description.
    fileprivate func apply(
        to details: inout BookDetails, _ body: String
    ) -> (description: String, complaint: Outcome?)? {
        if let subtitle { details.subtitle = subtitle }
        if let authors { details.authors = authors }
        if let publishers { details.publishers = publishers }
        if let published { details.published = published }
        if let pages { details.pages = pages }
        if let language { details.language = language }
        if let identifiers {
            var all: [BookIdentifier] = []
            for text in identifiers {
                let parts = text.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { return nil }
                let identifier = BookIdentifier(kind: String(parts[0]), value: String(parts[1]))
                guard identifier.isWithinLimits else { return nil }
                if !all.contains(identifier) { all.append(identifier) }
            }
            details.identifiers = all
        }
        let isFit = details.isWithinLimits
        return (
            description ?? body,
            isFit ? nil : Outcome(.usage, "one of these texts is too long", hint: "at most 1,024 bytes, 64 of each")
        )
    }
}

extension MoveBook: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let id = try work.store.books.resolve(ref)
        let rating = rating
        let move = ShelfMove(move)
        let book = try work.store.books.move(id, move, day: day, rating: rating)
        work.reply(ChangedBook(BookRow(book)))
        return Outcome(.ok)
    }
}

extension RemoveBook: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let id = try work.store.books.resolve(ref)
        return work.start(try RemoveBookJob(work.store, id, withNotes: withNotes))
    }
}

extension LogReading: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let books = work.store.books
        let id = try books.resolve(ref)
        let book = takesBack ? try books.unlog(id) : try books.log(id, day: day, kind, amount, line)
        work.reply(ChangedBook(BookRow(book)))
        return Outcome(.ok)
    }
}

extension ChangeChapter: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let books = work.store.books
        let id = try books.resolve(ref)
        switch change {
        case .put: _ = try books.putChapter(title, in: id, before: other)
        case .move: _ = try books.putChapter(title, in: id, before: other, mustExist: true)
        case .rename:
            let (renamed, new) = try books.chapters(title, other ?? "", in: id)
            guard new == nil || new == renamed else {
                return Outcome(
                    .conflict, "the book has a chapter of that title already",
                    hint: "vault book put BOOK NOTE --chapter TITLE moves notes into it")
            }
            _ = try books.renameChapter(title, to: other ?? "", in: id)
        case .remove: _ = try books.removeChapter(title, in: id)
        }
        work.reply(ShownBook(try books.book(id)))
        return Outcome(.ok)
    }
}

extension ListBookNotes: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let limit = limit == 0 ? Int(ListNotes.limitMax) : Int(limit)
        let offset = (max(Int(page), 1) - 1).multipliedReportingOverflow(by: limit)
        guard !offset.overflow, limit <= Int(ListNotes.limitMax) else { throw VaultError(.badQuery) }
        let id = try work.store.books.resolve(ref)
        let found = try work.store.books.notes(of: id, offset: offset.partialValue, limit: limit)
        var list = BookNoteList()
        list.book = NoteRow(try work.store.notes.listed(id))
        list.sections = found.sections.map { section in
            var shown = BookNoteList.Section()
            shown.chapter = section.chapter?.title
            (shown.notes, shown.count) = (section.notes.map { NoteRow($0) }, section.count)
            return shown
        }
        list.total = found.total
        list.hasMore = offset.partialValue + found.sections.reduce(0) { $0 + $1.notes.count } < found.total
        work.reply(list)
        return Outcome(.ok)
    }
}

extension PlaceNotes: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        let ids = try work.ids(refs)
        var place: NewPlace?
        if let book {
            place = NewPlace(book: try work.store.books.resolve(book), chapter: chapter)
            switch spot {
            case .last: break
            case .first: place?.spot = .first
            case .before: place?.spot = .before(try work.store.notes.resolve(other))
            case .after: place?.spot = .after(try work.store.notes.resolve(other))
            }
        }
        work.reply(ChangedNotes(try work.store.books.put(ids, place)))
        return Outcome(.ok)
    }
}

extension ReadingStatistics: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        var answer = ReadDays()
        answer.days = try work.store.books.days().map { day in
            var read = ReadDays.Day()
            (read.day, read.pages, read.minutes, read.finished) = (day.day, day.pages, day.minutes, day.finished)
            return read
        }
        work.reply(answer)
        return Outcome(.ok)
    }
}
