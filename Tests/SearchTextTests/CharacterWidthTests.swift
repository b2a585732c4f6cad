// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TerminalText
internal import Testing

@testable internal import SearchText

struct CharacterWidthTests {
    @Test(
        arguments: [
            ("a", 1), ("é", 1), ("e\u{301}", 1), ("日", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("ﾊ", 1),
            ("Ａ", 2), ("😀", 2), ("👍🏽", 2),
            ("👨‍👩‍👧", 2),
            ("🇩🇪", 2), ("❤", 1), ("❤️", 2), ("1️⃣", 2), ("…", 1), ("\u{200B}", 0), ("\u{1B}", 0), ("⌚", 2), ("☺", 1),
            ("\u{AD}", 1), ("か\u{3099}", 2),
        ] as [(Character, Int)])
    func countsColumnsOfACluster(character: Character, expected: Int) {
        #expect(CharacterWidth.columns(of: character) == expected)
    }
}
