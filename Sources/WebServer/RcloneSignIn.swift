// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import NIOConcurrencyHelpers
internal import SecretMemory
internal import WebProtocol

/// `RcloneSignIn` is a sign-in that rclone asks for, question after question, by a program that `vault` starts: it
/// waits for an answer between two requests of the page. There is one at a time; a new one ends the one before.
final class RcloneSignIn: Sendable {
    /// What the program has said, and how it ended if that was its last word.
    struct Said {
        let line: [UInt8]
        let end: ExitCode?
    }

    /// Nobody takes longer on a service's own page.
    private static let secondsMax = 600.0
    private static let lineByteCountMax = 384 << 10
    /// Until a program that was ended has gone.
    private static let secondsToEnd = 5.0

    private struct Talk {
        let input: Int32
        let output: Int32
        let number: UInt8
        /// What it was begun as: another number means that it was given up.
        let turn: Int
        /// Whether it waits for an answer, and not for somebody on a service's page.
        var asks = false
    }
    private struct State {
        /// Grows with each one that begins or is given up.
        var turn = 0
        /// The one that waits for a request of the page.
        var talk: Talk?
        /// Programs that have not ended yet.
        var runningCount = 0
    }
    private let supervisor: Supervisor
    private let state = NIOLockedValueBox(State())

    init(_ supervisor: Supervisor) { self.supervisor = supervisor }
    deinit { end() }

    /// Begins one, and returns its first line.
    ///
    /// - Parameters:
    ///   - name: of a remote that is there; empty for a new one.
    ///   - place: the folder in the service.
    func begin(_ name: String, _ service: String, _ place: String) throws(ClientFailure) -> Said {
        let words = [name, service, place]
        guard words.allSatisfy({ !$0.utf8.contains(10) && $0.utf8.count <= 512 }) else {
            throw .usage("this is no name of a service or folder", hint: "it has one line, of at most 512 bytes")
        }
        let turn = end()
        // Only one of them may have rclone's folder.
        let deadline = BootTime.seconds + Self.secondsToEnd
        while BootTime.seconds < deadline, state.withLockedValue({ $0.runningCount > 0 }) { usleep(20_000) }
        state.withLockedValue { $0.runningCount += 1 }
        let talk: Talk
        do throws(ClientFailure) {
            let (input, output, number) = try supervisor.parser(.signIn)
            talk = Talk(input: input, output: output, number: number, turn: turn)
        } catch {
            state.withLockedValue { $0.runningCount -= 1 }
            throw error
        }
        guard PipeWriting.write(Array((words.joined(separator: "\n") + "\n").utf8), to: talk.input) else {
            close(talk)
            throw Self.hasEnded
        }
        return try line(of: talk)
    }

    /// Answers the question that was asked last, and returns the next line.
    ///
    /// - Parameter secret: behind one byte, since an answer may be empty.
    func answer(_ secret: borrowing SecretBytes) throws(ClientFailure) -> Said {
        guard unsafe !secret.withUnsafeBytes({ unsafe $0.contains(10) }) else {
            throw .usage("an answer has one line", hint: "type it without a line feed")
        }
        let talk = try take(asks: true)
        let isSent = unsafe secret.withUnsafeBytes { raw in
            unsafe PipeWriting.write(UnsafeRawBufferPointer(rebasing: raw.dropFirst()), to: talk.input)
        }
        guard isSent, PipeWriting.write([10], to: talk.input) else {
            close(talk)
            throw Self.hasEnded
        }
        return try line(of: talk)
    }

    /// Waits for what follows a page of the service's.
    func next() throws(ClientFailure) -> Said { try line(of: take(asks: false)) }

    /// Gives it up, also while a request waits for its next line.
    ///
    /// - Returns: the turn that begins.
    @discardableResult
    func end() -> Int {
        let (turn, left) = state.withLockedValue { state in
            defer { state.talk = nil }
            state.turn += 1
            return (state.turn, state.talk)
        }
        if let left { close(left) }
        return turn
    }

    private func take(asks: Bool) throws(ClientFailure) -> Talk {
        let taken = try state.withLockedValue { state in
            guard let talk = state.talk else { return Result<Talk, ClientFailure>.failure(Self.nobody) }
            guard talk.asks == asks else {
                return .failure(ClientFailure(.conflict, "this is not what was asked last", hint: "begin again"))
            }
            state.talk = nil
            return .success(talk)
        }.get()
        return taken
    }

    /// Reads a line. Where it asks for something the talk goes on, else it has come to its end.
    private func line(of talk: Talk) throws(ClientFailure) -> Said {
        var line: [UInt8] = []
        let deadline = BootTime.seconds + Self.secondsMax
        while line.count < Self.lineByteCountMax {
            guard state.withLockedValue({ $0.turn }) == talk.turn else {
                close(talk)
                throw ClientFailure(.interrupted, "the sign-in was abandoned")
            }
            guard BootTime.seconds < deadline else {
                close(talk)
                throw ClientFailure(.aborted, "nobody signed in within ten minutes", hint: "begin again")
            }
            var look = pollfd(fd: talk.output, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&look, 1, 100) > 0 else { continue }
            var byte: UInt8 = 0
            let got = unsafe read(talk.output, &byte, 1)
            if got < 0 && errno == EINTR { continue }
            guard got == 1 else { break }
            guard byte == 10 else {
                line.append(byte)
                continue
            }
            return Said(line: line, end: goesOn(talk, line) ? nil : close(talk))
        }
        close(talk)
        throw Self.hasEnded
    }

    /// Keeps a talk that waits for the page; false for one that has ended or was given up.
    private func goesOn(_ talk: Talk, _ line: [UInt8]) -> Bool {
        var talk = talk
        talk.asks = line.starts(with: Array("{\"question\"".utf8))
        guard talk.asks || line.starts(with: Array("{\"page\"".utf8)) else { return false }
        return state.withLockedValue { state in
            guard state.turn == talk.turn else { return false }
            state.talk = talk
            return true
        }
    }

    /// Ends the program, and returns how it ended.
    @discardableResult
    private func close(_ talk: Talk) -> ExitCode {
        _ = Glibc.close(talk.input)
        _ = Glibc.close(talk.output)
        let code = try? supervisor.end(of: talk.number)
        state.withLockedValue { $0.runningCount -= 1 }
        return code.flatMap { UInt8(exactly: $0) }.flatMap { ExitCode(rawValue: $0) } ?? .other
    }

    private static var nobody: ClientFailure {
        ClientFailure(.other, "nobody is signing in any more", hint: "begin again")
    }

    private static var hasEnded: ClientFailure {
        ClientFailure(.other, "the program that asks rclone has ended", hint: "vault remote login in a terminal")
    }
}
