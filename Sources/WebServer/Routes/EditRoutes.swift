// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import NIOConcurrencyHelpers
internal import NIOHTTP1
internal import Presentation
internal import WebProtocol

/// `EditLines` holds the edits of this page, each on a connection of its own: the agent ends an edit with its
/// connection, and what was saved of it is a draft then.
final class EditLines: Sendable {
    static let countMax = 8

    private struct State {
        var lines: [UInt32: AgentLine] = [:]
        var last: UInt32 = 0
        /// Edits of which a request is under way.
        var taken: Set<UInt32> = []
    }

    private let start: WebStart
    private let supervisor: Supervisor
    private let state = NIOLockedValueBox(State())

    init(_ start: WebStart, _ supervisor: Supervisor) { (self.start, self.supervisor) = (start, supervisor) }

    /// Returns a new connection for an edit.
    func new() throws(ClientFailure) -> AgentLine { try AgentLine(try supervisor.agent(), start) }

    /// Keeps an edit that has begun, and returns its number. Beyond `countMax` the oldest one ends, and is a draft: its
    /// page was closed without a word, or does not need it.
    func add(_ line: AgentLine) -> UInt32 {
        state.withLockedValue { state in
            if state.lines.count >= Self.countMax, let oldest = state.lines.keys.min() { state.lines[oldest] = nil }
            state.last += 1
            state.lines[state.last] = line
            return state.last
        }
    }

    /// Ends all edits: what was typed in them are drafts.
    func forgetAll() { state.withLockedValue { ($0.lines, $0.taken) = ([:], []) } }

    /// Takes an edit out, to ask something on its connection: nobody else can meanwhile.
    ///
    /// - Throws: `.notFound` for one that has ended, or is being saved.
    func take(_ number: String) throws(ClientFailure) -> AgentLine {
        var line: AgentLine?
        // Another request of the same edit may have it for a moment.
        for _ in 0..<250 {
            line = UInt32(number).flatMap { number in
                state.withLockedValue { state in
                    guard let line = state.lines.removeValue(forKey: number) else { return nil }
                    state.taken.insert(number)
                    return line
                }
            }
            guard line == nil, isTaken(number) else { break }
            usleep(20_000)
        }
        if line == nil, isTaken(number) {
            throw ClientFailure(.conflict, "this edit is being saved", hint: "try it again")
        }
        guard let line else {
            throw ClientFailure(.notFound, "this edit has ended; what was saved of it is a draft", hint: "")
        }
        return line
    }

    func putBack(_ line: AgentLine, _ number: String) {
        guard let number = UInt32(number) else { return }
        state.withLockedValue { state in
            // All edits may have ended meanwhile.
            if state.taken.remove(number) != nil { state.lines[number] = line }
        }
    }

    /// Says that an edit which was taken has ended.
    func ended(_ number: String) {
        if let number = UInt32(number) { state.withLockedValue { _ = $0.taken.remove(number) } }
    }

    private func isTaken(_ number: String) -> Bool {
        UInt32(number).map { number in state.withLockedValue { $0.taken.contains(number) } } ?? false
    }
}

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
