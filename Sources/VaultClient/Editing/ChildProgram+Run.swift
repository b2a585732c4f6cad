// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import ExecArguments
internal import Glibc

extension ChildProgram {
    /// Runs a program to its end, on our streams.
    ///
    /// - Returns: its exit code, or minus the signal that ended it.
    static func run(
        _ path: String, _ arguments: [String], environment: [String] = Environment.all
    ) throws(ClientFailure) -> Int32 {
        var pid: pid_t = 0
        let started = unsafe CStrings.with([path] + arguments) { list in
            unsafe CStrings.with(environment) { variables in unsafe vs_spawn_editor(path, list, variables, 2, &pid) }
        }
        guard started == 0 else {
            throw ClientFailure(.other, "cannot start \(VisibleText.escaped(path)): \(SystemError.text(errno))")
        }
        return wait(for: pid)
    }
}
