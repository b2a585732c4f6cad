// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import ExecArguments
internal import Glibc
internal import SecretMemory

/// `PinentryProgram` asks for a password through a pinentry: a window of the desktop's own, or a form on the terminal.
///
/// Source: the Assuan protocol and pinentry's manual, "Protocol" (GnuPG).
struct PinentryProgram {
    private static let lineByteCountMax = 4 * PasswordReader.byteCountMax
    private let pid: pid_t
    /// To it and from it.
    private let input: Int32
    private let output: Int32

    /// Asks once.
    ///
    /// - Throws: `.failSafe` for a program that others can change, `.interrupted` when somebody says no, `.locked`
    ///   when it gives no password, `.usage` for one that is empty or too long.
    static func run(_ path: String, prompt: String) throws(ClientFailure) -> SecretBytes {
        try SecretProgram.requireTrusted(path, called: "pinentry")
        let program = try PinentryProgram(path)
        defer { program.end() }
        return try program.ask(prompt)
    }

    private init(_ path: String) throws(ClientFailure) {
        var to = try Pipe()
        var from = try Pipe()
        var child: pid_t = 0
        let started = unsafe CStrings.with([path]) { words in
            unsafe CStrings.with(Environment.all) { variables in
                unsafe vs_spawn_filter(path, words, variables, to.readingEnd, from.writingEnd, &child)
            }
        }
        guard started == 0 else { throw SecretProgram.cannot("pinentry", path, errno) }
        pid = child
        (input, output) = (to.takeWriting(), from.takeReading())
    }

    private func ask(_ prompt: String) throws(ClientFailure) -> SecretBytes {
        _ = try answer()
        for order in Self.orders(prompt) {
            // One that does not know an option says so, and goes on.
            try send(order)
            _ = try answer()
        }
        try send("GETPIN")
        var password = SecretBytes(zeroes: 0)
        while true {
            let line = try line()
            if Self.begins(line, "D ") {
                // A long one comes in several lines.
                password = Self.joined(password, Self.decoded(line))
                guard password.byteCount <= PasswordReader.byteCountMax else { throw PasswordSource.failure(.tooLong) }
                continue
            }
            if Self.begins(line, "OK") {
                guard password.byteCount > 0 else { throw PasswordSource.failure(.empty) }
                return password
            }
            guard Self.begins(line, "ERR") else { continue }
            guard Self.number(of: line) & 0xFFFF == Self.cancelled else { throw Self.gaveNothing }
            throw ClientFailure(.interrupted, "no password was given")
        }
    }

    /// GPG_ERR_CANCELED of libgpg-error, in the low 16 bits of an error's number.
    private static let cancelled = 99

    /// Returns the number behind `ERR `.
    private static func number(of line: borrowing SecretBytes) -> Int {
        unsafe line.withUnsafeBytes { bytes in
            unsafe bytes.dropFirst(4).prefix { (0x30...0x39).contains($0) }.prefix(12)
                .reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
    }

    private static func joined(_ first: borrowing SecretBytes, _ second: borrowing SecretBytes) -> SecretBytes {
        let count = first.byteCount
        var both = SecretBytes(zeroes: count + second.byteCount)
        unsafe both.withUnsafeMutableBytes { target in
            unsafe first.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
            unsafe second.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[count...]).copyMemory(from: $0)
            }
        }
        return both
    }

    private static func orders(_ prompt: String) -> [String] {
        var orders: [String] = []
        let standard = [0, 1, 2].first { isatty($0) == 1 }
        if let standard, let name = unsafe ttyname(standard) {
            orders.append("OPTION ttyname=" + (unsafe String(cString: name)))
            if let kind = Environment.text("TERM") { orders.append("OPTION ttytype=" + kind) }
        } else if Terminal.canAsk {
            orders.append("OPTION ttyname=/dev/tty")
            if let kind = Environment.text("TERM") { orders.append("OPTION ttytype=" + kind) }
        }
        if let locale = Environment.text("LC_ALL") ?? Environment.text("LANG") {
            orders.append("OPTION lc-ctype=" + locale)
        }
        let words = prompt.hasSuffix(": ") ? String(prompt.dropLast(2)) : prompt
        return orders.filter { !$0.contains("\n") } + [
            "SETTITLE vault", "SETDESC vault needs a secret to go on.",
            // To a pinentry a percent sign begins a byte in hexadecimal.
            "SETPROMPT \(words.replacing("%", with: "%25"))",
        ]
    }

    /// Reads up to an OK or an error.
    private func answer() throws(ClientFailure) -> Bool {
        while true {
            let line = try line()
            if Self.begins(line, "OK") { return true }
            if Self.begins(line, "ERR") { return false }
        }
    }

    private func send(_ order: String) throws(ClientFailure) {
        let isSent = PipeSignal.ignored {
            let bytes = Array((order + "\n").utf8)
            return unsafe bytes.withUnsafeBytes { unsafe vs_write_whole(input, $0.baseAddress!, $0.count) == 0 }
        }
        guard isSent else { throw Self.gaveNothing }
    }

    /// Reads one line, byte by byte, into locked memory: it may be the password.
    private func line() throws(ClientFailure) -> SecretBytes {
        var line = SecretBytes(zeroes: Self.lineByteCountMax)
        var count = 0
        while count < line.byteCount {
            let got = unsafe line.withUnsafeMutableBytes { unsafe read(output, $0.baseAddress! + count, 1) }
            if got < 0 && errno == EINTR { continue }
            guard got == 1 else { throw Self.gaveNothing }
            if unsafe line.withUnsafeBytes({ unsafe $0[count] }) == 0x0A {
                return unsafe line.withUnsafeBytes {
                    unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<count]))
                }
            }
            count += 1
        }
        throw Self.gaveNothing
    }

    private static let gaveNothing = ClientFailure(
        .locked, "the pinentry program gave no password",
        hint: "run it by hand to see why; or vault config set pinentry off")

    private static func begins(_ line: borrowing SecretBytes, _ word: StaticString) -> Bool {
        unsafe line.withUnsafeBytes { bytes in
            bytes.count >= word.utf8CodeUnitCount
                && word.withUTF8Buffer { unsafe bytes.prefix($0.count).elementsEqual($0) }
        }
    }

    /// Returns what stands behind `D `, with `%0A` and the like as bytes.
    private static func decoded(_ line: borrowing SecretBytes) -> SecretBytes {
        var text = SecretBytes(zeroes: line.byteCount)
        var count = 0
        unsafe line.withUnsafeBytes { source in
            unsafe text.withUnsafeMutableBytes { target in
                var at = 2
                while at < source.count {
                    var byte = unsafe source[at]
                    if byte == 0x25, at + 2 < source.count, let high = unsafe digit(source[at + 1]),
                        let low = unsafe digit(source[at + 2])
                    {
                        byte = high << 4 | low
                        at += 2
                    }
                    unsafe target[count] = byte
                    (at, count) = (at + 1, count + 1)
                }
            }
        }
        return unsafe text.withUnsafeBytes {
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<count]))
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    /// A pinentry ends with its input.
    private func end() {
        close(input)
        close(output)
        _ = ChildProgram.wait(for: pid)
    }
}
