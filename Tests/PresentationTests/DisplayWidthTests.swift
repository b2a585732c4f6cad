// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Testing

@testable internal import Presentation

struct DisplayWidthTests {
    @Test(arguments: [("abc", 3), ("日本語", 6), ("e\u{301}a", 2), ("👨‍👩‍👧🇩🇪", 4), ("", 0)])
    func countsColumns(text: String, expected: Int) {
        #expect(DisplayWidth.columns(of: text) == expected)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 6, "日本語"),
        ("日本", 1, "…"), ("a", 0, ""),
        ("ae\u{301}\u{302}bc", 3, "ae\u{301}\u{302}…"), ("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"),
    ])
    func truncatesBetweenClusters(text: String, columns: Int, expected: String) {
        #expect(DisplayWidth.truncate(text, to: columns) == expected)
    }

    @Test func neverExceedsTheRoom() {
        let text = "a日👨‍👩‍👧e\u{301}한🇩🇪xyzｗ"
        for columns in 0...20 { #expect(DisplayWidth.columns(of: DisplayWidth.truncate(text, to: columns)) <= columns) }
    }
}
