// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import ExecArguments
internal import Glibc

/// `Producer` is a program that makes what is to be attached, and the pipe that it writes to.
final class Producer {
    let output: Int32
    private let pid: pid_t

    init(_ program: String, _ arguments: [String]) throws(ClientFailure) {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else {
            throw ClientFailure(.other, "cannot make a pipe: \(SystemError.text(errno))")
        }
        let silence = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        var child: pid_t = 0
        let started = unsafe CStrings.with([program] + arguments) { list in
            unsafe vs_spawn_filter(program, list, environ, silence, ends[1], &child)
        }
        close(silence)
        close(ends[1])
        output = ends[0]
        pid = child
        guard started == 0 else {
            throw ClientFailure(.other, "cannot start \(VisibleText.escaped(program)): \(SystemError.text(errno))")
        }
    }

    deinit { close(output) }

    func finish() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7F != 0 ? -(status & 0x7F) : status >> 8 & 0xFF
    }
}
