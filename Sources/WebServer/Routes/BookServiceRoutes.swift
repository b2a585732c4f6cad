// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import NIOHTTP1
internal import VaultFormat
internal import WebProtocol

/// `BookServiceRoutes` asks book services, by a program that `vault` starts: this server reaches no network. Before its
/// owner has agreed, the answer of each is `{"asks":[addresses]}`, and nothing was sent.
enum BookServiceRoutes {
    private static let secondsMax = 60.0
    /// Questions at once.
    static let countMax = 2

    static let all: [Route] = [
        Route(.POST, "/api/book/search", .bytes(1024)) { site, exchange throws(ClientFailure) in
            try ask(.searchBooks, 0, site, exchange)
        },
        Route(.POST, "/api/book/agree", .bytes(4096)) { site, exchange throws(ClientFailure) in
            try ask(.agreeToBooks, 0, site, exchange)
        },
        Route(.POST, "/api/book/found/*", .bytes(256)) { site, exchange throws(ClientFailure) in
            try ask(.addBook, BookFields.shelf(exchange.parameters[0]).rawValue, site, exchange)
        },
    ]

    private static func ask(
        _ ask: WebAsk, _ number: UInt8, _ site: Site, _ exchange: Exchange
    ) throws(ClientFailure) -> Answer {
        guard site.beginBookQuestion() else {
            throw ClientFailure(.conflict, "book services are being asked already", hint: "wait for the answer")
        }
        defer { site.endBookQuestion() }
        let (said, code) = try ProgramRoutes.answer(
            of: ask, exchange.body, site, number: number, seconds: secondsMax)
        guard said.first == 0x7B, let code = UInt8(exactly: code).flatMap({ ExitCode(rawValue: $0) }) else {
            throw ClientFailure(.other, "the book services could not be asked", hint: "vault book search WORDS")
        }
        return Answer(Answer.status(code), said, "application/json")
    }
}
