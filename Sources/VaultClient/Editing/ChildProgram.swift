// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// Runs another program to its end, on our streams and without a shell.
enum ChildProgram {
    /// - Returns: its exit code, or minus the signal that ended it.
    static func run(_ path: String, _ arguments: [String]) throws(ClientFailure) -> Int32 {
        var pid: pid_t = 0
        let started = unsafe CStrings.with([path] + arguments) { list in unsafe vs_spawn_editor(path, list, environ, 2, &pid) }
        guard started == 0 else { throw ClientFailure(.other, "cannot start \(VisibleText.escaped(path)): \(SystemError.text(errno))") }
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7F != 0 ? -(status & 0x7F) : status >> 8 & 0xFF
    }
}
