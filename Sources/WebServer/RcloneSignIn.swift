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
    /// Nobody takes longer on a service's own page.
    private static let secondsMax = 600.0
    private static let lineByteCountMax = 128 << 10

    private struct Talk {
        let input: Int32
        let output: Int32
        let number: UInt8
    }
    private let supervisor: Supervisor
    /// The one that waits for an answer.
    private let talk = NIOLockedValueBox<Talk?>(nil)
    /// How often one was ended: a request that waits for a line sees it.
    private let endCount = NIOLockedValueBox(0)

    init(_ supervisor: Supervisor) { self.supervisor = supervisor }
    deinit { end() }

    /// Begins one, and returns its first line.
    ///
    /// - Parameters:
    ///   - name: of a remote that is there; empty for a new one.
    ///   - place: the folder in the service.
    func begin(_ name: String, _ service: String, _ place: String) throws(ClientFailure) -> [UInt8] {
        let words = [name, service, place]
        guard words.allSatisfy({ !$0.utf8.contains(10) && $0.utf8.count <= 512 }) else {
            throw .usage("this is no name of a service or folder", hint: "it has one line, of at most 512 bytes")
        }
        end()
        let (input, output, number) = try supervisor.parser(.signIn)
        let talk = Talk(input: input, output: output, number: number)
        guard PipeWriting.write(Array((words.joined(separator: "\n") + "\n").utf8), to: input) else {
            close(talk)
            throw Self.hasEnded
        }
        return try line(of: talk)
    }

    /// Answers the question that was asked last, and returns the next line.
    ///
    /// - Parameter secret: behind one byte, since an answer may be empty.
    func answer(_ secret: borrowing SecretBytes) throws(ClientFailure) -> [UInt8] {
        let talk = try take()
        let isSent = unsafe secret.withUnsafeBytes { raw in
            unsafe !raw.contains(10)
                && PipeWriting.write(UnsafeRawBufferPointer(rebasing: raw.dropFirst()), to: talk.input)
        }
        guard isSent, PipeWriting.write([10], to: talk.input) else {
            close(talk)
            throw .usage("this is no answer: it has one line", hint: "begin again")
        }
        return try line(of: talk)
    }

    /// Waits for what follows a page of the service's.
    func next() throws(ClientFailure) -> [UInt8] { try line(of: take()) }

    /// Gives it up.
    func end() {
        endCount.withLockedValue { $0 += 1 }
        let left = talk.withLockedValue { talk in
            defer { talk = nil }
            return talk
        }
        if let left { close(left) }
    }

    private func take() throws(ClientFailure) -> Talk {
        let taken = talk.withLockedValue { talk in
            defer { talk = nil }
            return talk
        }
        guard let taken else { throw Self.hasEnded }
        return taken
    }

    /// Reads a line. Where it asks for something the talk goes on, else it has come to its end.
    private func line(of talk: Talk) throws(ClientFailure) -> [UInt8] {
        var line: [UInt8] = []
        let end = BootTime.seconds + Self.secondsMax
        let before = endCount.withLockedValue { $0 }
        while BootTime.seconds < end, endCount.withLockedValue({ $0 }) == before, line.count < Self.lineByteCountMax {
            var look = pollfd(fd: talk.output, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&look, 1, 500) > 0 else { continue }
            var byte: UInt8 = 0
            let got = unsafe read(talk.output, &byte, 1)
            if got < 0 && errno == EINTR { continue }
            guard got == 1 else { break }
            guard byte == 10 else {
                line.append(byte)
                continue
            }
            let goesOn = ["{\"question\"", "{\"page\""].contains { line.starts(with: Array($0.utf8)) }
            let isKept = self.talk.withLockedValue { kept in
                guard goesOn, endCount.withLockedValue({ $0 }) == before else { return false }
                kept = talk
                return true
            }
            if !isKept { close(talk) }
            return line
        }
        close(talk)
        throw Self.hasEnded
    }

    private func close(_ talk: Talk) {
        _ = Glibc.close(talk.input)
        _ = Glibc.close(talk.output)
        _ = try? supervisor.end(of: talk.number)
    }

    private static var hasEnded: ClientFailure {
        ClientFailure(.other, "nobody is signing in any more", hint: "begin again")
    }
}
