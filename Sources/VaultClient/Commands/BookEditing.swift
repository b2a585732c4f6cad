// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation
internal import SecretMemory
internal import VaultFormat

/// `BookFactOptions` holds what a person says of a book.
struct BookFactOptions: Sendable, Equatable, ArgumentGroup {
    var subtitle: String?
    var authors: [String] = []
    var publishers: [String] = []
    var published: String?
    var identifiers: [String] = []
    var pages: UInt32?
    var language: String?
    var description: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.option(&authors, "author", value: "name", "An author; may be given more than once.")
        list.option(&subtitle, "subtitle", value: "text", "The subtitle.")
        list.option(&publishers, "publisher", value: "name", "A publisher; may be given more than once.")
        list.option(&published, "published", value: "date", "When it was published, in any form.")
        list.option(
            &identifiers, "identifier", value: "kind:value",
            "Such as isbn13:9780441013593; may be given more than once.")
        list.option(&pages, "pages", value: "n", "How many pages it has.")
        list.option(&language, "language", value: "code", "Its language, such as en.")
        list.option(&description, "description", value: "text", "Its description; '-' reads standard input.")
    }

    func facts(_ context: Context) throws(ClientFailure) -> BookFacts {
        var facts = BookFacts()
        (facts.subtitle, facts.published, facts.pages, facts.language) = (subtitle, published, pages, language)
        if !authors.isEmpty { facts.authors = authors }
        if !publishers.isEmpty { facts.publishers = publishers }
        if !identifiers.isEmpty { facts.identifiers = identifiers }
        if let description { facts.description = try TextInput.read([description], context: context) }
        for text in [subtitle, published, language].compactMap({ $0 }) + authors + publishers + identifiers {
            let count = text.utf8.count
            guard count <= BookDetails.nameByteCountMax else {
                throw .tooLong(text, "text", count: count, max: BookDetails.nameByteCountMax)
            }
        }
        return facts
    }
}

struct BookEditCommand: Command {
    static let name = "edit"
    static var spec: Spec {
        Spec(
            "Change a book's details.",
            discussion: "Without an option it opens the book's description in your editor.",
            examples: [
                "vault book edit Dune --rating 4.5 --pages 612": "Change its rating and its number of pages.",
                "vault book edit Dune": "Write its description in your editor.",
            ])
    }
    var book = ""
    var title: String?
    var rating: String?
    var options = BookFactOptions()
    var editor = EditorOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&book, "book", "The book.")
        list.option(&title, "title", "The title.")
        list.option(&rating, "rating", value: "stars", "0 to 5 stars, in quarters.")
        options.declare(&list)
        editor.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let ref = try NameCheck.short(book, "book")
        if title == nil, rating == nil, options == BookFactOptions() {
            return try EditCommand.run(.note(ref: BookReference.id(ref, context)), editor, context)
        }
        var change = ChangeBook(ref: ref)
        change.title = try title.map { title throws(ClientFailure) in try NameCheck.short(title, "title") }
        change.rating = try BookRating.parse(rating)
        change.facts = try options.facts(context)
        return try context.send(change)
    }
}

/// `BookReference` finds the note that a book is.
enum BookReference {
    static func id(_ ref: String, _ context: Context) throws(ClientFailure) -> String {
        try Session.with(context) { conversation throws(ClientFailure) in try shown(ref, &conversation).book.note.id }
    }

    static func shown(_ ref: String, _ conversation: inout Conversation) throws(ClientFailure) -> ShownBook {
        let (outcome, replies) = try conversation.ask(ShowBook(ref: ref))
        try Session.require(outcome)
        guard let shown = replies.first else { throw ClientFailure(.other, "the agent sent no book") }
        return shown
    }
}

