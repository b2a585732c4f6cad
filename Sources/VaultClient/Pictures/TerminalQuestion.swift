// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `TerminalQuestion` asks a terminal something and waits for the answer.
enum TerminalQuestion {
    /// Longest answer, in bytes: the three that are asked for take about 60.
    static let replyByteCountMax = 4096

    /// Asks a question, and returns the terminal's answer.
    ///
    /// - Parameters:
    ///   - descriptor: of a terminal that this process may read from.
    ///   - patienceMilliseconds: for all of it.
    /// - Returns: nil when nothing was asked because keys wait that were typed ahead (they are left for the one who
    ///   reads next), or when no whole answer came.
    static func ask(_ question: [UInt8], on descriptor: Int32, patienceMilliseconds: Int) -> TerminalReply? {
        guard let terminal = QuietTerminal(descriptor) else { return nil }
        guard !terminal.hasTypedAhead else { return nil }
        let deadline = milliseconds() + patienceMilliseconds
        guard write(question, to: descriptor, until: deadline), let reply = reply(from: descriptor, until: deadline)
        else {
            // Whatever it was, it is not meant for the shell.
            terminal.dropInput()
            return nil
        }
        return reply
    }

    /// Reads one byte at a time, so that keys typed behind the answer stay where they are. Keys typed while it was on
    /// its way are lost.
    private static func reply(from descriptor: Int32, until deadline: Int) -> TerminalReply? {
        var reply = TerminalReply()
        for _ in 0..<replyByteCountMax {
            guard let byte = nextByte(from: descriptor, until: deadline) else { return nil }
            reply.take(byte)
            if reply.isComplete { return reply }
        }
        return nil
    }

    private static func nextByte(from descriptor: Int32, until deadline: Int) -> UInt8? {
        var byte: UInt8 = 0
        while wait(for: POLLIN, on: descriptor, until: deadline) {
            let got = unsafe read(descriptor, &byte, 1)
            if got == 1 { return byte }
            guard got < 0, errno == EINTR || errno == EAGAIN else { return nil }
        }
        return nil
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, until deadline: Int) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard wait(for: POLLOUT, on: descriptor, until: deadline) else { return false }
            let wrote = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress!, $0.count) }
            if wrote > 0 {
                rest = rest.dropFirst(wrote)
            } else if wrote == 0 || (errno != EINTR && errno != EAGAIN) {
                return false
            }
        }
        return true
    }

    private static func wait(for event: Int32, on descriptor: Int32, until deadline: Int) -> Bool {
        while true {
            let left = deadline - milliseconds()
            guard left > 0 else { return false }
            var waiting = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            let count = unsafe poll(&waiting, 1, Int32(clamping: left))
            if count > 0 { return waiting.revents & Int16(event) != 0 }
            guard count < 0, errno == EINTR else { return false }
        }
    }

    private static func milliseconds() -> Int {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
    }
}
