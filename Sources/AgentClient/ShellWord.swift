// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Writes a word so that it can be typed into a POSIX shell as it is shown.
public enum ShellWord {
    /// Between single quotes where that is needed; control characters are made visible, since nobody could type them.
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
