// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import NIOConcurrencyHelpers
internal import WebProtocol

/// `AgentLine` is a connection to an agent that one worker at a time uses.
final class AgentLine: @unchecked Sendable {
    var connection: AgentConnection

    init(_ connection: consuming AgentConnection) { self.connection = connection }

    /// Greets the agent at the other end of a socket.
    convenience init(_ descriptor: Int32, _ start: WebStart, isNew: Bool = false) throws(ClientFailure) {
        var traits = ClientTraits()
        traits.timeZone = start.timeZone
        traits.snippetColumns = 160
        traits.readsTags = start.readsTags
        self.init(
            try AgentConnection(
                Channel(taking: descriptor), traits: traits, directory: isNew ? [] : start.identity, isNew: isNew))
    }
}

/// `AgentPool` keeps a few connections to the agent, so that a request need not greet it first.
final class AgentPool: Sendable {
    private static let idleCountMax = 4
    private let start: WebStart
    private let supervisor: Supervisor
    private let idle = NIOLockedValueBox<[AgentLine]>([])

    init(_ start: WebStart, _ supervisor: Supervisor) { (self.start, self.supervisor) = (start, supervisor) }

    /// Lends a connection. One on which something failed is not used again.
    ///
    /// - Parameter isByHand: whether a person asked: only that counts as use of the vault.
    func with<R>(
        isByHand: Bool = true, _ body: (AgentLine) throws(ClientFailure) -> R
    ) throws(ClientFailure) -> R {
        if let line = idle.withLockedValue({ $0.popLast() }) {
            line.connection.traits.isUnattended = !isByHand
            // One that idled may have been locked since: then there is a new one to ask, or none.
            if line.isAlive { return try use(line, body) }
        }
        let line = try new()
        line.connection.traits.isUnattended = !isByHand
        return try use(line, body)
    }

    /// Returns a connection that is nobody else's.
    func new() throws(ClientFailure) -> AgentLine { try AgentLine(try supervisor.agent(), start) }

    private func use<R>(_ line: AgentLine, _ body: (AgentLine) throws(ClientFailure) -> R) throws(ClientFailure) -> R {
        let result = try body(line)
        idle.withLockedValue { if $0.count < Self.idleCountMax { $0.append(line) } }
        return result
    }

    /// Keeps a connection that was made elsewhere.
    func keep(_ line: AgentLine) { idle.withLockedValue { if $0.count < Self.idleCountMax { $0.append(line) } } }

    func forgetAll() { idle.withLockedValue { $0.removeAll() } }
}

extension AgentLine {
    /// Whether the agent has said nothing since the last answer, and has not gone.
    var isAlive: Bool {
        var look = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&look, 1, 0) == 0
    }
}
