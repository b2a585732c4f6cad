// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TerminalText

/// `VisibleText` shows a path or an argument that is quoted back: nothing in it can drive the terminal, or be there
/// without being seen. The rule is `SafeText`'s.
public enum VisibleText {
    public static func escaped(_ text: String) -> String { SafeText.safe(text, .quoted) }

    /// Shows a text of several lines: line feeds and tabs stay.
    public static func escaped(lines text: String) -> String { SafeText.safe(text, .multiline) }

    /// Returns a path's bytes for a message; what is not UTF-8 becomes U+FFFD.
    public static func escaped(path: [UInt8]) -> String { escaped(String(decoding: path, as: UTF8.self)) }
}

/// `ShellWord` writes a word so that it can be typed into a POSIX shell as it is shown.
public enum ShellWord {
    /// Puts a word between single quotes where that is needed; control characters are made visible, since nobody could
    /// type them.
    public static func quoted(_ word: String) -> String {
        let shown = VisibleText.escaped(word)
        let isPlain =
            !shown.isEmpty
            && shown.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B...0x2F, 0x3A, 0x3D, 0x40, 0x5F: true
                default: false
                }
            }
        if isPlain { return shown }
        return "'" + shown.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
