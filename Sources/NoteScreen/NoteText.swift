// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Presentation

/// `NoteText` is a note's text in rows of a width. Rows are made as they are needed: of a text of megabytes the first
/// screen is there at once.
struct NoteText {
    private let lines: [Substring]
    private let columns: Int
    private var rows: [String] = []
    /// Lines that rows were made of.
    private var done = 0

    init(_ text: String, columns: Int) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.columns = max(columns, 1)
    }

    /// Returns a row; nil behind the last one.
    mutating func row(_ index: Int) -> String? {
        while rows.count <= index, done < lines.count {
            rows += WrappedRows.rows(of: String(lines[done]), columns: columns)
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
