// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `TypedLine` is a line while it is typed, in locked memory: keys that are no text are not part of it.
///
/// ```
/// ground ──ESC──▶ escape ──[──▶ sequence ──final byte──▶ ground        arrow keys, the marks around a paste:
///                                                                      ESC [ 200 ~ … ESC [ 201 ~
///                   ├──O──▶ one ──any byte──▶ ground                   arrow keys of a terminal in application mode
///                   ├──] P X ^ _──▶ text ──BEL or ESC \──▶ ground      a terminal's answer to a question
///                   └──any other byte, or a pause──▶ ground            Alt and a key; the Escape key alone
/// ```
struct TypedLine: ~Copyable {
    enum Ending {
        case whole, interrupted, tooLong, unreadable
        /// Ctrl-Z.
        case suspended
    }

    private enum State { case ground, escape, sequence, one, text, textEscape }

    private var buffer = SecretBytes(zeroes: PasswordReader.byteCountMax + 2)
    private var count = 0
    private var state = State.ground
    private let echo: Int32

    /// Begins an empty line.
    ///
    /// - Parameter echoesTo: a terminal that shows what is typed, or -1.
    init(echoesTo echo: Int32) { self.echo = echo }

    var isEmpty: Bool { count == 0 }
    var isInEscape: Bool { state != .ground }

    mutating func endEscape() { state = .ground }

    /// Begins the line anew, after a stop.
    mutating func restart() {
        count = 0
        state = .ground
    }

    /// Reads one byte.
    ///
    /// - Returns: nil while the line goes on.
    mutating func take(from descriptor: Int32) -> Ending? {
        let at = count
        let got = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe Glibc.read(descriptor, bytes.baseAddress! + at, 1)
        }
        if got < 0 && (errno == EINTR || errno == EAGAIN) { return nil }
        guard got == 1 else { return .unreadable }
        let byte = unsafe buffer.withUnsafeBytes { bytes in unsafe bytes[at] }
        guard state == .ground else {
            skip(byte)
            return nil
        }
        return key(byte)
    }

    private mutating func skip(_ byte: UInt8) {
        switch state {
        case .escape:
            state =
                switch byte {
                case 0x5B: .sequence
                case 0x4F: .one
                case 0x5D, 0x50, 0x58, 0x5E, 0x5F: .text
                case 0x1B: .escape
                default: .ground
                }
        case .sequence: if byte >= 0x40 && byte <= 0x7E { state = .ground }
        case .text: state = byte == 0x07 ? .ground : byte == 0x1B ? .textEscape : .text
        case .textEscape: state = byte == 0x5C ? .ground : .text
        case .one, .ground: state = .ground
        }
    }

    private mutating func key(_ byte: UInt8) -> Ending? {
        switch byte {
        case 0x0A, 0x0D: return .whole
        case 0x03, 0x1C: return .interrupted
        case 0x04: return count == 0 ? .interrupted : nil
        case 0x1A: return .suspended
        case 0x1B: state = .escape
        case 0x15: while count > 0 { eraseOne() }
        case 0x08, 0x7F: eraseOne()
        // What is shown is a word: a control character in it could only be a slip, and would drive the terminal.
        case 0..<0x20 where echo >= 0: break
        default:
            count += 1
            if echo >= 0 { write(count - 1..<count, to: echo) }
        }
        return count > PasswordReader.byteCountMax ? .tooLong : nil
    }

    /// Erases one character: in UTF-8 that is all continuation bytes and their lead byte.
    private mutating func eraseOne() {
        guard count > 0 else { return }
        let end = count
        count = unsafe buffer.withUnsafeBytes { bytes in
            var left = end
            while left > 0 {
                left -= 1
                if unsafe bytes[left] & 0xC0 != 0x80 { break }
            }
            return left
        }
        if echo >= 0 { TerminalPrompt.say("\u{8} \u{8}", to: echo) }
    }

    /// Returns what was typed, without the byte that ended it.
    func result() throws(PasswordReader.Failure) -> SecretBytes {
        guard count > 0 else { throw .empty }
        return buffer.prefix(count)
    }

    /// Shows the line if it is an answer to a question of yes or no.
    func showYesOrNo(on terminal: Int32) {
        let isAnswer = unsafe buffer.withUnsafeBytes { bytes in
            ["y", "yes", "n", "no"].contains { word in
                unsafe word.utf8.elementsEqual(bytes[0..<count].lazy.map { $0 | 0x20 })
            }
        }
        if isAnswer { write(0..<count, to: terminal) }
    }

    private func write(_ range: Range<Int>, to terminal: Int32) {
        unsafe buffer.withUnsafeBytes { bytes in
            _ = unsafe Glibc.write(terminal, bytes.baseAddress! + range.lowerBound, range.count)
        }
    }
}
