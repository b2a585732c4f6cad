// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
public import Dates
public import ParserProtocol
internal import TerminalText

/// `PageStyle` says how an answer is to look.
public struct PageStyle: Sendable {
    /// JSON for scripts instead of text.
    public var json = false
    /// A person reads it on a terminal: control characters are made visible.
    public var isTerminal = false
    public var color = false
    /// The terminal shows links that can be followed (OSC 8).
    public var hyperlinks = false
    /// Width of the terminal in columns; 80 when unknown.
    public var columns = 80
    /// Height of the terminal in rows; 24 when unknown.
    public var rows = 24
    /// Whether the agent knows this terminal, and remembers the rows of its lists.
    public var isRemembered = false
    /// Date style, now, and the reader's time zone.
    public var clock: RenderingClock

    /// Lays Markdown out in rows of so many columns; nil where texts are shown as they are.
    public var reads: (@Sendable (_ text: String, _ columns: Int) -> [ReadingRow]?)?

    public init(clock: RenderingClock) { self.clock = clock }
}

/// `Page` holds what is to be written of an answer, in this order, to standard output and standard error.
public struct Page: Sendable {
    public enum Piece: Sendable, Equatable {
        case output([UInt8])
        /// A line, with its line feed.
        case talk([UInt8])
    }

    public let style: PageStyle
    public private(set) var pieces: [Piece] = []

    public init(_ style: PageStyle) { self.style = style }

    /// The clock that times are shown by. In a pipe a time must be readable without knowing today's date; a style that
    /// was asked for counts anyway.
    var clock: RenderingClock {
        var clock = style.clock
        if !style.isTerminal && clock.style == .classic { clock.style = .iso }
        return clock
    }

    mutating func output(_ bytes: [UInt8]) {
        // Taken out of the list, so that it grows in place: a page may have a million lines.
        switch pieces.popLast() {
        case .output(var before)?:
            before += bytes
            pieces.append(.output(before))
        case .talk(let line)?: pieces += [.talk(line), .output(bytes)]
        case nil: pieces.append(.output(bytes))
        }
    }

    mutating func output(_ text: String) { output(Array(text.utf8)) }
    mutating func output(_ line: StyledLine) { output(line.encoded(color: style.color)) }
    mutating func talk(_ line: String) { pieces.append(.talk(Array((line + "\n").utf8))) }

    /// Tells what a person may type next: scripts do not want to know.
    mutating func hint(_ command: String) { if style.isTerminal && !style.json { talk("vault: hint: \(command)") } }

    mutating func json(_ value: JSONText) { output(value.encoded + [0x0A]) }

    /// Writes fields on one line with tabs between them, for scripts.
    mutating func tabbed(_ fields: [String]) { output(fields.map(SafeText.singleLine).joined(separator: "\t") + "\n") }
}

/// A `Presented` is an operation whose answer can be shown as text, as lines for a script, and as JSON.
public protocol Presented: Operation {
    func present(_ reply: Reply, on page: inout Page)
}

extension Presented where Reply == NoReply {
    public func present(_ reply: NoReply, on page: inout Page) {}
}
