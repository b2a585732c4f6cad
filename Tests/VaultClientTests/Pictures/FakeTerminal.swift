// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Synchronization

/// The other end of a pseudo-terminal: a thread that answers questions as a kind of terminal does.
final class FakeTerminal: Sendable {
    enum Manner: Sendable {
        case answering(String)
        /// One byte in each write.
        case answeringInPieces(String)
        case silent
        /// Bytes without end once it was asked.
        case endless([UInt8])
        /// Sends back what it gets.
        case echoing
        /// A signal reaches the thread that asked before the answer does.
        case signalling(pthread_t, Int32, thenAnswering: String)
    }

    struct Missing: Error {}

    /// What a program has as its terminal.
    let program: Int32
    private let master: Int32
    private let manner: Manner
    private let shown = Mutex<[UInt8]>([])
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter controlling: whether it becomes the terminal of this session, which has none yet.
    init(
        _ manner: Manner, columns: UInt16 = 80, rows: UInt16 = 24, pixels: (UInt16, UInt16) = (0, 0),
        controlling: Bool = false
    ) throws {
        self.manner = manner
        master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        // ioctl_tty(2): TIOCSPTLCK unlocks the other end, TIOCGPTN tells its number. The C library's own calls are not
        // visible to Swift.
        var locked: Int32 = 0
        var number: Int32 = 0
        guard master >= 0, unsafe ioctl(master, 0x4004_5431, &locked) == 0,
            unsafe ioctl(master, 0x8004_5430, &number) == 0
        else { throw Missing() }
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: pixels.0, ws_ypixel: pixels.1)
        _ = unsafe ioctl(master, UInt(TIOCSWINSZ), &size)
        program = unsafe open("/dev/pts/\(number)", O_RDWR | O_CLOEXEC | (controlling ? 0 : O_NOCTTY))
        guard program >= 0 else { throw Missing() }
        setOddModes()
        Thread.detachNewThread { self.run() }
    }

    /// Hangs up, and waits until the thread has seen it.
    func hangUp() {
        close(program)
        ended.wait()
        close(master)
    }

    /// All that the program has written so far.
    var output: String { shown.withLock { String(decoding: $0, as: UTF8.self) } }

    /// The modes as bytes.
    var modes: [UInt8] {
        var modes = termios()
        guard unsafe tcgetattr(program, &modes) == 0 else { return [] }
        return unsafe withUnsafeBytes(of: &modes) { unsafe Array($0) }
    }

    /// Keys, as a person presses them.
    func type(_ text: String) { write(Array(text.utf8)) }

    /// What the next program reads: all that waits.
    func waitingInput() -> String {
        var bytes = [UInt8](repeating: 0, count: 8192)
        var waiting = pollfd(fd: program, events: Int16(POLLIN), revents: 0)
        var text = ""
        while unsafe poll(&waiting, 1, 0) > 0 && waiting.revents & Int16(POLLIN) != 0 {
            let got = unsafe read(program, &bytes, bytes.count)
            guard got > 0 else { break }
            text += String(decoding: bytes[..<got], as: UTF8.self)
        }
        return text
    }

    /// Modes that nobody sets by chance, so that a restored terminal is told from one with usual modes.
    private func setOddModes() {
        var modes = termios()
        _ = unsafe tcgetattr(program, &modes)
        modes.c_iflag |= UInt32(IXANY)
        modes.c_lflag &= ~UInt32(ECHOK)
        modes.c_lflag |= UInt32(NOFLSH)
        unsafe withUnsafeMutableBytes(of: &modes.c_cc) { characters in
            unsafe characters[Int(VMIN)] = 7
            unsafe characters[Int(VTIME)] = 3
            unsafe characters[Int(VINTR)] = 0x07
        }
        _ = unsafe tcsetattr(program, TCSANOW, &modes)
    }

    private func run() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var isAnswered = false
        while wait(for: POLLIN) {
            let got = unsafe read(master, &bytes, bytes.count)
            guard got > 0 else { break }
            shown.withLock { $0 += bytes[..<got] }
            if case .echoing = manner { write(Array(bytes[..<got])) }
            // The question ends with the one for device attributes.
            if !isAnswered && output.hasSuffix("\u{1B}[c") {
                isAnswered = true
                answer()
            }
        }
        ended.signal()
    }

    private func answer() {
        switch manner {
        case .answering(let text): write(Array(text.utf8))
        case .answeringInPieces(let text): for byte in text.utf8 { write([byte]) }
        case .silent, .echoing: break
        case .endless(let bytes): while write(bytes) {}
        case .signalling(let thread, let signal, let text):
            pthread_kill(thread, signal)
            write(Array(text.utf8))
        }
    }

    /// - Returns: false when the program has hung up. A write that waits would not notice that.
    @discardableResult
    private func write(_ bytes: [UInt8]) -> Bool {
        while wait(for: POLLOUT) {
            if unsafe bytes.withUnsafeBytes({ unsafe Glibc.write(master, $0.baseAddress!, $0.count) }) > 0 {
                return true
            }
            guard errno == EAGAIN else { return false }
        }
        return false
    }

    private func wait(for event: Int32) -> Bool {
        var waiting = pollfd(fd: master, events: Int16(event), revents: 0)
        while unsafe poll(&waiting, 1, -1) < 0 && errno == EINTR {}
        // What was written before hanging up is still read.
        return event == POLLIN ? waiting.revents & Int16(POLLIN) != 0 : waiting.revents & Int16(POLLHUP) == 0
    }
}
