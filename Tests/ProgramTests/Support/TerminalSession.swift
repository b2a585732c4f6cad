// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import VaultTesting

/// A program on a pseudo-terminal: what it shows is read as a screen would get it, what is sent is typed.
final class TerminalSession {
    struct NotShown: Error, CustomStringConvertible { let description: String }

    private var master: Int32
    private let child: Child
    /// All that was shown, with its carriage returns.
    private(set) var shown: [UInt8] = []
    private var seenUpTo = 0

    init(_ arguments: [String], environment: [String: String], columns: UInt16 = 80, rows: UInt16 = 24) throws {
        let terminal = try PseudoTerminal()
        terminal.resize(columns: columns, rows: rows)
        master = terminal.master
        child = try Child(arguments, environment: environment, terminal: terminal.path)
    }

    deinit { hangUp() }

    /// Closes the terminal's window, so to say: who runs on it is hung up on.
    func hangUp() {
        if master >= 0 { close(master) }
        master = -1
    }

    /// The program's process number.
    var pid: pid_t { child.pid }
    func kill(_ signal: Int32) { child.send(signal) }

    /// Whether the terminal shows what is typed, as the next program on it would find it.
    var echoes: Bool {
        var modes = termios()
        return unsafe tcgetattr(master, &modes) == 0 && modes.c_lflag & UInt32(ECHO) != 0
    }

    /// Another size of the window, as a person drags it: the program is told by SIGWINCH.
    func resize(columns: UInt16, rows: UInt16 = 24) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// Waits until a text is shown after what was waited for before.
    func wait(for text: String, seconds: Double = 30) throws {
        let wanted = Array(text.utf8)
        let deadline = Clock.seconds + seconds
        while true {
            let rest = Array(shown[seenUpTo...])
            if let at = rest.indices.first(where: { rest[$0...].starts(with: wanted) }) {
                seenUpTo += at + wanted.count
                return
            }
            guard Clock.seconds < deadline, readMore(until: deadline) else {
                throw NotShown(description: "\(text.debugDescription) is not in \(transcript.debugDescription)")
            }
        }
    }

    /// Reads until nothing more has come for a while.
    func waitForQuiet(seconds: Double) {
        let limit = Clock.seconds + 20
        while Clock.seconds < limit, readMore(until: Clock.seconds + seconds) {}
    }

    func type(_ text: String) throws {
        let bytes = Array(text.utf8)
        let put = unsafe bytes.withUnsafeBytes { unsafe write(master, $0.baseAddress!, $0.count) }
        guard put == bytes.count else { throw NotShown(description: "cannot type") }
    }

    /// Types a line once its prompt is shown.
    func answer(_ prompt: String, _ line: some StringProtocol) throws {
        try wait(for: prompt)
        try type(line + "\r")
    }

    /// Reads what is left until the program ends.
    ///
    /// - Returns: its exit code.
    func finish(seconds: Double = 60) throws -> Int32 {
        let deadline = Clock.seconds + seconds
        while readMore(until: deadline) {}
        guard let code = child.wait(seconds: deadline - Clock.seconds) else {
            throw NotShown(description: "it does not end")
        }
        return code
    }

    /// What was shown, with plain line feeds; a carriage return anywhere else stays.
    var transcript: String { transcript(from: 0) }

    /// - Parameter begin: bytes that are left out.
    func transcript(from begin: Int) -> String {
        var bytes: [UInt8] = []
        for byte in shown[begin...] {
            while byte == 0x0A && bytes.last == 0x0D { bytes.removeLast() }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A terminal whose other end is closed by all reads as an error.
    private func readMore(until deadline: Double) -> Bool {
        var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        let left = max(0, deadline - Clock.seconds)
        guard unsafe poll(&waiting, 1, Int32(left * 1000)) > 0 else { return false }
        var part = [UInt8](repeating: 0, count: 4096)
        let got = unsafe part.withUnsafeMutableBytes { unsafe read(master, $0.baseAddress!, $0.count) }
        guard got > 0 else { return false }
        shown += part[0..<got]
        return true
    }
}

extension VaultWorld {
    /// Starts `vault` on a terminal of its own.
    func terminal(_ arguments: String...) throws -> TerminalSession {
        try TerminalSession([Programs.path("vault")] + arguments, environment: environment)
    }

    /// Starts a shell with job control on a terminal of its own, and has it run `vault` in the foreground.
    func shell(running arguments: String...) throws -> TerminalSession {
        var environment = environment
        environment["PS1"] = "ready> "
        let session = try TerminalSession(
            ["/bin/bash", "--norc", "--noprofile", "--noediting", "-i"], environment: environment)
        try session.answer("ready> ", ([Programs.path("vault")] + arguments).joined(separator: " "))
        return session
    }

    /// Runs `vault` on a terminal, with nothing to type.
    func shown(_ arguments: String...) throws -> String { try shown(arguments) }

    func shown(_ arguments: [String], columns: UInt16 = 80, rows: UInt16 = 24) throws -> String {
        let session = try TerminalSession(
            [Programs.path("vault")] + arguments, environment: environment, columns: columns, rows: rows)
        let code = try session.finish()
        guard code == 0 else { throw Failed(description: "exit code \(code): \(session.transcript)") }
        return session.transcript
    }
}
