// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import NIOConcurrencyHelpers
internal import WebProtocol

/// `Supervisor` is `vault` as its confined server sees it: it connects to agents and starts parsers for it.
final class Supervisor: Sendable {
    private let channel: WebChannel
    /// One question at a time.
    private let turn = NIOLock()
    /// Tokens of windows that are opened anew.
    private let tokens = NIOLockedValueBox<[[UInt8]]>([])

    init(_ channel: WebChannel) { self.channel = channel }

    var descriptor: Int32 { channel.descriptor }

    /// Takes what `vault` says without being asked.
    ///
    /// - Returns: new tokens; nil when it has gone.
    func news() -> [[UInt8]]? {
        turn.lock()
        defer { turn.unlock() }
        var look = pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&look, 1, 0) == 1 {
            guard let packet = channel.receive(max: WebAnswer.byteCountMax), packet.passed == nil,
                takeToken(packet.bytes)
            else { return nil }
        }
        return tokens.withLockedValue { tokens in
            defer { tokens = [] }
            return tokens
        }
    }

    private func takeToken(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == WebAnswer.tokenMark, bytes.count == 1 + WebStart.tokenByteCount else { return false }
        tokens.withLockedValue { $0.append(Array(bytes.dropFirst())) }
        return true
    }

    /// Waits for the next packet that is an answer.
    private func receive() -> (bytes: [UInt8], passed: Int32?)? {
        while let packet = channel.receive(max: WebAnswer.byteCountMax) {
            if packet.passed != nil || !takeToken(packet.bytes) { return packet }
        }
        return nil
    }

    /// Says that the server listens.
    func ready() -> Bool { channel.send([0]) }

    /// Returns a socket to the agent that has the vault open.
    ///
    /// - Throws: `.locked` when nobody has.
    func agent() throws(ClientFailure) -> Int32 { try descriptor(.agent) }

    /// Returns a socket to a new agent.
    func newAgent() throws(ClientFailure) -> Int32 { try descriptor(.newAgent) }

    /// Starts a `vault-parse` for a file that nobody trusts, or another program.
    ///
    /// - Parameter kind: of a file that is imported.
    /// - Returns: where it reads, where it writes, and its number.
    func parser(
        _ ask: WebAsk, _ kind: UInt8 = 0
    ) throws(ClientFailure) -> (input: Int32, output: Int32, number: UInt8) {
        turn.lock()
        defer { turn.unlock() }
        guard channel.send(kind == 0 ? [ask.rawValue] : [ask.rawValue, kind]) else { throw lost() }
        let (input, number) = try next()
        do throws(ClientFailure) { return (input, try next().passed, UInt8(number) ?? 0) } catch {
            close(input)
            throw error
        }
    }

    /// Waits for the end of a program that was started for this server, and returns its exit code.
    func end(of number: UInt8) throws(ClientFailure) -> Int32 {
        turn.lock()
        defer { turn.unlock() }
        guard channel.send([WebAsk.ended.rawValue, number]), let packet = receive() else { throw lost() }
        if let passed = packet.passed { close(passed) }
        return Int32(try check(packet.bytes)) ?? -1
    }

    /// Asks something that is answered without a descriptor.
    func tell(_ ask: WebAsk, _ number: UInt8 = 0) throws(ClientFailure) {
        turn.lock()
        defer { turn.unlock() }
        guard channel.send([ask.rawValue, number]), let packet = receive() else {
            throw lost()
        }
        if let passed = packet.passed { close(passed) }
        _ = try check(packet.bytes)
    }

    private func descriptor(_ ask: WebAsk) throws(ClientFailure) -> Int32 {
        turn.lock()
        defer { turn.unlock() }
        return try answer(to: ask)
    }

    private func answer(to ask: WebAsk) throws(ClientFailure) -> Int32 {
        guard channel.send([ask.rawValue]) else { throw lost() }
        return try next().passed
    }

    private func next() throws(ClientFailure) -> (passed: Int32, message: String) {
        guard let packet = receive() else { throw lost() }
        let message: String
        do throws(ClientFailure) { message = try check(packet.bytes) } catch {
            if let passed = packet.passed { close(passed) }
            throw error
        }
        guard let passed = packet.passed else { throw lost() }
        return (passed, message)
    }

    /// Returns the message of an answer that is a good one.
    private func check(_ bytes: [UInt8]) throws(ClientFailure) -> String {
        guard let answer = try? WebAnswer(parsing: bytes) else { throw lost() }
        switch answer.kind {
        case .done: return answer.message
        case .locked: throw ClientFailure(.locked, "the vault is locked", hint: "unlock it on this page")
        case .failed: throw ClientFailure(.other, answer.message, hint: answer.hint)
        }
    }

    private func lost() -> ClientFailure {
        ClientFailure(.other, "the program that serves this page has ended", hint: "vault web")
    }
}
