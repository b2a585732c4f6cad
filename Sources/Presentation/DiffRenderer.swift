// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TerminalText

/// Word by word: red and struck out what was taken away, green what was added; without colour `[-…-]` and `{+…+}`.
enum DiffRenderer {
    static func text(_ pieces: [ComparedRevisions.Piece], color: Bool) -> [UInt8] {
        var bytes = color ? Array("\u{1B}[2m···\u{1B}[0m\n".utf8) : Array("···\n".utf8)
        for piece in pieces {
            let text = SafeText.safe(piece.text, .multiline)
            switch piece.kind {
            case .same: bytes += text
            case .removed: bytes += marked(text, color ? ("\u{1B}[31;9m", "\u{1B}[0m") : ("[-", "-]"))
            case .added: bytes += marked(text, color ? ("\u{1B}[32m", "\u{1B}[0m") : ("{+", "+}"))
            }
        }
        if bytes.last != 0x0A { bytes.append(0x0A) }
        return bytes
    }

    /// Marks end at a line's end and begin again in the next: a terminal's colour must not run over it.
    private static func marked(_ text: [UInt8], _ marks: (String, String)) -> [UInt8] {
        var result: [UInt8] = []
        for (number, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if number > 0 { result.append(0x0A) }
            if !line.isEmpty { result += Array(marks.0.utf8) + line + Array(marks.1.utf8) }
        }
        return result
    }
}
