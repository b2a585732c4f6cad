// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TerminalText

/// A path or an argument that is quoted back: nothing in it can drive the terminal, or be there without being seen. The rule is `SafeText`'s.
public enum VisibleText {
    public static func escaped(_ text: String) -> String { SafeText.safe(text, .quoted) }

    /// A text of several lines: line feeds and tabs stay.
    public static func escaped(lines text: String) -> String { SafeText.safe(text, .multiline) }

    /// A path's bytes for a message; what is not UTF-8 becomes U+FFFD.
    public static func escaped(path: [UInt8]) -> String { escaped(String(decoding: path, as: UTF8.self)) }
}
