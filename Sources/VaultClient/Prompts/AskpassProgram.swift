// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import SecretMemory

/// Runs `NOTEVAULT_ASKPASS` with the prompt as its one argument and takes its standard output as the password. No shell.
enum AskpassProgram {
    static func run(_ path: String, prompt: String) throws(ClientFailure) -> SecretBytes {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { throw cannot(path, errno) }
        let silence = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        var pid: pid_t = 0
        let started = unsafe CStrings.with([path, prompt]) { arguments in
            unsafe CStrings.with(environment()) { variables in
                unsafe vs_spawn_filter(path, arguments, variables, silence, ends[1], &pid)
            }
        }
        let reason = errno
        close(silence)
        close(ends[1])
        defer { close(ends[0]) }
        guard started == 0 else { throw cannot(path, reason) }
        let result: Result<Int32, ClientFailure>
        let secret: SecretBytes?
        do throws(ClientFailure) {
            secret = try PasswordSource.mapped { () throws(PasswordReader.Failure) in
                try PasswordReader.read(descriptor: ends[0])
            }
            result = .success(0)
        } catch {
            secret = nil
            result = .failure(error)
        }
        guard exitStatus(of: pid) == 0 else {
            throw ClientFailure(.aborted, "the program of NOTEVAULT_ASKPASS gave no password", hint: "run it by hand to see why")
        }
        _ = try result.get()
        guard let secret else { throw ClientFailure(.other, "the password cannot be read") }
        return secret
    }

    private static func cannot(_ path: String, _ reason: Int32) -> ClientFailure {
        ClientFailure(
            reason == ENOENT ? .notFound : .other,
            "cannot run NOTEVAULT_ASKPASS (\(VisibleText.escaped(path))): \(SystemError.text(reason))")
    }

    private static func exitStatus(of pid: pid_t) -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 {
            if errno != EINTR { return -1 }
        }
        return status
    }

    /// An askpass program shows a window or talks to a key ring: it needs the caller's whole environment.
    private static func environment() -> [String] {
        let descriptor = unsafe open("/proc/self/environ", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        guard let bytes = try? FileBytes.read(descriptor, max: 4 << 20) else { return [] }
        return bytes.split(separator: 0).compactMap { String(validating: $0, as: UTF8.self) }
    }
}
