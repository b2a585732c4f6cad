// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import ExecArguments
internal import Glibc

/// `EditorProcess` is a running editor. It shares our terminal and our process group, so that Ctrl-C and Ctrl-Z reach
/// it.
struct EditorProcess: ~Copyable {
    /// `Status` says how a process ended, by wait(2): the low seven bits are the signal, the next byte is the exit
    /// code.
    struct Status {
        let word: Int32
        var signal: Int32? { word & 0x7F == 0 ? nil : word & 0x7F }
        var code: Int32 { word >> 8 & 0xFF }
    }

    private let pid: pid_t
    /// Readable when it has ended; negative on a system without such descriptors.
    let descriptor: Int32

    /// Starts an editor.
    ///
    /// - Parameter held: the descriptor of the folder's lock, which the editor keeps open as long as it lives.
    /// - Throws: `.other` when it cannot be started.
    init(_ command: [String], environment: [String], holding held: Int32) throws(ClientFailure) {
        var started: pid_t = 0
        let result = unsafe CStrings.with(command) { arguments in
            unsafe CStrings.with(environment) { variables in
                unsafe vs_spawn_editor(command[0], arguments, variables, held, &started)
            }
        }
        guard result == 0 else {
            throw ClientFailure(.other, "cannot start \(VisibleText.escaped(command[0])): \(SystemError.text(errno))")
        }
        pid = started
        descriptor = vs_process_descriptor(started)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns how it ended; nil while it runs.
    func status() -> Status? {
        var word: Int32 = 0
        let ended = unsafe waitpid(pid, &word, WNOHANG)
        // A caller that ignores SIGCHLD leaves us no status.
        if ended < 0 && errno == ECHILD { return Status(word: 0) }
        return ended == pid ? Status(word: word) : nil
    }

    /// Whether it is on its way out: files that the kernel closes for a killed process look as if they were saved.
    var isEnding: Bool {
        let file = unsafe open("/proc/\(pid)/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return true }
        defer { close(file) }
        guard let bytes = try? FileBytes.read(file, max: 4096), let name = bytes.lastIndex(of: 0x29) else {
            return true
        }
        // proc(5): after the name in parentheses come the state and, sixth after it, the kernel's flags; 4 is
        // PF_EXITING.
        let fields = bytes[(name + 1)...].split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        guard fields.count > 6, let flags = UInt64(fields[6]) else { return true }
        return ["Z", "X", "x"].contains(fields[0]) || flags & 4 != 0
    }

    /// Passes a signal on and waits for its end, which comes within two seconds, one way or the other.
    func end(by signal: Int32) -> Status {
        kill(pid, signal)
        // One that a person has stopped must run to hear of it.
        kill(pid, SIGCONT)
        if let status = status(within: 2000) { return status }
        kill(pid, SIGKILL)
        var word: Int32 = 0
        while unsafe waitpid(pid, &word, 0) < 0 && errno == EINTR {}
        return Status(word: word)
    }

    private func status(within milliseconds: Int32) -> Status? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&waiting, 1, milliseconds) < 0 && errno == EINTR {}
        return status()
    }
}
