// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// How an editor ended, and what its file held then.
enum EditResult {
    /// Nil when the editor removed the file.
    case finished([UInt8]?)
    case failed(code: Int32, last: [UInt8]?)
    case killed(signal: Int32, last: [UInt8]?)
    /// This process was asked to end.
    case terminated(last: [UInt8]?)
}

/// Runs an editor on this terminal and hands over each of its saves at once.
struct EditorSession {
    private let folder: EditFolder
    private let file: String
    private let pid: pid_t
    /// The last text that was handed over.
    private var known: [UInt8]

    /// - Parameters:
    ///   - given: what the file holds now.
    ///   - journal: takes each text that the editor saved; when it fails, the next save tries again.
    /// - Throws: `.other` when the editor cannot be started.
    static func run(
        choice: EditorChoice, folder: EditFolder, file: String, given: [UInt8], journal: ([UInt8]) throws(ClientFailure) -> Void
    ) throws(ClientFailure) -> EditResult {
        let watch = unsafe vs_watch_folder(folder.path)
        defer { if watch >= 0 { close(watch) } }
        // The terminal's Ctrl-C and Ctrl-\ are the editor's.
        let before = [SIGINT, SIGQUIT].map { signal($0, SIG_IGN) }
        defer { for (number, handler) in zip([SIGINT, SIGQUIT], before) { _ = signal(number, handler) } }
        let ends = vs_end_signal_descriptor()
        defer { if ends >= 0 { close(ends) } }
        let modes = TerminalModes()
        let pid = try start(choice.command(file: file, folder: folder.path), holding: folder.descriptor)
        var session = EditorSession(folder: folder, file: file, pid: pid, known: given)
        let result = session.wait(watch: watch, ends: ends, journal: journal)
        if case .finished = result { return result }
        modes.restore()
        return result
    }

    private static func start(_ command: [String], holding descriptor: Int32) throws(ClientFailure) -> pid_t {
        var pid: pid_t = 0
        let started = unsafe CStrings.with(command) { arguments in
            unsafe vs_spawn_editor(command[0], arguments, environ, descriptor, &pid)
        }
        guard started == 0 else {
            throw ClientFailure(.other, "cannot start \(VisibleText.escaped(command[0])): \(SystemError.text(errno))")
        }
        return pid
    }

    private mutating func wait(watch: Int32, ends: Int32, journal: ([UInt8]) throws(ClientFailure) -> Void) -> EditResult {
        let process = vs_process_descriptor(pid)
        defer { if process >= 0 { close(process) } }
        while true {
            var waiting = [watch, process, ends].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            // Without a descriptor for the process its end is looked for now and then.
            _ = unsafe poll(&waiting, 3, process < 0 ? 200 : -1)
            if waiting[0].revents != 0 { Self.drain(watch) }
            take(journal)
            if waiting[2].revents != 0 { return terminated(process, journal) }
            var status: Int32 = 0
            let ended = unsafe waitpid(pid, &status, WNOHANG)
            guard ended == pid || (ended < 0 && errno == ECHILD) else { continue }
            return self.ended(status)
        }
    }

    private func ended(_ status: Int32) -> EditResult {
        let last = folder.read(name: file)
        // wait(2): the low seven bits are the signal, the next byte is the exit code.
        if status & 0x7F != 0 { return .killed(signal: status & 0x7F, last: last) }
        let code = status >> 8 & 0xFF
        return code == 0 ? .finished(last) : .failed(code: code, last: last)
    }

    /// The terminal is going: the editor hears of it too and may save once more.
    private mutating func terminated(_ process: Int32, _ journal: ([UInt8]) throws(ClientFailure) -> Void) -> EditResult {
        kill(pid, SIGHUP)
        var waiting = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&waiting, 1, 1000)
        take(journal)
        return .terminated(last: folder.read(name: file))
    }

    private mutating func take(_ journal: ([UInt8]) throws(ClientFailure) -> Void) {
        guard let text = folder.read(name: file), text != known else { return }
        do throws(ClientFailure) {
            try journal(text)
            known = text
        } catch {
            // The agent may be gone. The text is in the file; it is handed over when the editor ends, or taken up by the next unlock.
        }
    }

    private static func drain(_ watch: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while unsafe buffer.withUnsafeMutableBytes({ unsafe read(watch, $0.baseAddress!, $0.count) }) > 0 {}
    }
}

/// The terminal as it was before an editor changed it.
struct TerminalModes {
    private var saved = termios()
    private let isKnown: Bool

    init() { isKnown = unsafe tcgetattr(0, &saved) == 0 }

    func restore() {
        guard isKnown else { return }
        var modes = saved
        unsafe tcsetattr(0, TCSADRAIN, &modes)
    }
}
