// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
public import VaultFormat

/// This extension changes books. Each call is one durable transaction, and one step of `undo`.
extension Books {
    /// Saves a new book.
    ///
    /// - Throws: `VaultError.empty` without a title, `.tooLarge`, `.readOnly`, `.saveFailed`.
    public func add(_ draft: BookDraft) throws(VaultError) -> BookSummary {
        guard !draft.title.isEmpty else { throw VaultError(.empty) }
        var note = NoteDraft(body: draft.description, title: draft.title)
        note.tags = draft.tags
        note.source = draft.source
        var record = try NoteRecord(note)
        record.book = draft.details
        return try vault.change(.bookAdd) { transaction in
            try transaction.apply(record, .create, replacing: nil)
            return try transaction.book(of: record.noteID, draft.details)
        }
    }

    /// Changes what a book's record says.
    ///
    /// - Throws: `VaultError.notFound`, `.notABook`, `.tooLarge`, `.readOnly`, `.saveFailed`, and what `body` throws.
    public func change(
        _ id: NoteID, _ kind: ChangeKind, _ body: (inout NoteRecord, inout BookDetails) throws(VaultError) -> Void
    ) throws(VaultError) -> BookSummary {
        try vault.history.naming(id) { () throws(VaultError) in
            try vault.change(kind) { transaction in
                try transaction.changeBook(id) { (record, book) throws in try body(&record, &book) }
            }
        }
    }

    /// Puts a book on another shelf.
    ///
    /// - Parameters:
    ///   - day: today in the reader's calendar, in days since 1970-01-01.
    ///   - rating: in quarters of a star; nil leaves it.
    /// - Throws: `VaultError.wrongShelf`, and as `change`.
    public func move(
        _ id: NoteID, _ move: ShelfMove, day: UInt32, rating: UInt8? = nil
    ) throws(VaultError) -> BookSummary {
        try change(id, .bookShelf) { (_, book) throws(VaultError) in
            try book.move(move, day: day)
            if let rating { book.rating = rating }
        }
    }

    /// Moves a book to the trash. Its notes become ordinary notes until it is restored.
    ///
    /// - Parameter withNotes: true moves its notes to the trash too.
    /// - Returns: how many notes were moved with it.
    /// - Throws: as `change`.
    public func remove(_ id: NoteID, withNotes: Bool) throws(VaultError) -> Int {
        var removal = try BookRemoval(self, id, withNotes: withNotes)
        while try removal.step() {}
        return removal.noteCount
    }

    /// Puts notes into a book, in their order, or takes them out of the one that they are in.
    ///
    /// - Parameter place: nil for no book.
    /// - Throws: `VaultError.notFound`, `.isBook` for a book among the notes, `.notABook`, `.noteLocked`, `.tooLarge`,
    ///   `.readOnly`, `.saveFailed`; then nothing is changed.
    public func put(_ notes: [NoteID], _ place: NewPlace?) throws(VaultError) -> [NoteSummary] {
        try vault.change(.bookNotes) { transaction in
            var placing = try place.map { try Placing($0, besides: Set(notes), transaction) }
            try placing?.makeRoom(for: notes.count, transaction)
            for id in notes {
                guard try !transaction.isBook(id) else { throw VaultError(.isBook) }
                let head = try transaction.head(of: id)
                var record = head.record
                record.bookPlace = try placing?.next(transaction)
                guard record != head.record else { continue }
                try transaction.apply(record, .edit, replacing: (head.revision, head.record))
            }
            return try notes.map { try transaction.summary(of: $0) }
        }
    }
}

extension Transaction {
    /// Changes a book's record, in this transaction.
    @discardableResult
    func changeBook(_ id: NoteID, _ body: (inout NoteRecord, inout BookDetails) throws -> Void) throws -> BookSummary {
        guard try isPresent(id) else { throw VaultError(.notFound) }
        guard try isBook(id) else { throw VaultError(.notABook) }
        let head = try head(of: id)
        guard var book = head.record.book else { throw VaultError(.notABook) }
        var record = head.record
        try body(&record, &book)
        record.book = book
        guard record.title?.isEmpty == false else { throw VaultError(.empty) }
        try saveEdited(record, over: (head.revision, head.record))
        return try self.book(of: id, book)
    }

