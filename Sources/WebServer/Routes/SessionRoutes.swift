// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import NIOHTTP1
internal import Presentation
internal import WebProtocol

/// `SessionRoutes` begins a session, and opens and locks the vault.
enum SessionRoutes {
    static let all: [Route] = [
        Route(.POST, "/session", .bytes(64), needsSession: false, open),
        Route(.POST, "/api/status", .fields(1024)) { site, exchange throws(ClientFailure) in
            try status(site, isByHand: !exchange.fields().flag("unattended"))
        },
        Route(.POST, "/api/unlock", .bytes(4096), isSecret: true, unlock),
        Route(.POST, "/api/lock", .nothing, lock),
        Route(.POST, "/api/end", .nothing) { site, _ in
            site.finish()
            return .json(Array("{}".utf8))
        },
    ]

    @Sendable private static func open(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        switch site.session.open(exchange.body) {
        case .refused: return Answer(.forbidden)
        case .ended:
            site.finish()
            return Answer(.forbidden)
        case .opened(let key):
            try? site.supervisor.tell(.tokenUsed)
            // The window before is out: what was typed in it are drafts.
            site.edits.forgetAll()
            site.forgetSignIn()
            guard !site.start.isNumeric else { return .json(JSONText.object([("key", .string(key))]).encoded) }
            var answer = Answer.json(Array("{}".utf8))
            answer.fields = [
                ("Set-Cookie", "\(WebSession.cookieName)=\(key); Path=/; Secure; HttpOnly; SameSite=Strict")
            ]
            return answer
        }
    }

    /// Says whether the vault is open; that it is locked is an answer too.
    private static func status(_ site: Site, isByHand: Bool) throws(ClientFailure) -> Answer {
        do throws(ClientFailure) { return try site.asked(ShowStatus(), isByHand: isByHand) } catch {
            guard error.outcome.code == .locked else { throw error }
            return .json(
                JSONText.object([("locked", .bool(true)), ("directory", .string(site.start.name))]).encoded)
        }
    }

    /// Opens the vault in a new agent that stays.
    @Sendable private static func unlock(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let password = try exchange.takeSecret()
        let line = try AgentLine(try site.supervisor.newAgent(), site.start, isNew: true)
        let start = site.start
        try line.connection.require(ProbeVault(directory: start.directory, acceptRollback: false))
        var request = UnlockVault()
        request.stays = true
        (request.idleSeconds, request.noteIdleSeconds) = (start.idleSeconds, start.noteIdleSeconds)
        request.maxSeconds = start.maxSeconds
        let answer = try line.asked(request, Enclosure(secret: password))
        if answer.status == .ok { site.agents.keep(line) }
        return answer
    }

    @Sendable private static func lock(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        do throws(ClientFailure) {
            let line = try site.agents.new()
            try line.connection.require(LockVault())
        } catch { guard error.outcome.code == .locked else { throw error } }
        site.agents.forgetAll()
        site.forgetSignIn()
        var answer = Answer.json(Array("{}".utf8))
        answer.fields = [("Clear-Site-Data", "\"cache\", \"storage\"")]
        return answer
    }
}
