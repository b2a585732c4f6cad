// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// Reads a password into locked memory, byte by byte: `readLine` and stdio leave a copy behind in their buffers.
public enum PasswordReader {
    /// The longest password that is taken, in bytes. A longer one is refused, never cut.
    public static let byteCountMax = 4096

    /// What went wrong; it never holds what was typed.
    public struct Failure: Error, Sendable, Equatable {
        public static let tooLong = Failure(reason: 1)
        public static let empty = Failure(reason: 2)
        public static let notReadable = Failure(reason: 3)
        /// Ctrl-C or end of input at the prompt.
        public static let interrupted = Failure(reason: 4)
        public static let noTerminal = Failure(reason: 5)
        private let reason: Int
    }

    /// Reads all bytes of a descriptor, less one final line feed. NUL bytes are kept.
    ///
    /// - Throws: `Failure.tooLong` above 4,096 bytes, `.empty`, `.notReadable`.
    public static func read(descriptor: Int32) throws(Failure) -> SecretBytes {
        var buffer = SecretBytes(zeroes: byteCountMax + 2)
        var count = 0
        while true {
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

    /// Asks on the terminal with echo off.
    ///
    /// - Parameter prompt: shown as it is; it holds no secret.
    /// - Throws: `Failure.noTerminal` when there is none to ask on, `.interrupted` on Ctrl-C or end of input.
    public static func ask(prompt: String, echo: Bool = false) throws(Failure) -> SecretBytes {
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { throw .noTerminal }
        defer { close(terminal) }
        var before = termios()
        guard unsafe tcgetattr(terminal, &before) == 0 else { throw .noTerminal }
        var silent = before
        // Signals become bytes here, so that the terminal is always put right again before we act on them.
        silent.c_lflag &= ~UInt32(echo ? ISIG | ICANON : ECHO | ISIG | ICANON)
        guard unsafe tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { throw .noTerminal }
        defer { unsafe tcsetattr(terminal, TCSAFLUSH, &before) }
        say(prompt, to: terminal)
        defer { say("\r\n", to: terminal) }
        return try line(from: terminal, echo: echo)
    }

    private static func line(from terminal: Int32, echo: Bool) throws(Failure) -> SecretBytes {
        var buffer = SecretBytes(zeroes: byteCountMax + 2)
        var count = 0
        while true {
            let got = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(terminal, bytes.baseAddress! + count, 1)
            }
            if got < 0 && errno == EINTR { continue }
            guard got == 1 else { throw count == 0 ? .interrupted : .notReadable }
            let byte = unsafe buffer.withUnsafeBytes { bytes in unsafe bytes[count] }
            switch byte {
            case 0x0A, 0x0D: return try trimmed(buffer, count: count)
            case 0x03, 0x1C: throw .interrupted
            case 0x04: if count == 0 { throw .interrupted }
            case 0x15: count = 0
            case 0x08, 0x7F: count = afterErasing(from: buffer, count: count)
            default: count += 1
            }
            if count > byteCountMax { throw .tooLong }
        }
    }

    /// Erases one character: in UTF-8 that is all continuation bytes and their lead byte.
    private static func afterErasing(from buffer: borrowing SecretBytes, count: Int) -> Int {
        unsafe buffer.withUnsafeBytes { bytes in
            var left = count
            while left > 0 {
                left -= 1
                if unsafe bytes[left] & 0xC0 != 0x80 { break }
            }
            return left
        }
    }

    private static func trimmed(_ buffer: borrowing SecretBytes, count: Int) throws(Failure) -> SecretBytes {
        let endsWithLineFeed = unsafe buffer.withUnsafeBytes { bytes in unsafe count > 0 && bytes[count - 1] == 0x0A }
        let kept = endsWithLineFeed ? count - 1 : count
        guard kept > 0 else { throw .empty }
        guard kept <= byteCountMax else { throw .tooLong }
        return buffer.prefix(kept)
    }

    private static func say(_ text: String, to terminal: Int32) {
        let bytes = Array(text.utf8)
        unsafe bytes.withUnsafeBytes { raw in _ = unsafe write(terminal, raw.baseAddress!, raw.count) }
    }
}
