// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import ExecArguments
internal import Glibc
internal import ParserProtocol

/// `ParserFailure` says why a parser gave no answer. What it was given is damaged or hostile, or vault-parse is of
/// another build.
public enum ParserFailure: Error, Sendable, Equatable {
    /// It ended, was killed, or closed its pipe before its answer was whole.
    case ended
    /// It said what no parser of ours says. Nothing that it says later is believed.
    case malformed
    /// It said nothing for 30 seconds.
    case silent
}

/// `ParserProgram` is the program that parses. Tests have programs of their own here.
struct ParserProgram {
    let path: String
    /// What stands before the words that say what is to be decoded.
    var words: [String] = []

    /// Finds `vault-parse` beside this program.
    ///
    /// - Throws: `.failSafe` for a program that others could have changed, `.other` when it is missing.
    static func installed() throws(ClientFailure) -> ParserProgram {
        ParserProgram(path: try Programs.path(of: "vault-parse"))
    }
}

/// `ParserProcess` is a running `vault-parse` and the two pipes to it. It is killed, if need be, and waited for when
/// the value ends.
struct ParserProcess: ~Copyable {
    /// `Readiness` says what became of one look at the pipes.
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

    /// Starts `vault-parse` with two pipes that do not block.
    ///
    /// - Parameters:
    ///   - words: what it is to decode.
    ///   - zone: in which it reads dates that name none; nil where there are no dates.
    ///   - program: nil for the one that is installed beside this program.
    /// - Throws: `.failSafe` for a program that others could have changed, `.other` when it does not start.
    init(_ words: [String], _ zone: ImportZone?, _ program: ParserProgram? = nil) throws(ClientFailure) {
        let program = if let program { program } else { try ParserProgram.installed() }
        var toParser = try Pipe()
        var fromParser = try Pipe()
        var child: pid_t = 0
        let started = unsafe CStrings.with(["vault-parse"] + program.words + words) { arguments in
            unsafe CStrings.with(zone.map { ["TZ=" + $0.variable] } ?? []) { environment in
                unsafe vs_spawn_filter(
                    program.path, arguments, environment, toParser.readingEnd, fromParser.writingEnd, &child)
            }
        }
        guard started == 0 else { throw ClientFailure(.other, "cannot start vault-parse: \(SystemError.text(errno))") }
        pid = child
        input = toParser.takeWriting()
        output = fromParser.takeReading()
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
        _ = ChildProgram.wait(for: pid)
    }

    /// Waits up to 100 ms, then writes what fits of `pending` and reads what is there into `received`.
    mutating func exchange(pending: inout ByteQueue, received: inout ByteQueue) -> Readiness {
        look(&pending, &received, endsWithInput: true)
    }

    /// Does the same for a parser that may end before it has read all: what cannot be written any more is no news, what
    /// it still says is.
    mutating func converse(pending: inout ByteQueue, received: inout ByteQueue) -> Readiness {
        look(&pending, &received, endsWithInput: false)
    }

    private mutating func look(_ pending: inout ByteQueue, _ received: inout ByteQueue, endsWithInput: Bool)
        -> Readiness
    {
        var waiting = [
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: pending.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0),
        ]
        guard unsafe poll(&waiting, 2, 100) > 0 else { return .nothing }
        if waiting[1].revents != 0 && !write(&pending) {
            if endsWithInput {
                // What it answered before it went still counts.
                _ = read(&received)
                return .gone
            }
            close(input)
            input = -1
        }
        if waiting[0].revents != 0 && !read(&received) { return .gone }
        return .worked
    }

    private func write(_ pending: inout ByteQueue) -> Bool {
        let wrote = PipeSignal.ignored {
            unsafe pending.withUnsafeBytes { raw in unsafe Glibc.write(input, raw.baseAddress!, raw.count) }
        }
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
}

extension ByteQueue {
    /// Takes the content of one whole frame.
    ///
    /// - Parameter max: the cap of the content, in bytes.
    /// - Returns: nil while it is not all there.
    /// - Throws: `.malformed` for a length above the cap.
    mutating func takeFrame(max: Int) throws(ParserFailure) -> [UInt8]? {
        guard let header = first(RecordFrame.headerByteCount) else { return nil }
        guard let count = try? RecordFrame.contentByteCount(header: header, max: max) else { throw .malformed }
        guard let content = first(count, after: RecordFrame.headerByteCount) else { return nil }
        drop(RecordFrame.headerByteCount + count)
        return content
    }
}
