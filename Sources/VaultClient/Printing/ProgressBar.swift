// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// One line on standard error that shows how far a long request is. It appears after 300 ms and leaves nothing behind.
struct ProgressBar {
    private let isWanted: Bool
    private let begin = ProgressBar.milliseconds()
    private var lastDrawn: UInt64?

    init(isWanted: Bool) { self.isWanted = isWanted }

    mutating func show(_ progress: Progress) {
        guard isWanted else { return }
        let now = Self.milliseconds()
        guard now - begin >= 300, lastDrawn.map({ now - $0 >= 100 }) ?? true else { return }
        lastDrawn = now
        let known = Int(Terminal.columns(of: Streams.talk))
        let columns = known == 0 ? 80 : max(20, known)
        Streams.writeAll(Array(("\r" + Self.line(progress, columns: columns) + "\u{1B}[K").utf8), to: Streams.talk)
    }

    /// Takes the line away before anything else is written.
    mutating func clear() {
        guard lastDrawn != nil else { return }
        lastDrawn = nil
        Streams.writeAll(Array("\r\u{1B}[K".utf8), to: Streams.talk)
    }

    /// The line's text, always shorter than the terminal is wide.
    static func line(_ progress: Progress, columns: Int) -> String {
        let label = VisibleText.escaped(String(progress.label.prefix(24)))
        guard progress.total > 0 else { return String("\(label) \(progress.done)".prefix(columns - 1)) }
        let done = min(progress.done, progress.total)
        let share = Double(done) / Double(progress.total)
        let numbers = " \(done)/\(progress.total) \(Int(share * 100)) %"
        let room = min(30, columns - 1 - label.count - numbers.count - 3)
        guard room >= 5 else { return String((label + numbers).prefix(columns - 1)) }
        let filled = Int(share * Double(room))
        return label + " [" + String(repeating: "#", count: filled) + String(repeating: "-", count: room - filled) + "]"
            + numbers
    }

    private static func milliseconds() -> UInt64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return UInt64(now.tv_sec) * 1000 + UInt64(now.tv_nsec) / 1_000_000
    }
}
