// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import ExecArguments
internal import Glibc
internal import SecretMemory

/// `SecretProgram` runs another program that gives a secret on its standard output, or takes one on its standard input.
/// No shell, and nothing of the secret in an argument.
enum SecretProgram {
    enum Failure: Error, Equatable {
        case notStarted(errno: Int32)
        case tookTooLong
        case tooLong
        /// It failed, or printed nothing.
        case gaveNothing
    }

    /// Returns what a program prints, less a final line feed. It sees the caller's environment: it may show a window or
    /// talk to a keyring.
    ///
    /// - Parameter milliseconds: how long it may take until it has ended; then it is ended.
    static func secret(
        of path: String, _ arguments: [String], within milliseconds: Int
    ) throws(Failure) -> SecretBytes {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { throw .notStarted(errno: errno) }
        defer { close(ends[0]) }
        let silence = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(silence) }
        let pid = try start(path, arguments, input: silence, output: ends[1])
        let deadline = now + milliseconds
        do throws(PasswordReader.Failure) {
            let secret = try PasswordReader.read(descriptor: ends[0], within: milliseconds)
            guard let status = exitStatus(of: pid, within: deadline - now) else { throw .tookTooLong }
            guard status == 0 else { throw .notReadable }
            return secret
        } catch {
            // One that prints without end is not waited for, nor is one that does nothing.
            end(pid)
            switch error {
            case .tookTooLong: throw .tookTooLong
            case .tooLong: throw .tooLong
            default: throw .gaveNothing
            }
        }
    }

    /// Gives a secret to a program.
    ///
    /// - Parameter secret: smaller than what a pipe takes at once, 4,096 bytes.
    static func give(
        _ secret: borrowing SecretBytes, to path: String, _ arguments: [String], within milliseconds: Int
    ) throws(Failure) {
        var ends: [Int32] = [-1, -1]
        guard secret.byteCount <= 4096, unsafe vs_pipe(&ends) == 0 else { throw .notStarted(errno: errno) }
        let written = unsafe secret.withUnsafeBytes { raw in
            unsafe vs_write_whole(ends[1], raw.baseAddress!, raw.count)
        }
        close(ends[1])
        defer { close(ends[0]) }
        guard written == 0 else { throw .notStarted(errno: errno) }
        let silence = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        let pid = try start(path, arguments, input: ends[0], output: silence)
        let status = exitStatus(of: pid, within: milliseconds)
        if status == nil { end(pid) }
        guard let status else { throw .tookTooLong }
        guard status == 0 else { throw .gaveNothing }
    }

    /// Starts the program, and closes `output`.
    private static func start(
        _ path: String, _ arguments: [String], input: Int32, output: Int32
    ) throws(Failure) -> pid_t {
        var pid: pid_t = 0
        let started = unsafe CStrings.with([path] + arguments) { words in
            unsafe CStrings.with(Environment.all) { variables in
                unsafe vs_spawn_filter(path, words, variables, input, output, &pid)
            }
        }
        let reason = errno
        close(output)
        guard started == 0 else { throw .notStarted(errno: reason) }
        return pid
    }

    /// Refuses a program that others can change: a person who can do that, or put another one in its place, is given
    /// a secret. A link is looked at on both of its sides.
    static func requireTrusted(_ path: String, called name: String) throws(ClientFailure) {
        guard let resolved = unsafe realpath(path, nil) else { throw cannot(name, path, errno) }
        defer { unsafe free(resolved) }
        let real = unsafe String(cString: resolved)
        for place in [folder(of: path), folder(of: real), real] {
            var status = stat()
            guard unsafe stat(place, &status) == 0 else { throw cannot(name, path, errno) }
            guard status.st_uid == 0 || status.st_uid == getuid(), status.st_mode & 0o022 == 0 else {
                throw ClientFailure(
                    .failSafe,
                    "\(VisibleText.escaped(place)) can be changed by other users, so \(name) is not run",
                    hint: "chmod go-w " + ShellWord.quoted(place) + ", if it is yours")
            }
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    static func cannot(_ name: String, _ path: String, _ reason: Int32) -> ClientFailure {
        ClientFailure(
            reason == ENOENT ? .notFound : .other,
            "cannot run \(name) (\(VisibleText.escaped(path))): \(SystemError.text(reason))")
    }

    /// Waits for the program to end, and returns its status; nil when it has not ended in time.
    private static func exitStatus(of pid: pid_t, within milliseconds: Int) -> Int32? {
        let process = vs_process_descriptor(pid)
        if process >= 0 {
            defer { close(process) }
            var waiting = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&waiting, 1, Int32(clamping: max(milliseconds, 0))) != 0 else { return nil }
        }
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 {
            if errno != EINTR { return -1 }
        }
        return status
    }

    /// Asks it to end, then ends it. One that has ended and was waited for is not there to be found: its number is not
    /// used again before that.
    private static func end(_ pid: pid_t) {
        var status: Int32 = 0
        guard unsafe waitpid(pid, &status, WNOHANG) == 0 else { return }
        kill(pid, SIGTERM)
        if exitStatus(of: pid, within: 1000) == nil {
            kill(pid, SIGKILL)
            _ = exitStatus(of: pid, within: 1000)
        }
    }

    private static var now: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}
