// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TerminalText

/// `OneLine` makes a text harmless on a terminal, and as short as a line of it.
public enum OneLine {
    /// Returns the text in at most so many columns; what does not fit is cut with "…".
    public static func cut(_ text: String, to columns: Int) -> String {
        DisplayWidth.truncate(SafeText.singleLine(text), to: columns)
    }

    /// Returns how many columns a text takes.
    public static func columns(of text: String) -> Int { DisplayWidth.columns(of: text) }
}
