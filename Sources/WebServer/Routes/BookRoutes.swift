// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import NIOHTTP1
internal import Presentation
internal import VaultFormat
internal import WebProtocol

/// `BookRoutes` shows books, moves them between their shelves, and arranges the notes that stand in them.
enum BookRoutes {
    private static let fields = Route.Content.fields(64 << 10)

    static let all: [Route] = [
        Route(.POST, "/api/books", fields, list),
        Route(.POST, "/api/book", fields) { site, exchange throws(ClientFailure) in
            let fields = try exchange.fields()
            return try site.asked(ShowBook(ref: fields.text("id")), isByHand: !fields.flag("unattended"))
        },
        Route(.POST, "/api/book/notes", fields, notes),
        Route(.POST, "/api/book/add", fields, add),
        Route(.POST, "/api/book/change", fields, change),
        Route(.POST, "/api/book/move", fields, move),
        Route(.POST, "/api/book/remove", fields) { site, exchange throws(ClientFailure) in
            let fields = try exchange.fields()
            return try site.asked(RemoveBook(ref: fields.text("id"), withNotes: fields.flag("notes")))
        },
        Route(.POST, "/api/book/log", fields, log),
        Route(.POST, "/api/book/chapter", fields, chapter),
        Route(.POST, "/api/book/place", fields, place),
        Route(.GET, "/cover/*", .nothing, cover),
    ]

    @Sendable private static func list(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let fields = try exchange.fields()
        var request = ListBooks()
        request.shelf = try fields["shelf"].map { name throws(ClientFailure) in try BookFields.shelf(name) }
        request.words = fields.text("words")
        request.limit = min(max(1, fields.number("limit") ?? 100), 1000)
        request.page = max(1, fields.number("page") ?? 1)
        return try site.asked(request, isByHand: !fields.flag("unattended"))
    }

    @Sendable private static func notes(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let fields = try exchange.fields()
        var request = ListBookNotes(ref: fields.text("id"))
        request.limit = min(max(1, fields.number("limit") ?? 500), 1000)
        request.page = max(1, fields.number("page") ?? 1)
        return try site.asked(request, isByHand: !fields.flag("unattended"))
    }

    /// Adds a book by hand.
    @Sendable private static func add(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let fields = try exchange.fields()
        var request = AddBook()
        (request.title, request.shelf) = (try BookFields.title(fields), try BookFields.shelf(fields.text("shelf")))
        request.facts = try BookFields.facts(fields)
        return try site.asked(request)
    }

    @Sendable private static func change(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let fields = try exchange.fields()
        var request = ChangeBook(ref: fields.text("id"))
        if fields["title"] != nil { request.title = try BookFields.title(fields) }
        (request.rating, request.facts) = (try BookFields.rating(fields), try BookFields.facts(fields))
        return try site.asked(request)
    }

    private static let moves: [String: BookMove] = ["start": .start, "finish": .finish, "archive": .archive]

    @Sendable private static func move(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let fields = try exchange.fields()
        guard let move = moves[fields.text("to")] else { throw BookFields.malformed }
        var request = MoveBook(ref: fields.text("id"), move, day: try BookFields.day(fields))
        request.rating = try BookFields.rating(fields)
        return try site.asked(request)
    }

    private static let amounts: [String: ReadingLogEntry.Kind] = [
        "": .none, "page": .page, "percent": .percent, "minutes": .minutes,
    ]

    /// Adds a line to a reading log; with `back` it takes the last one away.
    @Sendable private static func log(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let fields = try exchange.fields()
        var request = LogReading(ref: fields.text("id"))
        request.takesBack = fields.flag("back")
        guard !request.takesBack else { return try site.asked(request) }
        guard let kind = amounts[fields.text("kind")] else { throw BookFields.malformed }
        (request.kind, request.day) = (kind, try BookFields.day(fields))
        if kind != .none { request.amount = try BookFields.number(fields, "amount") }
        request.line = fields.text("line")
        return try site.asked(request)
    }

    private static let changes: [String: ChangeChapter.Change] = [
        "put": .put, "move": .move, "rename": .rename, "remove": .remove,
    ]

    @Sendable private static func chapter(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let fields = try exchange.fields()
        guard let change = changes[fields.text("what")] else { throw BookFields.malformed }
        return try site.asked(
            ChangeChapter(
                ref: fields.text("id"), change, title: try BookFields.title(fields), other: fields["other"]))
    }

    private static let spots: [String: PlaceNotes.Spot] = [
        "": .last, "last": .last, "first": .first, "before": .before, "after": .after,
    ]

    /// Puts notes into a book, or out of theirs.
    @Sendable private static func place(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let fields = try exchange.fields()
        guard let spot = spots[fields.text("spot")] else { throw BookFields.malformed }
        var request = PlaceNotes(refs: fields.all("note"), book: fields["book"], chapter: fields["chapter"])
        (request.spot, request.other) = (spot, fields.text("other"))
        return try site.asked(request)
    }

    /// Sends a book's cover, small; as it is where there is no thumbnail of it.
    @Sendable private static func cover(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let id = exchange.parameters[0]
        let request = ShowBook(ref: id)
        let (outcome, replies) = try site.agents.with(isByHand: false) { line throws(ClientFailure) in
            try line.connection.ask(request)
        }
        guard outcome.code == .ok, let book = replies.first else { return .failure(outcome) }
        guard !book.cover.isEmpty else { throw ClientFailure(.notFound, "this book has no cover") }
        let small = try AttachmentRoutes.small(site, note: id, name: book.cover)
        return small.status == .ok ? small : try AttachmentRoutes.get(site, note: id, name: book.cover, range: nil)
    }
}
