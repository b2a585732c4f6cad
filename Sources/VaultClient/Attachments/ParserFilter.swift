// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// A `vault-parse` between a file and a pipe: it reads what nobody trusts and can do nothing else.
final class ParserFilter {
    /// What it writes, to be read by whoever is given it.
    let output: Int32
    private let pid: pid_t
    private var status: Int32?

    /// - Parameter input: stays the caller's.
    /// - Throws: `.failSafe` for a program that others could have changed, `.other` when it does not start.
    init(_ arguments: [String], input: Int32) throws(ClientFailure) {
        let path = try Programs.path(of: "vault-parse")
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { throw ClientFailure(.other, "cannot make a pipe: \(SystemError.text(errno))") }
        var child: pid_t = 0
        let started = unsafe CStrings.with(["vault-parse"] + arguments) { list in
            unsafe CStrings.with([]) { environment in unsafe vs_spawn_apart(path, list, environment, input, ends[1], &child) }
        }
        let reason = errno
        close(ends[1])
        output = ends[0]
        pid = child
        guard started == 0 else {
            status = -1
            throw ClientFailure(.other, "cannot start vault-parse: \(SystemError.text(reason))")
        }
    }

    deinit {
        close(output)
        if status == nil {
            kill(pid, SIGKILL)
            _ = finish()
        }
    }

    /// Waits for its end.
    ///
    /// - Returns: its exit code, or minus the signal that ended it.
    func finish() -> Int32 {
        if let status { return status }
        var ended: Int32 = 0
        while unsafe waitpid(pid, &ended, 0) < 0 && errno == EINTR {}
        let code = ended & 0x7F != 0 ? -(ended & 0x7F) : ended >> 8 & 0xFF
        status = code
        return code
    }

    /// All that it writes, when that is little.
    ///
    /// - Returns: nil when it is more than `max` bytes, or the process fails.
    func readAll(max: Int) -> [UInt8]? {
        let bytes = try? FileBytes.read(output, max: max)
        guard let bytes, finish() == 0 else { return nil }
        return bytes
    }
}
