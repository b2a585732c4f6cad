// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TerminalText

/// Writes the few JSON objects that the client makes itself; the agent writes all others, by the same rule.
public enum JSONText {
    /// A string with its quotes, harmless on a terminal.
    public static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONString.write(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `"text"` or `null`.
    public static func quotedOrNull(_ text: String?) -> String { text.map(quoted) ?? "null" }
}
