// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CMarkdown
internal import ParserProtocol

/// `MarkdownTable` lays a table out in columns. What is too wide for the terminal is broken within its cells.
enum MarkdownTable {
    private typealias Cells = [[ReadingRow.Piece]]
    private static let gap = " │ "
    private static let widthMin = 4

    static func rows(
        _ table: OpaquePointer, _ source: [Substring.UTF8View], columns: Int
    ) -> [ReadingRow] {
        var lines: [(cells: Cells, isHeader: Bool)] = []
        var next = unsafe cmark_node_first_child(table)
        while let row = unsafe next {
            let isHeader = unsafe String(cString: cmark_node_get_type_string(row)) == "table_header"
            var cells: Cells = []
            var cell = unsafe cmark_node_first_child(row)
            while let found = unsafe cell {
                unsafe cells.append(InlinePieces.of(found, source, isHeader ? .bold : []))
                unsafe cell = cmark_node_next(found)
            }
            lines.append((cells, isHeader))
            unsafe next = cmark_node_next(row)
        }
        let widths = widths(of: lines.map(\.cells), columns: columns)
        guard !widths.isEmpty else { return [] }
        return lines.flatMap { line in
            self.line(line.cells, widths) + (line.isHeader ? [rule(widths)] : [])
        }
    }

    /// Returns the width of each column: what it needs, less where all of it does not fit, taken from the widest.
    private static func widths(of lines: [Cells], columns: Int) -> [Int] {
        let count = lines.map(\.count).max() ?? 0
        var widths = (0..<count).map { at in
            max(lines.map { at < $0.count ? RowWrapper.columns(of: $0[at]) : 0 }.max() ?? 0, 1)
        }
        let room = max(columns - max(count - 1, 0) * gap.count, count)
        guard widths.reduce(0, +) > room else { return widths }
        // The largest width that no column may have more than: a cell may have a million letters, and a table as many
        // cells.
        var (low, high) = (min(widthMin, room / max(count, 1)), widths.max() ?? widthMin)
        while low < high {
            let middle = (low + high + 1) / 2
            if widths.reduce(0, { $0 + min($1, middle) }) <= room { low = middle } else { high = middle - 1 }
        }
        widths = widths.map { min($0, max(low, 1)) }
        return widths
    }

    private static func line(_ cells: Cells, _ widths: [Int]) -> [ReadingRow] {
        let wrapped = widths.indices.map { at in
            at < cells.count ? RowWrapper.rows(of: cells[at], columns: widths[at]) : [ReadingRow()]
        }
        return (0..<(wrapped.map(\.count).max() ?? 0)).map { number in
            var row = ReadingRow()
            for (at, width) in widths.enumerated() {
                if at > 0 { row.pieces.append(.init(gap, .dim)) }
                let pieces = number < wrapped[at].count ? wrapped[at][number].pieces : []
                row.pieces += pieces
                let blank = width - RowWrapper.columns(of: pieces)
                if at < widths.count - 1, blank > 0 {
                    row.pieces.append(.init(String(repeating: " ", count: blank)))
                }
            }
            return row
        }
    }

    private static func rule(_ widths: [Int]) -> ReadingRow {
        ReadingRow([.init(widths.map { String(repeating: "─", count: $0) }.joined(separator: "─┼─"), .dim)])
    }
}
