// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import ExecArguments
internal import Glibc

/// `ChildProgram` starts other programs, found by their full path, without a shell.
public enum ChildProgram {
    /// Starts a program with two descriptors of ours as its standard streams; its standard error is ours.
    public static func start(
        _ path: String, _ arguments: [String], environment: [String] = Environment.all, input: Int32, output: Int32
    ) throws(ClientFailure) -> Int32 {
        var pid: pid_t = 0
        let result = unsafe CStrings.with([path] + arguments) { words in
            unsafe CStrings.with(environment) { variables in
                unsafe vs_spawn_filter(path, words, variables, input, output, &pid)
            }
        }
        guard result == 0 else { throw cannot(path, errno) }
        return pid
    }

    /// Runs a program in place of this one. It comes back only when it cannot be started.
    public static func become(_ path: String, _ arguments: [String]) {
        unsafe CStrings.with([path] + arguments) { words in
            unsafe CStrings.with(Environment.all) { variables in _ = unsafe execve(path, words, variables) }
        }
    }

    /// Starts a program in a session of its own, with nothing of ours but two descriptors: it outlives this one and its
    /// terminal.
    ///
    /// - Parameter name: its first word; nil for its path.
    public static func startApart(
        _ path: String, name: String? = nil, _ arguments: [String], environment: [String] = Environment.all,
        input: Int32, output: Int32
    ) throws(ClientFailure) -> Int32 {
        var pid: pid_t = 0
        let result = unsafe CStrings.with([name ?? path] + arguments) { words in
            unsafe CStrings.with(environment) { variables in
                unsafe vs_spawn_apart(path, words, variables, input, output, &pid)
            }
        }
        guard result == 0 else { throw cannot(name ?? path, errno) }
        return pid
    }

    /// Waits for the end of a program that was started here.
    ///
    /// - Returns: its exit code, or minus the signal that ended it.
    public static func wait(for pid: Int32) -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 {
            if errno != EINTR { return -1 }
        }
        return code(of: status)
    }

    /// Returns what a wait says of an end: an exit code, or minus a signal.
    static func code(of status: Int32) -> Int32 {
        status & 0x7F != 0 ? -(status & 0x7F) : status >> 8 & 0xFF
    }

    /// Returns what a program that is started apart prints, up to a limit; nil when there is more, or when it fails.
    public static func output(of path: String, _ arguments: [String], max: Int) -> [UInt8]? {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        let silence = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        let pid = try? startApart(path, arguments, input: silence, output: ends[1])
        close(silence)
        close(ends[1])
        guard let pid else { return nil }
        let bytes = try? FileBytes.read(ends[0], max: max)
        if bytes == nil { kill(pid, SIGKILL) }
        return wait(for: pid) == 0 ? bytes : nil
    }

    private static func cannot(_ path: String, _ reason: Int32) -> ClientFailure {
        ClientFailure(.other, "cannot start \(VisibleText.escaped(path)): \(SystemError.text(reason))")
    }
}
