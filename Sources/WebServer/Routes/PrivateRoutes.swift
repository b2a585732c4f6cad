// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import NIOHTTP1
internal import Presentation
internal import SecretMemory

/// `PrivateRoutes` opens notes with passwords of their own, locks them again, and makes notes private. The body is the
/// password and nothing else.
enum PrivateRoutes {
    private static let password = Route.Content.bytes(4096)

    static let all: [Route] = [
        Route(.POST, "/api/private/*/unlock", password, isSecret: true) { site, exchange throws(ClientFailure) in
            try ask(site, exchange, UnlockNote(ref: exchange.parameters[0]))
        },
        Route(.POST, "/api/private/*/protect", password, isSecret: true) { site, exchange throws(ClientFailure) in
            try ask(site, exchange, ProtectNote(ref: exchange.parameters[0], showsTitle: false))
        },
        Route(.POST, "/api/private/*/remove", password, isSecret: true) { site, exchange throws(ClientFailure) in
            try ask(site, exchange, RemoveNotePassword(ref: exchange.parameters[0]))
        },
        Route(.POST, "/api/private/*/lock", .nothing) { site, exchange throws(ClientFailure) in
            try site.asked(LockNotes(refs: exchange.parameters))
        },
    ]

    private static func ask<Asked: Presented>(_ site: Site, _ exchange: Exchange, _ operation: Asked)
        throws(ClientFailure) -> Answer
    {
        let password = try exchange.takeSecret()
        return try site.agents.with { line throws(ClientFailure) in
            try line.asked(operation, Enclosure(secret: password.duplicate()))
        }
    }
}
