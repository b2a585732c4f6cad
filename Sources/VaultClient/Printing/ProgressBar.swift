// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// `ProgressBar` is one line on standard error that shows how far a long request is. It appears after 300 ms and leaves
/// nothing behind.
struct ProgressBar {
    private let isWanted: Bool
    private let begin = ProgressBar.milliseconds()
    private var lastDrawn: UInt64?
    /// Where the work of one label began.
    private var measured: (label: String, done: UInt64, at: UInt64)?

    init(isWanted: Bool) { self.isWanted = isWanted }

    mutating func show(_ progress: Progress) {
        guard isWanted else { return }
        let now = Self.milliseconds()
        guard now - begin >= 300, lastDrawn.map({ now - $0 >= 100 }) ?? true else { return }
        lastDrawn = now
        let known = Int(Terminal.columns(of: Streams.talk))
        let columns = known == 0 ? 80 : max(20, known)
        let line = Self.line(progress, columns: columns, rate: rate(progress, now))
        Streams.writeAll(Array(("\r" + line + "\u{1B}[K").utf8), to: Streams.talk)
    }

    /// Returns bytes a second since this kind of work began; nil while that says little.
    private mutating func rate(_ progress: Progress, _ now: UInt64) -> Double? {
        guard progress.isBytes else { return nil }
        if measured?.label != progress.label { measured = (progress.label, progress.done, now) }
        guard let measured, now > measured.at + 500, progress.done > measured.done else { return nil }
        return Double(progress.done - measured.done) * 1000 / Double(now - measured.at)
    }

    /// Takes the line away before anything else is written.
    mutating func clear() {
        guard lastDrawn != nil else { return }
        lastDrawn = nil
        Streams.writeAll(Array("\r\u{1B}[K".utf8), to: Streams.talk)
    }

    /// Returns the line's text, always shorter than the terminal is wide.
    ///
    /// - Parameter rate: bytes a second, when they are known.
    static func line(_ progress: Progress, columns: Int, rate: Double? = nil) -> String {
        let label = VisibleText.escaped(String(progress.label.prefix(24)))
        func amount(_ number: UInt64) -> String { progress.isBytes ? ByteAmount.text(number) : String(number) }
        guard progress.total > 0 else { return String("\(label) \(amount(progress.done))".prefix(columns - 1)) }
        let done = min(progress.done, progress.total)
        let share = Double(done) / Double(progress.total)
        var numbers = " \(amount(done))/\(amount(progress.total)) \(Int(share * 100)) %"
        if let rate {
            numbers +=
                " \(ByteAmount.text(UInt64(min(rate, 1e18))))/s \(timeLeft(Double(progress.total - done) / rate))"
        }
        let room = min(30, columns - 1 - label.count - numbers.count - 3)
        guard room >= 5 else { return String((label + numbers).prefix(columns - 1)) }
        let filled = Int(share * Double(room))
        return label + " [" + String(repeating: "#", count: filled) + String(repeating: "-", count: room - filled) + "]"
            + numbers
    }

    /// Returns "0:05 left", "12:30 left", "3:00:10 left".
    private static func timeLeft(_ seconds: Double) -> String {
        let whole = Int(min(seconds.rounded(.up), 359_999))
        let tail = (whole % 60 < 10 ? "0" : "") + String(whole % 60)
        guard whole >= 3600 else { return "\(whole / 60):\(tail) left" }
        return "\(whole / 3600):\(whole / 60 % 60 < 10 ? "0" : "")\(whole / 60 % 60):\(tail) left"
    }

    private static func milliseconds() -> UInt64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return UInt64(now.tv_sec) * 1000 + UInt64(now.tv_nsec) / 1_000_000
    }
}

/// `ByteAmount` writes "512 B", "1.2 kB", "3.4 MB": powers of 1000, one digit after the point, never rounded up.
enum ByteAmount {
    static func text(_ byteCount: UInt64) -> String {
        guard byteCount >= 1000 else { return "\(byteCount) B" }
        var tenths = byteCount / 100
        var units = ["kB", "MB", "GB", "TB"][...]
        while tenths >= 10_000, units.count > 1 {
            tenths /= 1000
            units = units.dropFirst()
        }
        return "\(tenths / 10).\(tenths % 10) \(units.first ?? "B")"
    }
}
