// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import NIOConcurrencyHelpers
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
