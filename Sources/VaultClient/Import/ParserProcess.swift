// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// A running `vault-parse` and the two pipes to it. It is killed, if need be, and waited for when the value ends.
struct ParserProcess: ~Copyable {
    /// What became of one look at the pipes.
    enum Readiness {
        case nothing
        case worked
        /// The process ended or closed a pipe.
        case gone
    }

    /// F_SETPIPE_SZ of fcntl(2), which Glibc shows only to C.
    private static let setPipeSize: Int32 = 1031

    private let pid: pid_t
    private var input: Int32
    private let output: Int32

    /// - Throws: `.failSafe` for a program that others could have changed, `.other` when it does not start.
    ///
    /// - Parameter words: what it is to decode.
    /// - Parameter zone: in which it reads dates that name none; nil where there are no dates.
    init(_ words: [String], _ zone: ImportZone?) throws(ClientFailure) {
        let path = try Programs.path(of: "vault-parse")
        var toParser: [Int32] = [-1, -1]
        var fromParser: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&toParser) == 0 else { throw Self.failure() }
        guard unsafe vs_pipe(&fromParser) == 0 else {
            for end in toParser { close(end) }
            throw Self.failure()
        }
        var child: pid_t = 0
        let started = unsafe CStrings.with(["vault-parse"] + words) { arguments in
            unsafe CStrings.with(zone.map { ["TZ=" + $0.variable] } ?? []) { environment in
                unsafe vs_spawn_filter(path, arguments, environment, toParser[0], fromParser[1], &child)
            }
        }
        let failure = Self.failure()
        close(toParser[0])
        close(fromParser[1])
        guard started == 0 else {
            close(toParser[1])
            close(fromParser[0])
            throw failure
        }
        pid = child
        input = toParser[1]
        output = fromParser[0]
        for end in [input, output] {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            // Larger pipes let it work on while we wait for the agent. A refusal costs only speed.
            _ = fcntl(end, Self.setPipeSize, 1 << 20)
        }
    }

    deinit {
        if input >= 0 { close(input) }
        close(output)
        kill(pid, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    }

    /// Waits up to 100 ms, then writes what fits of `pending` and reads what is there into `received`.
    mutating func exchange(pending: inout ByteQueue, received: inout ByteQueue) -> Readiness {
        var waiting = [
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: pending.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0),
        ]
        guard unsafe poll(&waiting, 2, 100) > 0 else { return .nothing }
        if waiting[1].revents != 0 && !write(&pending) { return .gone }
        if waiting[0].revents != 0 && !read(&received) { return .gone }
        return .worked
    }

    /// The same for a parser that may end before it has read all: what cannot be written any more is no news, what it still says is.
    mutating func converse(pending: inout ByteQueue, received: inout ByteQueue) -> Readiness {
        var waiting = [
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: pending.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0),
        ]
        guard unsafe poll(&waiting, 2, 100) > 0 else { return .nothing }
        if waiting[1].revents != 0 && !write(&pending) {
            close(input)
            input = -1
        }
        if waiting[0].revents != 0 && !read(&received) { return .gone }
        return .worked
    }

    private func write(_ pending: inout ByteQueue) -> Bool {
        let wrote = unsafe pending.withUnsafeBytes { raw in unsafe Glibc.write(input, raw.baseAddress!, raw.count) }
        if wrote < 0 { return errno == EAGAIN || errno == EINTR }
        pending.drop(wrote)
        return true
    }

    private func read(_ received: inout ByteQueue) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        let got = unsafe chunk.withUnsafeMutableBytes { raw in unsafe Glibc.read(output, raw.baseAddress!, raw.count) }
        if got < 0 { return errno == EAGAIN || errno == EINTR }
        received.append(chunk[0..<got])
        return got > 0
    }

    private static func failure() -> ClientFailure {
        ClientFailure(.other, "cannot start vault-parse: \(SystemError.text(errno))")
    }
}
