// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol
internal import Presentation

/// `NoteText` is a note's text in rows of a width: laid out as Markdown, or as it is. Rows of the latter are made as
/// they are needed: of a text of megabytes the first screen is there at once.
struct NoteText {
    private let lines: [Substring]
    private let columns: Int
    private var rows: [ReadingRow]
    /// Lines that rows were made of.
    private var done = 0

    init(_ text: String, columns: Int) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.columns = max(columns, 1)
        rows = []
    }

    init(_ rows: [ReadingRow]) { (lines, columns, self.rows) = ([], 1, rows) }

    /// Returns a row; nil behind the last one.
    mutating func row(_ index: Int) -> ReadingRow? {
        while rows.count <= index, done < lines.count {
            rows += WrappedRows.rows(of: String(lines[done]), columns: columns).map { ReadingRow([.init($0)]) }
            done += 1
        }
        return index < rows.count ? rows[index] : nil
    }

    /// Returns how many rows there are, at most `max`.
    mutating func rowCount(upTo max: Int) -> Int {
        _ = row(max)
        return min(rows.count, max)
    }
}
