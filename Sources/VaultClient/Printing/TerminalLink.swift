// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A text that can be followed in a terminal: OSC 8, as terminals have agreed on it.
enum TerminalLink {
    /// - Parameter linked: false for pipes and plain terminals, where the text stands alone.
    static func text(_ text: String, to address: String, linked: Bool) -> String {
        guard linked else { return text }
        return "\u{1B}]8;;\(address)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
    }
}
