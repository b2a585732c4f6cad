// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ScreenLayout` says what stands where: a heading, the list, the text beside or below it, a line for what is asked or
/// said, and the keys.
struct ScreenLayout: Equatable {
    struct Area: Equatable {
        var row = 0
        var column = 0
        var rows = 0
        var columns = 0

        func holds(_ row: Int, _ column: Int) -> Bool {
            row >= self.row && row < self.row + rows && column >= self.column && column < self.column + columns
        }
    }

    let rows: Int
    let columns: Int
    let list: Area
    /// Empty on a small screen.
    let text: Area
    /// Where a line stands between the two, if they are side by side.
    let divider: Int?

    var headingRow: Int { 0 }
    var messageRow: Int { rows - 2 }
    var keysRow: Int { rows - 1 }
    /// All between heading and message.
    var body: Area { Area(row: 1, column: 0, rows: max(rows - 3, 0), columns: columns) }

    /// From so many columns on the text stands beside the list.
    private static let columnsForTwo = 72
    /// From so many rows on it stands below the list.
    private static let rowsForTwo = 16

    init(rows: Int, columns: Int) {
        (self.rows, self.columns) = (rows, columns)
        let height = max(rows - 3, 0)
        if columns >= Self.columnsForTwo {
            let width = min(max(columns * 2 / 5, 30), 56)
            list = Area(row: 1, column: 0, rows: height, columns: width)
            text = Area(row: 1, column: width + 2, rows: height, columns: columns - width - 2)
            divider = width
        } else if rows >= Self.rowsForTwo {
            let upper = height / 2
            list = Area(row: 1, column: 0, rows: upper, columns: columns)
            text = Area(row: upper + 2, column: 0, rows: height - upper - 1, columns: columns)
            divider = nil
        } else {
            list = Area(row: 1, column: 0, rows: height, columns: columns)
            text = Area()
            divider = nil
        }
    }

    /// Returns the first row that is shown, so that the selected one is seen and the list moves no more than it must.
    static func top(_ top: Int, selected: Int, rows: Int, count: Int?) -> Int {
        guard rows > 0 else { return 0 }
        var first = min(top, selected)
        if selected >= first + rows { first = selected - rows + 1 }
        // No empty rows below the last one while there are some above.
        if let count { first = min(first, max(count - rows, 0)) }
        return max(first, 0)
    }
}
