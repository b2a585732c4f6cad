// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc

/// A process that a test started. It is ended, by its own number, when the value goes.
final class Child {
    struct CannotStart: Error { let program: String, number: Int32 }

    let pid: pid_t
    private(set) var status: Int32?

    /// - Parameters:
    ///   - arguments: the program's full path first.
    ///   - streams: what becomes 0, 1 and 2; negative is /dev/null.
    ///   - terminal: a terminal's path that becomes all three streams and the controlling terminal, in a new session.
    init(
        _ arguments: [String], environment: [String: String], streams: [Int32] = [-1, -1, -1], terminal: String? = nil
    ) throws {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        for (number, stream) in streams.enumerated() {
            if terminal != nil || stream < 0 {
                unsafe posix_spawn_file_actions_addopen(&actions, Int32(number), terminal ?? "/dev/null", O_RDWR, 0)
            } else {
                unsafe posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
            }
        }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        // A session of its own: a terminal can become its controlling one, and no other is there to be asked.
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | 0x80))
        var started: pid_t = 0
        let variables = environment.map { $0.key + "=" + $0.value }.sorted()
        let failure = unsafe Self.withTexts(arguments) { list in
            unsafe Self.withTexts(variables) { block in
                unsafe posix_spawn(&started, arguments[0], &actions, &attributes, list, block)
            }
        }
        guard failure == 0 else { throw CannotStart(program: arguments[0], number: failure) }
        pid = started
    }

    deinit { end() }

    /// Whether it has ended; then `status` says how.
    var hasEnded: Bool {
        if status != nil { return true }
        var word: Int32 = 0
        guard unsafe waitpid(pid, &word, WNOHANG) == pid else { return false }
        // wait(2): the low seven bits are the signal that ended it, the next byte is the exit code.
        status = word & 0x7F == 0 ? word >> 8 & 0xFF : -(word & 0x7F)
        return true
    }

    /// Its exit code, or minus the signal that ended it; nil when it still runs after `seconds`.
    func wait(seconds: Double) -> Int32? {
        let deadline = Clock.seconds + seconds
        while !hasEnded && Clock.seconds < deadline { usleep(1000) }
        return status
    }

    func send(_ signal: Int32) {
        if !hasEnded { kill(pid, signal) }
    }

    func end() {
        guard !hasEnded else { return }
        kill(pid, SIGKILL)
        var word: Int32 = 0
        unsafe waitpid(pid, &word, 0)
        status = -SIGKILL
    }

    private static func withTexts<R>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R) -> R {
        let copies = unsafe texts.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe body(copies + [nil])
    }
}

enum Clock {
    /// Seconds that only grow.
    static var seconds: Double {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
