// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol

/// `AgentRequester` carries requests to an agent and gives its answers: a connection itself, or a front end's own way
/// of waiting for one.
///
/// What takes more than one request (an unlock, an import, an attachment) is written on this, so that a front end can
/// draw progress, tell notices and cancel meanwhile.
public protocol AgentRequester: ~Copyable {
    /// Sends a request with what belongs to it; `answer` must follow.
    mutating func send<Asked: Operation>(_ operation: Asked, _ enclosure: consuming Enclosure) throws(ClientFailure)
    /// Waits for all of the answer to the request that was sent.
    mutating func answer<Asked: Operation>(to operation: Asked) throws(ClientFailure) -> (
        outcome: Outcome, replies: [Asked.Reply]
    )
    /// Sends a request and waits for all of its answer.
    mutating func request<Asked: Operation>(
        _ operation: Asked, _ enclosure: consuming Enclosure
    ) throws(ClientFailure) -> (outcome: Outcome, replies: [Asked.Reply])
    /// Whether somebody cancelled the last request. It may have ended well anyway.
    var wasInterrupted: Bool { get }
}

extension AgentRequester where Self: ~Copyable {
    public mutating func request<Asked: Operation>(
        _ operation: Asked, _ enclosure: consuming Enclosure
    ) throws(ClientFailure) -> (outcome: Outcome, replies: [Asked.Reply]) {
        try send(operation, enclosure)
        return try answer(to: operation)
    }

    /// Sends a request without secret and descriptor, and waits for all of its answer.
    public mutating func request<Asked: Operation>(_ operation: Asked) throws(ClientFailure) -> (
        outcome: Outcome, replies: [Asked.Reply]
    ) {
        try request(operation, Enclosure())
    }

    /// Does the same for a request whose answer is how it ended.
    ///
    /// - Throws: every outcome but success.
    public mutating func require<Asked: Operation>(_ operation: Asked, _ enclosure: consuming Enclosure = Enclosure())
        throws(ClientFailure)
    {
        try request(operation, enclosure).outcome.require()
    }
}

extension AgentConnection: AgentRequester {
    public mutating func answer<Asked: Operation>(to operation: Asked) throws(ClientFailure) -> (
        outcome: Outcome, replies: [Asked.Reply]
    ) {
        try answer(to: operation, heard: { _ in })
    }
}

extension Outcome {
    /// Turns every outcome but success into a failure.
    public func require() throws(ClientFailure) {
        if code != .ok { throw ClientFailure(self) }
    }
}
