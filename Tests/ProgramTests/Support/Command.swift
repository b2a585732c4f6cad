// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSystemShims
import Glibc

/// How a command ended, and what it said.
struct Finished {
    /// The exit code, or minus the signal that ended it.
    let code: Int32
    let out: [UInt8]
    let err: String
    let seconds: Double

    var text: String { String(decoding: out, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
    var errorLines: [String] { err.split(separator: "\n").map(String.init) }
    /// The one line of a command that prints an identifier.
    var id: String { lines.last ?? "" }
}

/// Runs one command to its end, with both outputs read as they come and a limit in time.
enum Command {
    struct TookTooLong: Error { let arguments: [String] }

    static func run(
        _ arguments: [String], environment: [String: String], input: [UInt8] = [], seconds: Double = 60
    ) throws -> Finished {
        let begin = Clock.seconds
        var pipes: [(read: Int32, write: Int32)] = []
        for _ in 0..<3 { pipes.append(try pipe()) }
        let hasInput = !input.isEmpty
        let child = try Child(
            arguments, environment: environment,
            streams: [hasInput ? pipes[0].read : -1, pipes[1].write, pipes[2].write])
        for end in [pipes[0].read, pipes[1].write, pipes[2].write] { close(end) }
        var exchange = Exchange(input: input, to: pipes[0].write, from: [pipes[1].read, pipes[2].read])
        let isWhole = exchange.run(until: begin + seconds)
        guard isWhole, let code = child.wait(seconds: begin + seconds - Clock.seconds) else {
            child.end()
            throw TookTooLong(arguments: arguments)
        }
        return Finished(
            code: code, out: exchange.read[0], err: String(decoding: exchange.read[1], as: UTF8.self),
            seconds: Clock.seconds - begin)
    }

    static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { throw Child.CannotStart(program: "pipe", number: errno) }
        return (ends[0], ends[1])
    }
}

/// Writes to one pipe and reads from two, none waiting for another.
private struct Exchange {
    private let input: [UInt8]
    private var sent = 0
    private var writer: Int32
    private var readers: [Int32]
    private(set) var read: [[UInt8]] = [[], []]

    init(input: [UInt8], to writer: Int32, from readers: [Int32]) {
        self.input = input
        self.writer = writer
        self.readers = readers
        _ = fcntl(writer, F_SETFL, O_NONBLOCK)
        // A command that reads no more is an ordinary end here.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Whether both readers came to their end in time.
    mutating func run(until deadline: Double) -> Bool {
        defer { for end in readers + [writer] where end >= 0 { close(end) } }
        while readers.contains(where: { $0 >= 0 }) {
            let left = deadline - Clock.seconds
            guard left > 0 else { return false }
            write()
            var waiting = readers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            waiting.append(pollfd(fd: writer, events: Int16(POLLOUT), revents: 0))
            _ = unsafe poll(&waiting, nfds_t(waiting.count), Int32(left * 1000) + 1)
            for index in readers.indices where waiting[index].revents != 0 { readMore(index) }
        }
        return true
    }

    private mutating func write() {
        guard writer >= 0 else { return }
        while sent < input.count {
            let from = sent
            let put = unsafe input.withUnsafeBytes {
                unsafe Glibc.write(writer, $0.baseAddress! + from, min($0.count - from, 1 << 20))
            }
            if put < 0 && errno == EAGAIN { return }
            if put < 0 { break }
            sent += put
        }
        close(writer)
        writer = -1
    }

    private mutating func readMore(_ index: Int) {
        var part = [UInt8](repeating: 0, count: 1 << 16)
        let got = unsafe part.withUnsafeMutableBytes { unsafe Glibc.read(readers[index], $0.baseAddress!, $0.count) }
        if got > 0 {
            read[index] += part[0..<got]
        } else {
            close(readers[index])
            readers[index] = -1
        }
    }
}
