// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TerminalText

/// `WrappedRows` breaks a line of somebody's text into rows of a terminal's width, between words where that can be.
public enum WrappedRows {
    /// Columns between the places where a tab ends.
    private static let tabColumns = 8

    /// Returns the rows, without controls, none of them wider than so many columns. An empty line is one empty row.
    public static func rows(of line: String, columns: Int) -> [String] {
        var rows: [String] = []
        var row = ""
        // Of the last blank in the row, its place in bytes.
        var (width, blank) = (0, Int?.none)
        // In a plain row each byte is a column.
        let safe = SafeText.safe(line, .multiline)
        if safe.utf8.count <= columns, safe.utf8.allSatisfy({ $0 &- 0x20 < 0x5F }) { return [safe] }
        for character in safe {
            let text =
                character == "\t" ? String(repeating: " ", count: tabColumns - width % tabColumns) : String(character)
            let more = character == "\t" ? text.count : CharacterWidth.columns(of: character)
            if width + more > columns, width > 0 {
                if character == " " || character == "\t" {
                    // The blank is where the row ends.
                    rows.append(row)
                    (row, width, blank) = ("", 0, nil)
                    continue
                }
                if let place = blank {
                    let end = row.utf8.index(row.startIndex, offsetBy: place)
                    let rest = row[row.index(after: end)...]
                    rows.append(String(row[..<end]))
                    row = String(rest)
                } else {
                    rows.append(row)
                    row = ""
                }
                (width, blank) = (DisplayWidth.columns(of: row), nil)
            }
            if character == " " { blank = row.utf8.count }
            row += text
            width += more
        }
        rows.append(row)
        return rows
    }
}
