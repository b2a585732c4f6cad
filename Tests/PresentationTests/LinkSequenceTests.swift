// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import Presentation

/// Addresses inside of a terminal's link sequence. The detector of links escapes what is dangerous; this is the line
/// behind it.
struct LinkSequenceTests {
    @Test func G01anAddressThatCouldEndItsSequenceIsNoLink() {
        #expect(OSC8.isSafe("https://example.org/a?b=c#d") && OSC8.isSafe("mailto:a@example.org"))
        for bad in ["\u{7}", "\u{1B}\\", "\u{9C}", " ", "\n", "\u{7F}", "\u{0}", "\u{202E}", "é"] {
            #expect(!OSC8.isSafe("https://example.org/" + bad), "\(bad.debugDescription)")
        }
        #expect(!OSC8.isSafe("https://example.org/" + String(repeating: "a", count: 2083)))
    }
}
