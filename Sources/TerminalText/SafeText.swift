// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SafeText` makes text from a note, a name, a path or an error harmless on a terminal: whatever could act instead of
/// being read, or be there without being seen, is shown instead. The agent and the client have no other rule.
///
/// | in the text | shown as |
/// |---|---|
/// | C0 controls, DEL | their control pictures, `␀` to `␟` and `␡` (so ESC, CSI, OSC and DCS in seven bits) |
/// | C1 controls, and what `ScalarJudge` calls hidden | `<U+9B>`, `<U+202E>`, `<U+200B>` |
/// | marks of a stack above the sixth | how many there were: `<+12 marks>` |
/// | bytes that are not UTF-8 (so C1 in eight bits) | U+FFFD |
///
/// Safe text comes out as it went in. Spec: docs/cli.md §1. Tests: ThreatModel G01.
public struct SafeText {
    public enum Layout: Sendable, CaseIterable {
        /// Line feeds and tabs become spaces.
        case singleLine
        /// Line feeds and tabs stay; a carriage return before a line feed is dropped.
        case multiline
        /// They are shown as all controls are: a name that is quoted back says what is in it.
        case quoted
    }

    private let scalars: String.UnicodeScalarView
    private let layout: Layout
    private var index: String.Index
    private var judge = ScalarJudge()
    private var result = ""
    private var excess = 0

    /// Takes a text whose parts are wanted one after another. The text before a part affects how it is shown.
    public init(_ text: String, _ layout: Layout) {
        var text = text
        text.makeContiguousUTF8()
        scalars = text.unicodeScalars
        index = scalars.startIndex
        self.layout = layout
    }

    /// Returns the next part, up to a byte's offset in the text's UTF-8.
    public mutating func take(upTo byteOffset: Int) -> String {
        let utf8 = String(scalars).utf8
        let end = utf8.index(utf8.startIndex, offsetBy: byteOffset, limitedBy: utf8.endIndex) ?? utf8.endIndex
        return take(upTo: end)
    }

    /// Returns all that is left.
    public mutating func takeRest() -> String { take(upTo: scalars.endIndex) }

    private mutating func take(upTo end: String.Index) -> String {
        defer { result = "" }
        while index < end {
            append(scalars[index])
            index = scalars.index(after: index)
        }
        closeStack()
        return result
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if scalar == "\n" || scalar == "\t", layout != .quoted {
            closeStack()
            judge.restart()
            result.unicodeScalars.append(layout == .multiline ? scalar : " ")
            return
        }
        let next = scalars.index(after: index)
        if scalar == "\r", layout != .quoted, next < scalars.endIndex, scalars[next] == "\n" { return closeStack() }
        let verdict = judge.verdict(at: index, in: scalars)
        if verdict == .excess {
            excess += 1
            return
        }
        closeStack()
        if verdict == .plain { result.unicodeScalars.append(scalar) } else { result += Self.shown(scalar) }
    }

    private mutating func closeStack() {
        if excess > 0 { result += "<+\(excess) mark\(excess == 1 ? "" : "s")>" }
        excess = 0
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        case 0..<0x20: String(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
        case 0x7F: "\u{2421}"
        default: "<U+\(String(scalar.value, radix: 16, uppercase: true))>"
        }
    }
}

extension SafeText {
    public static func safe(_ text: String, _ layout: Layout) -> String {
        if isPlain(text.utf8, layout) { return text }
        var writer = SafeText(text, layout)
        return writer.takeRest()
    }

    /// Makes bytes harmless that should be UTF-8, and may be anything.
    public static func safe(_ text: [UInt8], _ layout: Layout) -> [UInt8] {
        isPlain(text, layout) ? text : Array(safe(String(decoding: text, as: UTF8.self), layout).utf8)
    }

    /// Makes a title, name or snippet harmless for one line.
    public static func singleLine(_ text: String) -> String { safe(text, .singleLine) }

    /// Returns whether all bytes are printable ASCII, or stay in this layout: most text is nothing else.
    private static func isPlain(_ text: some Collection<UInt8>, _ layout: Layout) -> Bool {
        text.allSatisfy { $0 &- 0x20 < 0x5F || (layout == .multiline && ($0 == 0x0A || $0 == 0x09)) }
    }
}
