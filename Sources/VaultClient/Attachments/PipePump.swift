// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// Carries what the agent writes into a pipe on to a stream that an agent does not write to: a terminal, a device, a file's middle.
///
/// A process of its own, because this one waits for the agent's last word meanwhile.
final class PipePump {
    /// To be passed to the agent.
    let input: Int32
    private let pid: pid_t
    private var isOver = false

    init(to stream: Int32) throws(ClientFailure) {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { throw ClientFailure(.other, "cannot make a pipe: \(SystemError.text(errno))") }
        pid = vs_start_pump(ends[0], stream, ends[1])
        close(ends[0])
        input = ends[1]
        guard pid > 0 else { throw ClientFailure(.other, "cannot start a process: \(SystemError.text(errno))") }
    }

    deinit { finish() }

    /// Waits until everything is carried over.
    func finish() {
        guard !isOver else { return }
        isOver = true
        close(input)
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    }
}
