// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol
internal import TerminalText
internal import TextReading

/// `ReadRow` writes a row of a text that was laid out: harmless, in the styles of a terminal.
enum ReadRow {
    static func encoded(_ row: ReadingRow, color: Bool, hyperlinks: Bool) -> [UInt8] {
        let text = row.pieces.map(\.text).joined()
        // All of the row is judged as one: what stands in a piece counts for the next.
        var safe = SafeText(text, .singleLine)
        var links = hyperlinks ? OSC8.places(in: Array(text.utf8))[...] : []
        var (offset, result) = (0, "")
        for piece in row.pieces {
            let (before, after) = color ? sequences(piece.style) : ("", "")
            let end = offset + piece.text.utf8.count
            result += before
            while let link = links.first, link.range.lowerBound < end {
                result += safe.take(upTo: max(link.range.lowerBound, offset))
                // A link that goes on in another style is one of two parts, to the same place.
                result += OSC8.link(safe.take(upTo: min(link.range.upperBound, end)), to: link.uri)
                guard link.range.upperBound <= end else { break }
                links = links.dropFirst()
            }
            result += safe.take(upTo: end) + after
            offset = end
        }
        return Array((result + "\n").utf8)
    }

    /// SGR parameters (ECMA-48, 8.3.117).
    private static func sequences(_ style: ReadingRow.Style) -> (String, String) {
        let all: [(ReadingRow.Style, String)] = [
            (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.code, "36"), (.struck, "9"),
        ]
        let parameters = all.filter { style.contains($0.0) }.map(\.1).joined(separator: ";")
        return parameters.isEmpty ? ("", "") : ("\u{1B}[\(parameters)m", "\u{1B}[0m")
    }
}
