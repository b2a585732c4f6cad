// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ShellLine` is a command line as a shell reads it, for the examples in help: quotes and pipes, no variables.
package enum ShellLine {
    /// Returns the line's words with their quotes, as they are written.
    static func pieces(_ line: String) -> [String] {
        var pieces: [String] = []
        var current = ""
        var quote: Character?
        for character in line {
            if character == " ", quote == nil {
                if !current.isEmpty { pieces.append(current) }
                current = ""
                continue
            }
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            }
            current.append(character)
        }
        return current.isEmpty ? pieces : pieces + [current]
    }

    /// Returns what the program `vault` is given as its arguments; nil when the line does not run it.
    static func arguments(_ line: String) -> [String]? {
        let words = pieces(line)
        guard let start = words.firstIndex(of: "vault") else { return nil }
        let end = words[start...].firstIndex { ["|", ">", ">>", "<", "&&", ";"].contains($0) } ?? words.endIndex
        return words[(start + 1)..<end].map(unquoted)
    }

    /// Breaks a line that is too long between its words, so that it can still be pasted.
    package static func broken(_ line: String, to columns: Int) -> [String] {
        guard line.count > columns else { return [line] }
        var lines: [String] = []
        for piece in pieces(line) {
            if let last = lines.last, last.count + piece.count + 3 <= columns {
                lines[lines.count - 1] += " " + piece
            } else {
                lines.append((lines.isEmpty ? "" : "  ") + piece)
            }
        }
        return lines.enumerated().map { $0.offset < lines.count - 1 ? $0.element + " \\" : $0.element }
    }

    private static func unquoted(_ piece: String) -> String {
        var quote: Character?
        var text = ""
        for character in piece {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else {
                text.append(character)
            }
        }
        return text
    }
}
