// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import ExecArguments
internal import Glibc
internal import SecretMemory

/// `AskpassProgram` runs `NOTEVAULT_ASKPASS` with the prompt as its one argument and takes its standard output as the
/// password. No shell.
enum AskpassProgram {
    /// How long it may take until it has ended, in milliseconds.
    static let millisecondsMax = 120_000

    /// Runs the program, and returns the password that it gives.
    ///
    /// - Throws: `.failSafe` for a program that others may change, `.aborted` when it gives no password, in time or at
    ///   all.
    static func run(_ path: String, prompt: String, within milliseconds: Int = millisecondsMax) throws(ClientFailure)
        -> SecretBytes
    {
        try check(path)
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { throw cannot(path, errno) }
        defer { close(ends[0]) }
        let pid = try start(path, prompt, ends[1])
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
            case .tookTooLong:
                throw ClientFailure(
                    .aborted,
                    "the NOTEVAULT_ASKPASS program gave no password in \(milliseconds / 1000) s and was ended",
                    hint: "run it by hand to see why")
            case .tooLong: throw PasswordSource.failure(error)
            default:
                throw ClientFailure(
                    .aborted, "the NOTEVAULT_ASKPASS program gave no password", hint: "run it by hand to see why")
            }
        }
    }

    private static func start(_ path: String, _ prompt: String, _ output: Int32) throws(ClientFailure) -> pid_t {
        let silence = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        var pid: pid_t = 0
        let started = unsafe CStrings.with([path, prompt]) { arguments in
            unsafe CStrings.with(environment()) { variables in
                unsafe vs_spawn_filter(path, arguments, variables, silence, output, &pid)
            }
        }
        let reason = errno
        close(silence)
        close(output)
        guard started == 0 else { throw cannot(path, reason) }
        return pid
    }

    /// Refuses a program that others can change: a person who can do that, or put another one in its place, is given
    /// the password. A link is looked at on both of its sides.
    private static func check(_ path: String) throws(ClientFailure) {
        guard let resolved = unsafe realpath(path, nil) else { throw cannot(path, errno) }
        defer { unsafe free(resolved) }
        let real = unsafe String(cString: resolved)
        for place in [folder(of: path), folder(of: real), real] {
            var status = stat()
            guard unsafe stat(place, &status) == 0 else { throw cannot(path, errno) }
            guard status.st_uid == 0 || status.st_uid == getuid(), status.st_mode & 0o022 == 0 else {
                throw ClientFailure(
                    .failSafe,
                    "\(VisibleText.escaped(place)) can be changed by other users, so NOTEVAULT_ASKPASS is not run",
                    hint: "chmod go-w " + ShellWord.quoted(place) + ", if it is yours")
            }
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private static func cannot(_ path: String, _ reason: Int32) -> ClientFailure {
        ClientFailure(
            reason == ENOENT ? .notFound : .other,
            "cannot run NOTEVAULT_ASKPASS (\(VisibleText.escaped(path))): \(SystemError.text(reason))")
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

    /// Returns the caller's whole environment: an askpass program shows a window or talks to a key ring.
    private static func environment() -> [String] {
        let descriptor = unsafe open("/proc/self/environ", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        guard let bytes = try? FileBytes.read(descriptor, max: 4 << 20) else { return [] }
        return bytes.split(separator: 0).compactMap { String(validating: $0, as: UTF8.self) }
    }
}
