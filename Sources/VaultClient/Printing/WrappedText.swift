// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Breaks prose into lines of a terminal's width.
enum WrappedText {
    /// Lines of at most `columns` characters, each paragraph begun anew; blanks at its beginning are kept before all of
    /// its lines. A longer word has a line of its own, so that it can be copied whole.
    static func lines(_ text: String, columns: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { lines(paragraph: $0, columns) }
    }

    private static func lines(paragraph: Substring, _ columns: Int) -> [String] {
        let words = paragraph.split(separator: " ")
        guard let first = words.first else { return [""] }
        let indent = String(paragraph.prefix { $0 == " " }.prefix(columns / 3))
        var lines = [indent + first]
        var width = indent.count + first.count
        for word in words.dropFirst() {
            let count = word.count
            if width + 1 + count > columns {
                lines.append(indent + word)
                width = indent.count + count
            } else {
                lines[lines.count - 1] += " " + word
                width += 1 + count
            }
        }
        return lines
    }

    /// The same with `indent` blanks before each line.
    static func indented(_ text: String, by indent: Int, columns: Int) -> [String] {
        lines(text, columns: max(columns - indent, 12)).map {
            $0.isEmpty ? "" : String(repeating: " ", count: indent) + $0
        }
    }
}
