// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import TextReading

/// What is a tag in a text, and what only looks like one.
@Suite struct InlineTagsTests {
    @Test(
        arguments: [
            ("buy milk #food", ["food"]), ("#a, #b; (#c) [#d] \"#e\"", ["a", "b", "c", "d", "e"]),
            ("#work/urgent #two-words #snake_case", ["work/urgent", "two-words", "snake_case"]),
            ("#done. #end! #ab/ #cd-", ["done", "end", "ab", "cd"]),
            ("#Grüße #日本 #2026-plan", ["Grüße", "日本", "2026-plan"]),
            ("issue #123, colour #1", []), ("# Title\n## Two #no\n### three", []), ("#\n##\n#Title", ["Title"]),
            ("a#b c#d", []), ("https://example.org/x#part", []), ("`#code` and `x #y` #yes", ["yes"]),
            ("```\n#no\n```\n#yes", ["yes"]), ("~~~ swift\n#no\n~~~\n#yes", ["yes"]),
            ("\n    #no\n    #no\nx #yes", ["yes"]), ("list:\n    #yes", ["yes"]), ("##two ###three", []),
            ("#tag#other", []), ("#/x #-y", ["-y"]), ("a\r\n#b\r\n", ["b"]), ("", []), ("#", []),
        ] as [(String, [String])])
    func tagsAreFound(_ text: String, _ tags: [String]) { #expect(InlineTags.of(text) == tags) }

    @Test func aLongWordIsNone() { #expect(InlineTags.of("#" + String(repeating: "a", count: 129)) == []) }
}
