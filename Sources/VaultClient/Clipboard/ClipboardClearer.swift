// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import SecretMemory

/// `ClipboardClearer` takes a text from the clipboard after a time, but only when it is still there: what was copied
/// since belongs to somebody else.
///
/// It is this program once more, in a session of its own. The text comes through a pipe, as its size in 8 bytes
/// (big-endian) and its bytes, and waits in locked memory; arguments and environment hold none of it.
enum ClipboardClearer {
    /// The hidden command: `vault __clear-clipboard TOOL SECONDS`.
    static let command = "__clear-clipboard"
    /// Largest text, in bytes.
    static let byteCountMax = 64 << 20

    /// Starts it and hands it the text.
    static func start(_ program: String, _ tool: ClipboardChoice, _ bytes: [UInt8], after seconds: UInt32)
        throws(ClientFailure)
    {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else {
            throw ClientFailure(.other, "cannot make a pipe: \(SystemError.text(errno))")
        }
        defer { close(ends[1]) }
        let silence = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(silence) }
        do throws(ClientFailure) {
            _ = try ChildProgram.startApart(
                program, [command, tool.rawValue, String(seconds)], input: ends[0], output: silence)
            close(ends[0])
        } catch {
            close(ends[0])
            throw error
        }
        let count = UInt64(bytes.count)
        let size = stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }
        guard PipeSignal.ignored({ Streams.writeAll(size, to: ends[1]) && Streams.writeAll(bytes, to: ends[1]) }) else {
            throw ClientFailure(.other, "the program that clears it exited at once")
        }
    }

    /// Does the work of the program that was started.
    ///
    /// - Returns: the process's exit code; nobody waits for it.
    static func run(_ arguments: [String], input: Int32 = 0) -> Int32 {
        guard arguments.count == 2, let choice = ClipboardChoice(rawValue: arguments[0]),
            let seconds = UInt32(arguments[1]),
            let tool = try? ClipboardTool.choose(choice), let text = receive(input)
        else { return 2 }
        close(input)
        wait(seconds)
        guard isStillThere(text, tool) else { return 0 }
        return clear(tool)
    }

    private static func receive(_ input: Int32) -> SecretBytes? {
        var size = SecretBytes(zeroes: 8)
        guard fill(&size, from: input) else { return nil }
        let count = unsafe size.withUnsafeBytes { bytes in unsafe bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        guard count > 0, count <= byteCountMax else { return nil }
        var text = SecretBytes(zeroes: Int(count))
        guard fill(&text, from: input) else { return nil }
        return text
    }

    /// Reads until `secret` is full; false when the stream ends before.
    private static func fill(_ secret: inout SecretBytes, from descriptor: Int32) -> Bool {
        unsafe secret.withUnsafeMutableBytes { bytes in
            var done = 0
            while done < bytes.count {
                let got = unsafe read(descriptor, bytes.baseAddress! + done, bytes.count - done)
                if got < 0 && errno == EINTR { continue }
                guard got > 0 else { return false }
                done += got
            }
            return true
        }
    }

    /// Waits by the clock that goes on while the machine sleeps: after a night the text is gone at once.
    private static func wait(_ seconds: UInt32) {
        var now = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &now)
        now.tv_sec += Int(seconds)
        while unsafe clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &now, nil) == EINTR {}
    }

    /// Reads the clipboard into locked memory, one byte more than the text has, and compares.
    private static func isStillThere(_ text: borrowing SecretBytes, _ tool: ClipboardTool) -> Bool {
        switch tool {
        case .wayland(_, let paste):
            guard let paste else { return false }
            return prints(text, paste, ["--no-newline", "--type", "text/plain;charset=utf-8"])
        case .x11(let program): return prints(text, program, ["-selection", "clipboard", "-out"])
        case .terminal: return false
        }
    }

    private static func prints(_ text: borrowing SecretBytes, _ program: String, _ arguments: [String]) -> Bool {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { return false }
        defer { close(ends[0]) }
        let silence = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        let pid = try? ChildProgram.startApart(program, arguments, input: silence, output: ends[1])
        close(silence)
        close(ends[1])
        guard let pid else { return false }
        var found = SecretBytes(zeroes: text.byteCount)
        var more = SecretBytes(zeroes: 1)
        let isSame = fill(&found, from: ends[0]) && !fill(&more, from: ends[0]) && found.matches(text)
        if !isSame { kill(pid, SIGKILL) }
        return ChildProgram.wait(for: pid) == 0 && isSame
    }

    private static func clear(_ tool: ClipboardTool) -> Int32 {
        do throws(ClientFailure) {
            switch tool {
            case .wayland(let copy, _): try Clipboard.feed([], to: copy, ["--clear"])
            case .x11(let program): try Clipboard.feed([], to: program, ["-selection", "clipboard", "-in"])
            case .terminal: break
            }
            return 0
        } catch {
            return Int32(error.outcome.code.rawValue)
        }
    }
}