struct BookCoverCommand: Command {
    static let name = "cover"
    static var spec: Spec {
        Spec(
            "Show, write, set or remove a book's cover.",
            examples: [
                "vault book cover Dune": "Draw it in the terminal.",
                "vault book cover Dune -o dune.jpg": "Write it to a new file, unencrypted.",
                "vault book cover Dune --set scan.jpg": "Take another picture for it.",
            ])
    }
    var book = ""
    var output: String?
    var set: String?
    var remove = false
    var images: PictureChoice?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&book, "book", "The book.")
        list.option(
            &output, "output", letter: "o", value: "path", "A new file; '-' is standard output.", completion: .file)
        list.option(&set, "set", value: "file", "The picture that becomes the cover.", completion: .file)
        list.flag(&remove, "remove", "Remove the cover.")
        list.option(&images, "images", "How to show the picture.")
    }

    var complaint: String? {
        [output != nil, set != nil, remove].count { $0 } > 1
            ? "only one of --output, --set and --remove can be given" : nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let ref = try NameCheck.short(book, "book")
        if let set { return try put(set, on: ref, context) }
        let shown = try Session.with(context) { conversation throws(ClientFailure) in
            try BookReference.shown(ref, &conversation)
        }
        guard !shown.cover.isEmpty else {
            throw ClientFailure(.notFound, "this book has no cover", hint: "vault book cover ID --set FILE")
        }
        let id = shown.book.note.id
        if let output { return try AttachCommands.get(id, shown.cover, output: output, range: nil, context) }
        if remove {
            return try Session.with(context) { conversation throws(ClientFailure) in
                var change = ChangeBook(ref: id)
                change.cover = ""
                conversation.dropsOutput = true
                try Session.require(try conversation.perform(change))
                conversation.dropsOutput = false
                return try conversation.perform(RemoveAttachments(ref: id, names: [shown.cover]))
            }
        }
        return try draw(id, context)
    }

    private func draw(_ id: String, _ context: Context) throws(ClientFailure) -> Outcome {
        guard PictureScreen.mayShow(context) else {
            throw ClientFailure(
                .usage, "a picture can only be drawn on a terminal", hint: "vault book cover ID -o FILE")
        }
        return try Session.with(context) { conversation throws(ClientFailure) in
            conversation.agent.traits.wantsPictures = true
            conversation.dropsOutput = true
            let outcome = try conversation.perform(ShowNotes(refs: [id], raw: false, withDetails: true))
            try PictureScreen.show(
                conversation.takePictures(), images ?? context.settingsOrDefaults.images, context)
            return outcome
        }
    }

    private func put(_ path: String, on ref: String, _ context: Context) throws(ClientFailure) -> Outcome {
        let kinds = FileKinds()
        try kinds.start()
        return try Session.with(context) { conversation throws(ClientFailure) in
            let id = try BookReference.shown(ref, &conversation).book.note.id
            let before = try Self.attachments(of: id, &conversation)
            conversation.dropsOutput = true
            let outcome = try AttachCommands.add(AttachOptions(note: id, files: [path]), kinds, &conversation)
            conversation.dropsOutput = false
            guard outcome.code == .ok else { return outcome }
            let known = Set(before.map(\.id))
            guard let added = try Self.attachments(of: id, &conversation).first(where: { !known.contains($0.id) })
            else { throw ClientFailure(.other, "the agent did not say what it attached") }
            guard added.kind == .photo else {
                conversation.dropsOutput = true
                _ = try conversation.perform(RemoveAttachments(ref: id, names: [added.id]))
                throw .usage("this file is not a picture", hint: "vault book cover ID --set FILE.jpg")
            }
            var change = ChangeBook(ref: id)
            change.cover = added.id
            return try conversation.perform(change)
        }
    }

    private static func attachments(
        of id: String, _ conversation: inout Conversation
    ) throws(ClientFailure) -> [AttachmentRow] {
        let (outcome, replies) = try conversation.ask(ListAttachments(ref: id, kind: nil))
        try Session.require(outcome)
        return replies.flatMap(\.attachments)
    }
}
