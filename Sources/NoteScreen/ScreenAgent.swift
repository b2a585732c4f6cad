// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc

/// `ScreenAgent` asks the agent, and lets keys be heard while its answer takes long.
final class ScreenAgent {
    private let location: VaultLocation
    private let traits: ClientTraits
    private var connection: AgentConnection
    /// Called while an answer is waited for, ten times a second; true gives it up.
    var whileWaiting: () -> Bool = { false }
    /// Nobody pressed a key for what is asked: the time until the vault locks by itself goes on.
    var isUnattended = false

    private static let millisecondsBetween: Int32 = 100

    init(_ location: VaultLocation, _ traits: ClientTraits) throws(ClientFailure) {
        (self.location, self.traits) = (location, traits)
        connection = try Self.connected(location, traits)
    }

    private static func connected(
        _ location: VaultLocation, _ traits: ClientTraits
    ) throws(ClientFailure) -> AgentConnection {
        guard let connection = try AgentConnection.toRunning(location, traits: traits) else {
            throw ClientFailure(.locked, "the vault is locked", hint: "vault tui asks for its password")
        }
        return connection
    }

    /// Begins anew, with the agent that has the vault open now.
    ///
    /// - Throws: `.locked` when nobody has.
    func connectAgain() throws(ClientFailure) { connection = try Self.connected(location, traits) }

    /// Whether the vault is open.
    var isOpen: Bool { (try? Self.connected(location, traits)) != nil }

    /// Sends a request and waits for all of its answer.
    ///
    /// - Throws: `.interrupted` when it was given up.
    func ask<Asked: Operation>(_ operation: Asked) throws(ClientFailure) -> [Asked.Reply] {
        connection.traits.isUnattended = isUnattended
        try connection.send(operation)
        var replies: [Asked.Reply] = []
        while true {
            var look = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&look, 1, Self.millisecondsBetween) == 0 {
                if !connection.wasInterrupted, whileWaiting() { try connection.cancel() }
                continue
            }
            guard let event = try connection.next() else { continue }
            switch event {
            case .reply(let bytes): replies.append(try connection.reply(bytes, to: operation))
            case .end(let outcome):
                try outcome.require()
                return replies
            case .notice, .progress, .editText, .attachment, .picture, .secret: break
            }
        }
    }
}
