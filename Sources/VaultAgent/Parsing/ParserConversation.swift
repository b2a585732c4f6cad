// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import ParserProtocol

/// `ParserConversation` carries questions to a confined `vault-parse`, each a frame, and its answers back. It is
/// started at the first question, and again after one that it did not answer.
///
/// One thread at a time. Asking blocks until the answer is there.
final class ParserConversation {
    private let arguments: [String]
    private var process: (pid: pid_t, input: Int32, output: Int32)?

    /// Prepares a conversation; no process runs yet.
    ///
    /// - Parameter arguments: what it is to do; it must answer each frame with a frame.
    init(_ arguments: [String]) { self.arguments = arguments }

    deinit { finish() }

    /// Asks, and waits for the answer.
    ///
    /// - Parameters:
    ///   - answerByteCountMax: a longer answer is refused.
    ///   - seconds: after which the process is ended.
    ///   - goesOn: asked ten times a second; the process is ended when it says no.
    /// - Returns: nil when it does not start, ends, takes too long or answers with something that is not a frame.
    func ask(
        _ question: [UInt8], answerByteCountMax: Int, seconds: Double, goesOn: () -> Bool = { true }
    ) -> [UInt8]? {
        if process == nil {
            process = ParserProgram.start(arguments)
            let ends = [process?.input, process?.output].compactMap { $0 }
            guard ends.allSatisfy({ fcntl($0, F_SETFL, fcntl($0, F_GETFL) | O_NONBLOCK) == 0 }) else {
                finish()
                return nil
            }
        }
        guard let process else { return nil }
        let exchange = Exchange(
            process.input, process.output, RecordFrame.enclosing(question), until: BootClock.seconds + seconds)
        guard let answer = exchange.run(answerByteCountMax: answerByteCountMax, goesOn) else {
            finish()
            return nil
        }
        return answer
    }

    /// Ends the process.
    func finish() {
        guard let process else { return }
        self.process = nil
        close(process.input)
        close(process.output)
        kill(process.pid, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(process.pid, &status, 0) < 0 && errno == EINTR {}
    }
}

extension ParserConversation {
    /// `Exchange` is one question on its way out and its answer on the way in: a process that answers before it has
    /// read all must not wait for us.
    private final class Exchange {
        private let input: Int32
        private let output: Int32
        private let end: Double
        private var rest: ArraySlice<UInt8>
        private var received: [UInt8] = []
        private var chunk = [UInt8](repeating: 0, count: 1 << 16)

        init(_ input: Int32, _ output: Int32, _ question: [UInt8], until end: Double) {
            (self.input, self.output, self.end) = (input, output, end)
            rest = question[...]
        }

        func run(answerByteCountMax: Int, _ goesOn: () -> Bool) -> [UInt8]? {
            var wanted: Int?
            while BootClock.seconds < end, goesOn() {
                if wanted == nil, received.count >= RecordFrame.headerByteCount {
                    let header = Array(received.prefix(RecordFrame.headerByteCount))
                    guard let count = try? RecordFrame.contentByteCount(header: header, max: answerByteCountMax) else {
                        return nil
                    }
                    wanted = RecordFrame.headerByteCount + count
                }
                if let wanted, received.count >= wanted {
                    // What comes behind the answer was not asked for.
                    guard received.count == wanted, rest.isEmpty else { return nil }
                    return Array(received.dropFirst(RecordFrame.headerByteCount))
                }
                guard pass() else { return nil }
            }
            return nil
        }

        /// Writes and reads what can be, after a wait of at most 100 ms; returns false when the process has gone.
        private func pass() -> Bool {
            var waiting = [
                pollfd(fd: output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: rest.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0),
            ]
            let readyCount = unsafe poll(&waiting, 2, 100)
            guard readyCount > 0 else { return readyCount == 0 || errno == EINTR }
            if waiting[1].revents != 0 {
                let written = unsafe rest.withUnsafeBytes { unsafe write(input, $0.baseAddress, $0.count) }
                if written < 0 {
                    guard errno == EAGAIN || errno == EINTR else { return false }
                } else {
                    rest = rest.dropFirst(written)
                }
            }
            if waiting[0].revents != 0 {
                let got = unsafe chunk.withUnsafeMutableBytes { unsafe read(output, $0.baseAddress, $0.count) }
                if got < 0 { return errno == EAGAIN || errno == EINTR }
                guard got > 0 else { return false }
                received += chunk[..<got]
            }
            return true
        }
    }
}
