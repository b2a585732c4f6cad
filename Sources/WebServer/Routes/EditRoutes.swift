// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import NIOHTTP1
internal import Presentation

/// `EditRoutes` begins edits, keeps what is typed, and ends them.
enum EditRoutes {
    private static let text = Route.Content.bytes(Frame.noteByteCountMax)

    static let all: [Route] = [
        Route(.POST, "/api/edit", .fields(64 << 10), begin),
        Route(.POST, "/api/edit/*/journal", text) { site, exchange throws(ClientFailure) in
            // What the page saves by itself is no use of the vault: the agent knows how long an edit holds it open.
            try ask(site, exchange, isByHand: false, ends: false) { JournalEdit(text: $0) }
        },
        Route(.POST, "/api/edit/*/commit", text) { site, exchange throws(ClientFailure) in
            try ask(site, exchange, isByHand: true, ends: true) { CommitEdit(text: $0) }
        },
        Route(.POST, "/api/edit/*/keep", text) { site, exchange throws(ClientFailure) in
            // The page is closed: its text becomes a draft with the end of its line.
            try ask(site, exchange, isByHand: false, ends: true) { JournalEdit(text: $0) }
        },
        Route(.POST, "/api/edit/*/leave", .nothing) { site, exchange throws(ClientFailure) in
            try ask(site, exchange, isByHand: true, ends: true) { _ in CancelEdit(leaving: .forget) }
        },
        Route(.POST, "/api/edit/*/discard", .nothing) { site, exchange throws(ClientFailure) in
            try ask(site, exchange, isByHand: true, ends: true) { _ in CancelEdit(leaving: .discard) }
        },
    ]

    /// Begins an edit of a note, a draft, two versions, or a new note.
    @Sendable private static func begin(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let request = BeginEdit(target: target(try exchange.fields()), folder: "")
        let line = try site.edits.new()
        var begun: EditText?
        var isElsewhere = false
        let (outcome, replies) = try line.connection.ask(request) { event in
            switch event {
            case .editText(let text): begun = text
            case .notice(let notice): if notice.kind == .editedElsewhere { isElsewhere = true }
            case .reply, .progress, .attachment, .picture, .secret, .end: break
            }
        }
        guard outcome.code == .ok else { return .failure(outcome) }
        // Two versions that fit together are joined without an edit.
        guard let begun else { return .json(AgentLine.json(request, replies)) }
        guard let text = String(validating: begun.text, as: UTF8.self) else {
            throw ClientFailure(.usage, "this draft is not text", hint: "vault draft show")
        }
        let number = site.edits.add(line)
        return .json(
            JSONText.object([
                ("edit", .int(Int64(number))), ("title", .string(begun.title)), ("text", .string(text)),
                ("isDraft", .bool(begun.origin == .draft)), ("isNew", .bool(begun.origin == .new)),
                ("attachments", .int(Int64(begun.attachmentCount))), ("elsewhere", .bool(isElsewhere)),
            ]).encoded)
    }

    private static func target(_ fields: FormFields) -> EditTarget {
        if let ref = fields["id"] { return .note(ref: ref) }
        if let ref = fields["draft"] { return .draft(ref: ref) }
        if let ref = fields["merge"] { return .heads(ref: ref) }
        if fields.flag("daily") { return .daily(DailyNote()) }
        var note = NewNote(text: fields.text("text"))
        note.tags = fields.all("tag")
        note.notebook = fields.text("notebook")
        (note.book, note.chapter) = (fields["book"], fields["chapter"])
        return .new(note)
    }

    private static func ask<Asked: Presented>(
        _ site: Site, _ exchange: Exchange, isByHand: Bool, ends: Bool, _ operation: ([UInt8]) -> Asked
    ) throws(ClientFailure) -> Answer {
        let number = exchange.parameters[0]
        let line = try site.edits.take(number)
        line.connection.traits.isUnattended = !isByHand
        let answer: Answer
        do throws(ClientFailure) { answer = try line.asked(operation(exchange.body), Enclosure()) } catch {
            site.edits.ended(number)
            throw error
        }
        // A commit that was refused leaves the edit as it was.
        if !ends || answer.status != .ok { site.edits.putBack(line, number) } else { site.edits.ended(number) }
        return answer
    }
}
