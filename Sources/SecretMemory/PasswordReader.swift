// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `PasswordReader` reads a password into locked memory, byte by byte: `readLine` and stdio leave a copy behind in
/// their buffers.
public enum PasswordReader {
    /// The longest password that is taken, in bytes. A longer one is refused, never cut.
    public static let byteCountMax = 4096

    /// `Failure` says what went wrong; it never holds what was typed.
    public struct Failure: Error, Sendable, Equatable {
        public static let tooLong = Failure(reason: 1)
        public static let empty = Failure(reason: 2)
        public static let notReadable = Failure(reason: 3)
        /// Ctrl-C or end of input at the prompt.
        public static let interrupted = Failure(reason: 4)
        public static let noTerminal = Failure(reason: 5)
        public static let tookTooLong = Failure(reason: 6)
        private let reason: Int
    }

    /// Reads all bytes of a descriptor, less one final line feed. NUL bytes are kept.
    ///
    /// - Parameter milliseconds: most that is waited for all of it; nil waits for as long as it takes.
    /// - Throws: `Failure.tooLong` above 4,096 bytes, `.empty`, `.notReadable`, `.tookTooLong`.
    public static func read(descriptor: Int32, within milliseconds: Int? = nil) throws(Failure) -> SecretBytes {
        let begin = now
        var buffer = SecretBytes(zeroes: byteCountMax + 2)
        var count = 0
        while true {
            if let milliseconds { try wait(for: descriptor, milliseconds: milliseconds - (now - begin)) }
            let got = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(descriptor, bytes.baseAddress! + count, bytes.count - count)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw .notReadable }
            if got == 0 { break }
            count += got
            if count > byteCountMax + 1 { throw .tooLong }
        }
        return try trimmed(buffer, count: count)
    }

    /// Asks on the terminal; nothing is echoed unless `echo` says so.
    ///
    /// - Parameter prompt: shown as it is; it holds no secret.
    /// - Throws: `Failure.noTerminal` when there is no terminal, `.interrupted` on Ctrl-C or end of input.
    public static func ask(prompt: String, echo: Bool = false) throws(Failure) -> SecretBytes {
        var terminal = try TerminalPrompt()
        return try terminal.ask(prompt, shows: echo ? .asTyped : .nothing)
    }

    private static func wait(for descriptor: Int32, milliseconds: Int) throws(Failure) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard milliseconds > 0, unsafe poll(&waiting, 1, Int32(clamping: milliseconds)) != 0 else { throw .tookTooLong }
    }

    /// Milliseconds that only grow.
    private static var now: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    private static func trimmed(_ buffer: borrowing SecretBytes, count: Int) throws(Failure) -> SecretBytes {
        let endsWithLineFeed = unsafe buffer.withUnsafeBytes { bytes in unsafe count > 0 && bytes[count - 1] == 0x0A }
        let kept = endsWithLineFeed ? count - 1 : count
        guard kept > 0 else { throw .empty }
        guard kept <= byteCountMax else { throw .tooLong }
        return buffer.prefix(kept)
    }
}
