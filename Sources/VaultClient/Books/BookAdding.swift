// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import BookServices
internal import ParserProtocol
internal import Presentation
internal import VaultFormat

/// `BookAdding` adds a book that a service described, with its cover: from then on no network is needed to show it.
enum BookAdding {
    /// What came of it.
    struct Added {
        var outcome: Outcome
        var book = BookRow()
        /// Why it has no cover, where its service has one.
        var trouble: (message: String, hint: String)?
    }

    /// Says what is to be added of what a service said.
    static func request(_ book: ParsedNote, _ shelf: BookShelf, _ said: BookFacts = BookFacts()) -> AddBook {
        var add = AddBook()
        (add.shelf, add.title, add.source) = (shelf, book.title ?? "", book.sourceKey)
        add.facts = FoundBooks.facts(of: book, said)
        return add
    }

    /// Adds it, tells of a cover that could not be fetched, and shows it.
    ///
    /// - Parameter lookup: fetches the cover; nil for none.
    static func run(
        _ add: AddBook, _ book: ParsedNote, _ lookup: BookLookup?, _ conversation: inout Conversation
    ) throws(ClientFailure) -> Outcome {
        let added = try self.add(add, book, lookup, &conversation)
        guard added.outcome.code == .ok else { return added.outcome }
        if let trouble = added.trouble {
            Streams.warn(trouble.message)
            if !trouble.hint.isEmpty { Streams.say("vault: hint: \(trouble.hint)") }
        }
        try conversation.show([ChangedBook(added.book)], of: add)
        return Outcome(.ok)
    }

    /// Adds it. A book without its cover is a book all the same.
    static func add(
        _ add: AddBook, _ book: ParsedNote, _ lookup: BookLookup?, _ conversation: inout Conversation
    ) throws(ClientFailure) -> Added {
        let (outcome, replies) = try conversation.ask(add)
        var added = Added(outcome: outcome)
        guard outcome.code == .ok, let row = replies.first?.book else { return added }
        added.book = row
        guard let lookup, let details = book.book, !details.coverAddress.isEmpty else { return added }
        do throws(ClientFailure) { try takeCover(lookup, details, &added, &conversation) } catch {
            // The book is in the vault, whatever becomes of its cover.
            added.trouble = (
                "the book was added without its cover: \(error.outcome.message)", "vault book show \(row.note.shortID)"
            )
        }
        return added
    }

    private static func takeCover(
        _ lookup: BookLookup, _ details: ParsedBook, _ added: inout Added, _ conversation: inout Conversation
    ) throws(ClientFailure) {
        let row = added.book
        switch try lookup.cover(of: details, over: &conversation) {
        case .failure(let failure):
            added.trouble = (
                "the book was added without its cover: \(failure.message)",
                "\(failure.hint); vault book cover \(row.note.shortID) --set FILE"
            )
        case .success(nil):
            added.trouble = (
                "the book was added without its cover: the file sent is not a supported picture", ""
            )
        case .success(let cover?): added.book = try attach(cover, to: row.note.id, &conversation) ?? row
        }
    }

    private static func attach(
        _ cover: BookLookup.Cover, to id: String, _ conversation: inout Conversation
    ) throws(ClientFailure) -> BookRow? {
        var file = AddedFile(name: "cover.jpg", kind: .photo, mediaType: "image/jpeg")
        (file.width, file.height, file.isStripped) = (cover.width, cover.height, true)
        let source = try MemoryFile(cover.jpeg)
        let put = try conversation.request(
            PutAttachment(ref: id, file: file), Enclosure(descriptor: source.descriptor))
        try Session.require(put.outcome)
        let (outcome, replies) = try conversation.ask(CommitAttachments(ref: id))
        try Session.require(outcome)
        guard let attached = replies.flatMap(\.attachments).last else {
            throw ClientFailure(.other, "the agent did not say what it attached")
        }
        var change = ChangeBook(ref: id)
        change.cover = attached.id
        let changed = try conversation.ask(change)
        try Session.require(changed.outcome)
        return changed.replies.first?.book
    }
}
