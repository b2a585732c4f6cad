// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TextMerge
internal import VaultFormat

/// `RoleJoin` is what two heads of a note come to in what they say of books: the same on every device.
///
/// Field by field, by what both came from; the log and the readings as sets, chapters by their identifiers. Spec:
/// docs/format.md §10.
struct RoleJoin {
    let base: NoteRecord.Role
    let first: NoteRecord.Role
    let second: NoteRecord.Role

    /// What they come to where a person joins them: where both changed one thing, the first one's counts.
    var settled: NoteRecord.Role {
        if let joined { return joined }
        guard case .book(let first) = first, case .book(let second) = second else { return self.first }
        var common = BookDetails(shelf: second.shelf, added: first.added)
        // Without what both came from, what only the second one has is taken.
        if case .book(let base) = base { common = base }
        return .book(BookJoin(base: common, first: first, second: second).settled)
    }

    /// What they come to; nil for a conflict.
    var joined: NoteRecord.Role? {
        if first == second || second == base { return first }
        if first == base { return second }
        guard case .book(let base) = base, case .book(let first) = first, case .book(let second) = second else {
            return nil
        }
        return BookJoin(base: base, first: first, second: second).joined.map { .book($0) }
    }
}

/// `BookJoin` joins two states of a book.
private struct BookJoin {
    let base: BookDetails
    let first: BookDetails
    let second: BookDetails

    var joined: BookDetails? {
        let (book, isClean) = outcome
        return isClean && book.isWithinLimits ? book : nil
    }

    /// Without conflicts: the first one's value counts. Of more than fits, the first one's.
    var settled: BookDetails {
        let book = outcome.book
        return book.isWithinLimits ? book : first
    }

    private var outcome: (book: BookDetails, isClean: Bool) {
        var book = first
        let fits = [
            take(\.shelf, &book), take(\.subtitle, &book), take(\.authors, &book), take(\.publishers, &book),
            take(\.published, &book), take(\.identifiers, &book), take(\.pages, &book), take(\.language, &book),
            take(\.cover, &book), take(\.rating, &book),
        ]
        let (chapters, areClean) = chapters
        book.added = min(first.added, second.added)
        book.readings = FieldMerge.set(base.readings, first.readings, second.readings)
        book.log = FieldMerge.set(base.log, first.log, second.log)
        book.chapters = chapters
        return (book, areClean && fits.allSatisfy { $0 })
    }

    /// Takes the value of the side that changed it.
    ///
    /// - Returns: false when both did and differ.
    private func take<Value: Equatable>(
        _ field: WritableKeyPath<BookDetails, Value>, _ book: inout BookDetails
    ) -> Bool {
        let (value, isConflict) = FieldMerge.value(
            base: base[keyPath: field], ours: first[keyPath: field], theirs: second[keyPath: field])
        book[keyPath: field] = value
        return !isConflict
    }

    /// Those of both, in the order of the side that moved some, each with the title of the side that renamed it.
    private var chapters: ([BookChapter], areClean: Bool) {
        let (inBase, inFirst, inSecond) = (base.chapters.map(\.id), first.chapters.map(\.id), second.chapters.map(\.id))
        let firstMoved = inFirst.filter(inBase.contains) != inBase.filter(inFirst.contains)
        let order =
            firstMoved ? FieldMerge.set(inBase, inFirst, inSecond) : FieldMerge.set(inBase, inSecond, inFirst)
        var chapters: [BookChapter] = []
        var areClean = true
        for id in order {
            let title = { (book: BookDetails) in book.chapters.first { $0.id == id }?.title }
            let (joined, isConflict) = FieldMerge.value(base: title(base), ours: title(first), theirs: title(second))
            // One that a side has removed is not in the order, so that a title of either side is there.
            guard let known = isConflict ? title(first) : joined ?? title(first) ?? title(second) else { continue }
            areClean = areClean && !isConflict
            chapters.append(BookChapter(id: id, title: known))
        }
        return (chapters, areClean)
    }
}

extension NoteRecord {
    /// Joins what another version says of books, with the attachments that it may name as a cover.
    ///
    /// - Parameter base: what both came from; nil where that is gone.
    mutating func takeRole(of other: NoteRecord, base: NoteRecord?) {
        attachments = FieldMerge.set(base?.attachments ?? [], attachments, other.attachments)
        role = RoleJoin(base: base?.role ?? .note, first: role, second: other.role).settled
        mapAttachments { $0 }
    }
}
