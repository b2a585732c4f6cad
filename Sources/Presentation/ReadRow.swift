// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol
internal import TerminalText

/// `ReadRow` writes a row of a text that was laid out: harmless, in the styles of a terminal. Without them the signs
/// of Markdown say what is meant.
enum ReadRow {
    static func encoded(_ row: ReadingRow, color: Bool, hyperlinks: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        for piece in row.pieces {
            let plain = Array(piece.text.utf8)
            let shown = hyperlinks ? OSC8.linked(plain) : SafeText.safe(plain, .singleLine)
            let (before, after) = color ? sequences(piece.style) : signs(piece.style)
            bytes += Array(before.utf8) + shown + Array(after.utf8)
        }
        return bytes + [0x0A]
    }

    /// SGR parameters (ECMA-48, 8.3.117).
    private static func sequences(_ style: ReadingRow.Style) -> (String, String) {
        let all: [(ReadingRow.Style, String)] = [
            (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.code, "36"), (.struck, "9"),
        ]
        let parameters = all.filter { style.contains($0.0) }.map(\.1).joined(separator: ";")
        return parameters.isEmpty ? ("", "") : ("\u{1B}[\(parameters)m", "\u{1B}[0m")
    }

    private static func signs(_ style: ReadingRow.Style) -> (String, String) {
        let sign =
            style.contains(.code)
            ? "`" : style.contains(.struck) ? "~~" : style.contains(.bold) ? "" : style.contains(.italic) ? "*" : ""
        return (sign, sign)
    }
}
