// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol
internal import TerminalText

/// `RowWrapper` breaks pieces of text into rows of a width, between words where that can be. What stands in it is made
/// harmless by whoever writes it to a terminal; here only columns are counted. An address is never broken: its first
/// part would lead elsewhere.
struct RowWrapper {
    typealias Piece = ReadingRow.Piece
    let columns: Int
    private(set) var rows: [ReadingRow] = []
    private var row: [(character: Character, style: ReadingRow.Style)] = []
    private var width = 0
    private var lastBlank: Int?
    /// How many slashes stand behind the colon of this word; -1 without one.
    private var slashes = -1

    init(columns: Int) { self.columns = max(columns, 1) }

    /// Returns pieces in rows; a line feed in a piece ends a row.
    static func rows(of pieces: [Piece], columns: Int) -> [ReadingRow] {
        var wrapper = RowWrapper(columns: columns)
        for piece in pieces { for character in piece.text { wrapper.add(character, piece.style) } }
        wrapper.endRow()
        return wrapper.rows
    }

    private mutating func add(_ character: Character, _ style: ReadingRow.Style) {
        if character == "\n" || character == "\r\n" { return endRow() }
        let more = CharacterWidth.columns(of: character)
        if width + more > columns, !row.isEmpty {
            if character == " " { return endRow() }
            if lastBlank == nil, holdsAddress { return take(character, style, more) }
            if let blank = lastBlank {
                let rest = Array(row[(blank + 1)...])
                row.removeSubrange(blank...)
                endRow()
                for one in rest { take(one.character, one.style, 0) }
                width = rest.reduce(0) { $0 + CharacterWidth.columns(of: $1.character) }
            } else {
                endRow()
            }
        }
        if character == " " { lastBlank = row.count }
        take(character, style, more)
    }

    private mutating func take(_ character: Character, _ style: ReadingRow.Style, _ columns: Int) {
        row.append((character, style))
        width += columns
        if character == " " {
            slashes = -1
        } else if character == ":", slashes < 2 {
            slashes = 0
        } else if slashes >= 0, slashes < 2 {
            slashes = character == "/" ? slashes + 1 : -1
        }
    }

    private var holdsAddress: Bool { slashes == 2 }

    private mutating func endRow() {
        var pieces: [Piece] = []
        for (character, style) in row {
            if pieces.last?.style == style {
                pieces[pieces.count - 1].text.append(character)
            } else {
                pieces.append(Piece(String(character), style))
            }
        }
        rows.append(ReadingRow(pieces))
        (row, width, lastBlank, slashes) = ([], 0, nil, -1)
    }

    /// Returns how many columns pieces take in one row.
    static func columns(of pieces: [Piece]) -> Int {
        pieces.reduce(0) { sum, piece in sum + piece.text.reduce(0) { $0 + CharacterWidth.columns(of: $1) } }
    }
}
