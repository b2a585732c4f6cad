// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import MarkdownHTML
internal import NIOHTTP1
internal import Presentation
internal import VaultFormat

/// `NoteRoutes` lists, finds, shows and arranges notes.
enum NoteRoutes {
    private static let fields = Route.Content.fields(64 << 10)

    static let all: [Route] = [
        Route(.POST, "/api/list", fields, list),
        Route(.POST, "/api/search", fields, search),
        Route(.POST, "/api/show", fields, show),
        Route(.POST, "/api/preview", .bytes(Frame.noteByteCountMax)) { _, exchange throws(ClientFailure) in
            guard let text = String(validating: exchange.body, as: UTF8.self) else {
                throw .usage("the text is not UTF-8", hint: "")
            }
            return .json(MarkdownNodes.json(text) ?? Array("[]".utf8))
        },
        Route(.POST, "/api/tags", .nothing) { site, _ throws(ClientFailure) in try site.asked(ListTags()) },
        Route(.POST, "/api/notebooks", .nothing) { site, _ throws(ClientFailure) in try site.asked(ListNotebooks()) },
        Route(.POST, "/api/links", fields) { site, exchange throws(ClientFailure) in
            try site.asked(ListLinks(ref: exchange.fields().text("id")))
        },
        Route(.POST, "/api/backlinks", fields) { site, exchange throws(ClientFailure) in
            try site.asked(ListBacklinks(ref: exchange.fields().text("id")))
        },
        Route(.POST, "/api/create", .fields(3 * Frame.noteByteCountMax), create),
        Route(.POST, "/api/change", fields, change),
        Route(.POST, "/api/trash", fields) { site, exchange throws(ClientFailure) in
            try site.asked(TrashNotes(refs: exchange.fields().all("id")))
        },
        Route(.POST, "/api/restore", fields) { site, exchange throws(ClientFailure) in
            try site.asked(RestoreNotes(refs: exchange.fields().all("id")))
        },
        Route(.POST, "/api/empty", .nothing) { site, _ throws(ClientFailure) in try site.asked(EmptyTrash()) },
        Route(.POST, "/api/duplicate", fields) { site, exchange throws(ClientFailure) in
            try site.asked(DuplicateNote(ref: exchange.fields().text("id")))
        },
    ]

    @Sendable private static func list(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let fields = try exchange.fields()
        var request = ListNotes()
        request.place = places[fields.text("place")] ?? .live
        request.tag = fields["tag"]
        request.notebook = fields["notebook"]
        request.filter = fields.text("filter")
        request.sort = sorts[fields.text("sort")] ?? .modified
        request.reverse = fields.flag("reverse")
        request.limit = min(fields.number("limit") ?? 100, 1000)
        request.page = max(1, fields.number("page") ?? 1)
        return try site.asked(request, isByHand: !fields.flag("unattended"))
    }

    private static let places: [String: ListPlace] = [
        "live": .live, "trash": .trash, "archive": .archive, "template": .template,
    ]
    private static let sorts: [String: SortKey] = [
        "modified": .modified, "created": .created, "title": .title, "size": .size,
    ]

    @Sendable private static func search(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let fields = try exchange.fields()
        var request = SearchNotes(query: fields.text("query"))
        request.sort = sorts[fields.text("sort")]
        request.limit = min(fields.number("limit") ?? 100, 1000)
        request.page = max(1, fields.number("page") ?? 1)
        return try site.asked(request, isByHand: !fields.flag("unattended"))
    }

    /// Answers with the note as `vault show --json` has it, and its text as nodes.
    @Sendable private static func show(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let fields = try exchange.fields()
        let request = ShowNotes(refs: [fields.text("id")], raw: false, withDetails: true)
        let isByHand = !fields.flag("unattended")
        return try site.agents.with(isByHand: isByHand) { line throws(ClientFailure) in
            let (outcome, replies) = try line.connection.ask(request)
            guard outcome.code == .ok, let shown = replies.first else { return .failure(outcome) }
            let nodes = MarkdownNodes.json(shown.body) ?? Array("[]".utf8)
            let titleIsSet = shown.titleIsSet ? "true" : "false"
            return .json(
                Array("{\"shown\":".utf8) + AgentLine.json(request, replies)
                    + Array(",\"titleIsSet\":\(titleIsSet),\"nodes\":".utf8) + nodes + Array("}".utf8))
        }
    }

    @Sendable private static func create(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let fields = try exchange.fields()
        var note = NewNote(text: fields.text("text"))
        note.title = fields["title"]
        note.tags = fields.all("tag")
        note.notebook = fields.text("notebook")
        (note.book, note.chapter) = (fields["book"], fields["chapter"])
        return try site.asked(CreateNote(note))
    }

    @Sendable private static func change(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let fields = try exchange.fields()
        let change: FieldChange
        switch fields.text("what") {
        case "title": change = .title(fields["value"])
        case "tag": change = .tag(fields.all("value"))
        case "untag": change = .untag(fields.all("value"))
        case "notebook": change = .notebook(fields.text("value"))
        case "pin": change = .flag(.pinned, fields.flag("value"))
        case "archive": change = .flag(.archived, fields.flag("value"))
        default: throw .usage("nothing is to be changed", hint: "")
        }
        return try site.asked(ModifyNotes(refs: fields.all("id"), change: change))
    }
}
