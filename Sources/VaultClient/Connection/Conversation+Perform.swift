// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Dates
internal import Presentation
internal import SecretMemory

extension Conversation {
    /// Sends a request and prints its answer as it comes.
    mutating func perform<Asked: Presented>(
        _ operation: Asked, _ enclosure: consuming Enclosure = Enclosure()
    ) throws(ClientFailure) -> Outcome {
        let style = style
        return try exchange(operation, enclosure) { reply in Self.page(of: reply, to: operation, style) }
    }

    mutating func perform(_ operation: some Presented, secret: consuming SecretBytes) throws(ClientFailure) -> Outcome {
        try perform(operation, Enclosure(secret: consume secret))
    }

    mutating func perform(_ operation: some Presented, descriptor: Int32) throws(ClientFailure) -> Outcome {
        try perform(operation, Enclosure(descriptor: descriptor))
    }

    /// Sends a request and gives its answer, of which nothing is printed.
    mutating func ask<Asked: Operation>(
        _ operation: Asked, _ enclosure: consuming Enclosure = Enclosure()
    ) throws(ClientFailure) -> (outcome: Outcome, replies: [Asked.Reply]) {
        let nothing = Page(style)
        var replies: [Asked.Reply] = []
        let outcome = try exchange(operation, enclosure) { reply in
            replies.append(reply)
            return nothing
        }
        return (outcome, replies)
    }

    mutating func ask<Asked: Operation>(
        _ operation: Asked, secret: consuming SecretBytes
    ) throws(ClientFailure) -> (outcome: Outcome, replies: [Asked.Reply]) {
        try ask(operation, Enclosure(secret: consume secret))
    }

    /// Prints what was asked for before.
    func show<Asked: Presented>(_ replies: [Asked.Reply], of operation: Asked) throws(ClientFailure) {
        var page = Page(style)
        for reply in replies { operation.present(reply, on: &page) }
        for piece in page.pieces {
            switch piece {
            case .output(let bytes): try Streams.write(bytes)
            case .talk(let line): if mayTalk(line) { Streams.writeAll(line, to: Streams.talk) }
            }
        }
    }

    /// Returns a reply as a page, with the time at which it is shown: a question may have been open for long.
    private static func page<Asked: Presented>(of reply: Asked.Reply, to operation: Asked, _ style: PageStyle) -> Page {
        var style = style
        style.clock.now = Clock.now
        var page = Page(style)
        operation.present(reply, on: &page)
        return page
    }
}

/// Imports, attachments and unlocks of `AgentClient` run on a conversation: Ctrl-C, notices and progress are then as of
/// every request.
extension Conversation: AgentRequester {
    mutating func send<Asked: Operation>(_ operation: Asked, _ enclosure: consuming Enclosure) throws(ClientFailure) {
        try begin(operation, enclosure)
    }

    mutating func answer<Asked: Operation>(to operation: Asked) throws(ClientFailure) -> (
        outcome: Outcome, replies: [Asked.Reply]
    ) {
        let nothing = Page(style)
        var replies: [Asked.Reply] = []
        let outcome = try awaitEnd(of: operation) { reply in
            replies.append(reply)
            return nothing
        }
        return (outcome, replies)
    }

    mutating func request<Asked: Operation>(
        _ operation: Asked, _ enclosure: consuming Enclosure
    ) throws(ClientFailure) -> (outcome: Outcome, replies: [Asked.Reply]) {
        try ask(operation, enclosure)
    }
}
