// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import NIOConcurrencyHelpers
internal import NIOHTTP1
internal import Presentation
internal import SecretMemory

/// `RemoteRoutes` tells where the vault is synced, and signs in to it: to Dropbox with a code, to others by
/// what rclone asks.
enum RemoteRoutes {
    private static let codeByteCountMax = 512
    /// A token of a service's, and a byte before it.
    private static let answerByteCountMax = 8193

    static let all: [Route] = [
        Route(.POST, "/api/remotes", .nothing) { site, _ throws(ClientFailure) in try site.asked(ListRemotes()) },
        Route(.POST, "/api/sync/status", .nothing) { site, _ throws(ClientFailure) in try site.asked(SyncStatus()) },
        Route(.POST, "/api/remote/signin", .fields(8192), begin),
        Route(.POST, "/api/remote/code", .bytes(codeByteCountMax), isSecret: true, end),
        Route(.POST, "/api/remote/ask", .fields(8192)) { site, exchange throws(ClientFailure) in
            let fields = try exchange.fields()
            return answer(
                try site.rcloneSignIn.begin(fields.text("name"), fields.text("service"), fields.text("place")))
        },
        Route(.POST, "/api/remote/answer", .bytes(answerByteCountMax), isSecret: true) {
            site, exchange throws(ClientFailure) in
            answer(try site.rcloneSignIn.answer(exchange.takeSecret(max: answerByteCountMax)))
        },
        Route(.POST, "/api/remote/next", .nothing) { site, _ throws(ClientFailure) in
            answer(try site.rcloneSignIn.next())
        },
        Route(.POST, "/api/remote/stop", .nothing) { site, _ in
            site.rcloneSignIn.end()
            return .json(Array("{}".utf8))
        },
    ]

    /// What a program says is an answer of JSON, also of a failure.
    private static func answer(_ said: RcloneSignIn.Said) -> Answer {
        Answer(Answer.status(said.end ?? .ok), said.line, "application/json")
    }

    /// Names the page on which somebody lets this device in. What the code is good for stays on this connection, so it
    /// is kept until the code comes; a new one takes its place.
    @Sendable private static func begin(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let fields = try exchange.fields()
        let line = try site.agents.new()
        let signIn: SignIn
        if let name = fields["name"] {
            var setting = SetRemote(name: name, newName: "", hasSecret: true)
            setting.signsIn = true
            signIn = SignIn(line: line, order: .again(setting))
        } else {
            // Before somebody signs in for nothing.
            let (outcome, lists) = try line.connection.ask(ListRemotes())
            guard outcome.code == .ok else { return .failure(outcome) }
            let taken = lists.flatMap(\.remotes).map(\.name)
            let names = ["dropbox"] + (2...9).map { "dropbox\($0)" }
            guard let name = names.first(where: { !taken.contains($0) }) else {
                throw ClientFailure(.conflict, "there are too many remotes", hint: "vault remote rm, in a terminal")
            }
            var adding = AddRemote(name: name, kind: .dropbox, place: Array(fields.text("key").utf8))
            adding.signsIn = true
            signIn = SignIn(line: line, order: .first(adding))
        }
        let (outcome, pages) = try signIn.line.connection.ask(signIn.start)
        guard outcome.code == .ok, let page = pages.first else { return .failure(outcome) }
        site.signIn.withLockedValue { $0 = signIn }
        return .json(JSONText.object([("address", .string(page.address))]).encoded)
    }

    /// Takes the code, once.
    @Sendable private static func end(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let secret = try SignInCode.secret(exchange.takeSecret())
        let signIn = site.signIn.withLockedValue { signIn in
            defer { signIn = nil }
            return signIn
        }
        guard let signIn else { throw .usage("nobody has begun to sign in", hint: "begin again") }
        switch signIn.order {
        case .again(let setting): return try signIn.line.asked(setting, Enclosure(secret: secret))
        case .first(let adding): return try signIn.line.asked(adding, Enclosure(secret: secret))
        }
    }
}

/// `SignIn` is one that has begun and waits for its code.
struct SignIn: Sendable {
    enum Order: Sendable {
        case again(SetRemote)
        case first(AddRemote)
    }

    let line: AgentLine
    let order: Order

    var start: StartSignIn {
        switch order {
        case .again(let setting): StartSignIn(again: setting.name)
        case .first(let adding): StartSignIn(of: adding)
        }
    }
}
