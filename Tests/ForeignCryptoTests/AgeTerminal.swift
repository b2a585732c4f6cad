// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import VaultTesting

/// The age program on a pseudo-terminal of its own: it takes a passphrase from nowhere else.
final class AgeTerminal {
    struct NotShown: Error { let words: String }

    private let master: Int32
    private var pid: pid_t = 0
    private var shown: [UInt8] = []

    init(_ arguments: [String]) throws {
        let terminal = try PseudoTerminal()
        master = terminal.master
        pid = try Self.start(arguments, terminal: terminal.path)
    }

    deinit {
        close(master)
        if pid > 0 {
            kill(pid, SIGKILL)
            _ = waitpid(pid, nil, 0)
        }
    }

    /// Waits for words, then types a line.
    func answer(_ words: String, with line: String) throws {
        let wanted = Array(words.utf8)
        while !(shown.indices.contains { shown[$0...].starts(with: wanted) }) {
            guard readMore() else { throw NotShown(words: text) }
        }
        shown = []
        let typed = Array((line + "\n").utf8)
        guard unsafe write(master, typed, typed.count) == typed.count else { throw NotShown(words: text) }
    }

    /// Waits for its end and tells its exit code.
    func end() throws -> Int32 {
        while readMore() {}
        var word: Int32 = 0
        guard unsafe waitpid(pid, &word, 0) == pid else { throw NotShown(words: text) }
        pid = 0
        return word & 0x7f == 0 ? word >> 8 & 0xff : -(word & 0x7f)
    }

    var text: String { String(decoding: shown, as: UTF8.self) }

    /// False at the end, and after half a minute in which nothing came.
    private func readMore() -> Bool {
        var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, 30_000) == 1 else { return false }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let got = unsafe read(master, &buffer, buffer.count)
        guard got > 0 else { return false }
        shown += buffer[..<got]
        return true
    }

    private static func start(_ arguments: [String], terminal: String) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        for stream: Int32 in 0...2 { unsafe posix_spawn_file_actions_addopen(&actions, stream, terminal, O_RDWR, 0) }
        // POSIX_SPAWN_SETSID: without a session of its own the terminal would not become its controlling one.
        unsafe posix_spawnattr_setflags(&attributes, 0x80)
        var list = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var variables = unsafe [strdup("TERM=dumb"), nil]
        defer {
            unsafe (list + variables).forEach { unsafe free($0) }
        }
        var started: pid_t = 0
        guard unsafe posix_spawn(&started, arguments[0], &actions, &attributes, &list, &variables) == 0 else {
            throw NotShown(words: "cannot start \(arguments[0])")
        }
        return started
    }
}
