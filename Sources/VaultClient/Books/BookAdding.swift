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
    /// - Parameter lookup: fetches the cover; nil for none.
    static func run(
        _ add: AddBook, _ book: ParsedNote, _ lookup: BookLookup?, _ conversation: inout Conversation,
        _ context: Context
    ) throws(ClientFailure) -> Outcome {
        let (outcome, replies) = try conversation.ask(add)
        guard outcome.code == .ok, let added = replies.first?.book else { return outcome }
        var shown = added
        if let lookup, let details = book.book, !details.coverAddress.isEmpty {
            if let withCover = try cover(of: details, lookup, on: added, &conversation) { shown = withCover }
        }
        var reply = ChangedBook()
        reply.book = shown
        try conversation.show([reply], of: add)
        return Outcome(.ok)
    }

    /// Fetches the cover and attaches it. A book without one is a book all the same: what went wrong is told.
    private static func cover(
        of details: ParsedBook, _ lookup: BookLookup, on book: BookRow, _ conversation: inout Conversation
    ) throws(ClientFailure) -> BookRow? {
        switch try lookup.cover(of: details, over: &conversation) {
        case .failure(let failure):
            Streams.warn("the book was added without its cover: \(failure.message)")
            Streams.say("vault: hint: \(failure.hint); vault book cover \(book.note.shortID) --set FILE")
            return nil
        case .success(nil):
            Streams.warn("the book was added without its cover: what was sent is not a picture that is shown")
            return nil
        case .success(let cover?): return try attach(cover, to: book.note.id, &conversation)
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
