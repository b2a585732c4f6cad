// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TerminalText

/// Columns of text on a terminal, by grapheme clusters. The text is expected to be safe and on one line.
enum DisplayWidth {
    static func columns(of text: String) -> Int {
        // Printable ASCII, which most text is, needs no clusters.
        if text.utf8.allSatisfy({ $0 &- 0x20 < 0x5F }) { return text.utf8.count }
        return text.reduce(0) { $0 + CharacterWidth.columns(of: $1) }
    }

    /// The text, or as much of it as fits with "…" at its end. Never cuts a cluster.
    static func truncate(_ text: String, to columns: Int) -> String {
        guard columns > 0 else { return "" }
        var used = 0
        // Where the cut would be: the last place that leaves a column for the "…".
        var cut = text.startIndex
        for index in text.indices {
            if used < columns { cut = index }
            used += CharacterWidth.columns(of: text[index])
            if used > columns { return text[..<cut] + "…" }
        }
        return text
    }
}