    /// Returns where a new note is to stand; the chapter is added to the book if it is not there.
    func newPlace(_ place: NewPlace) throws -> BookPlace {
        var placing = try Placing(place, besides: [], self)
        try placing.makeRoom(for: 1, self)
        return try placing.next(self)
    }
}

/// `Placing` gives notes their places in a chapter of a book, one behind the other.
private struct Placing {
    private let book: NoteID
    private let chapter: ChapterID?
    /// The notes of the chapter that stand before and behind the new ones.
    private var before: [(note: NoteID, position: Int64)]
    private var behind: [(note: NoteID, position: Int64)]
    private var step: Int64 = Self.distance
    private var last: Int64 = 0

    /// Room for many notes between two that were added one after the other.
    private static let distance: Int64 = 1 << 20
    private static let positions: ClosedRange<Int64> = -(1 << 60)...(1 << 60)

    /// Finds the place.
    ///
    /// - Parameter moved: notes that are to be moved: where they stand now does not count.
    init(_ place: NewPlace, besides moved: Set<NoteID>, _ transaction: Transaction) throws {
        book = place.book
        guard try transaction.isListedBook(book) else {
            throw VaultError(try transaction.isPresent(book) ? .notABook : .notFound)
        }
        var wanted = try place.chapter.map { try transaction.chapter(titled: $0, of: place.book) }
        // Of a chapter that the book does not have any more a note stands before all chapters.
        let known = Set(try transaction.bookRecord(book).details.chapters.map(\.id))
        let all = try transaction.places(in: book).map { place in
            (note: place.note, chapter: place.chapter.flatMap { known.contains($0) ? $0 : nil }, at: place.position)
        }
        if let anchor = place.spot.anchor {
            guard let there = all.first(where: { $0.note == anchor }) else { throw VaultError(.notInBook) }
            if place.chapter == nil { wanted = there.chapter }
            guard there.chapter == wanted else { throw VaultError(.notInBook) }
        }
        chapter = wanted
        let here = all.filter { $0.chapter == wanted }
        let at: Int
        switch place.spot {
        case .last: at = here.count
        case .first: at = 0
        case .before(let note): at = here.firstIndex { $0.note == note } ?? here.count
        case .after(let note): at = here.firstIndex { $0.note == note }.map { $0 + 1 } ?? here.count
        }
        let stays = { (notes: ArraySlice<(note: NoteID, chapter: ChapterID?, at: Int64)>) in
            notes.filter { !moved.contains($0.note) }.map { (note: $0.note, position: $0.at) }
        }
        (before, behind) = (stays(here[..<at]), stays(here[at...]))
    }

    /// Sees to it that positions are left between the notes before and those behind; if there are none, the chapter's
    /// notes behind get new ones.
    mutating func makeRoom(for count: Int, _ transaction: Transaction) throws {
        // Sums of positions of another device, or of a file, never leave the range of a number.
        let isFar = (before + behind).contains { !Self.positions.contains($0.position) }
        guard !isFar else { return try number(room: count, transaction) }
        last = before.last?.position ?? (behind.first.map { $0.position - Self.distance * Int64(count + 1) } ?? 0)
        guard let next = behind.first else { return }
        step = (next.position - last) / Int64(count + 1)
        guard step < 1 else { return }
        step = Self.distance
        var position = last + step * Int64(count)
        for (note, old) in behind {
            position += Self.distance
            guard old < position else { break }
            try move(note, to: position, transaction)
        }
    }

    /// Gives all notes of the chapter new positions, and leaves room.
    private mutating func number(room: Int, _ transaction: Transaction) throws {
        for (number, note) in (before.map(\.note) + behind.map(\.note)).enumerated() {
            let place = number + 1 + (number < before.count ? 0 : room)
            try move(note, to: Self.distance * Int64(place), transaction)
        }
        (last, step) = (Self.distance * Int64(before.count), Self.distance)
    }

    private func move(_ note: NoteID, to position: Int64, _ transaction: Transaction) throws {
        let head = try transaction.head(of: note)
        var record = head.record
        record.bookPlace = BookPlace(book: book, chapter: chapter, position: position)
        guard record != head.record else { return }
        try transaction.apply(record, .edit, replacing: (head.revision, head.record))
    }

    mutating func next(_ transaction: Transaction) throws -> BookPlace {
        last += step
        return BookPlace(book: book, chapter: chapter, position: last)
    }
}
