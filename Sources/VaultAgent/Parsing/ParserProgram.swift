// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import ExecArguments
internal import Glibc
internal import SyncProtocol

/// `ParserProgram` is `vault-parse`, beside this program and nowhere else (`InstalledProgram`).
enum ParserProgram {
    /// Starts it on one end of each of two pipes.
    ///
    /// - Returns: its number, the pipe to write to, and the one to read from; nil when it is not there, could have been
    ///   changed by others, or does not start.
    static func start(_ arguments: [String]) -> (pid: pid_t, input: Int32, output: Int32)? {
        guard let path = InstalledProgram.path(of: "vault-parse") else { return nil }
        var to: [Int32] = [-1, -1]
        var from: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&to) == 0 else { return nil }
        guard unsafe vs_pipe(&from) == 0 else {
            for end in to { close(end) }
            return nil
        }
        var pid: pid_t = 0
        let started = unsafe CStrings.with(["vault-parse"] + arguments) { list in
            unsafe CStrings.with([]) { environment in
                unsafe vs_spawn_apart(path, list, environment, to[0], from[1], &pid)
            }
        }
        close(to[0])
        close(from[1])
        guard started == 0 else {
            close(to[1])
            close(from[0])
            return nil
        }
        return (pid, to[1], from[0])
    }
}
