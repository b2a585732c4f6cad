// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Testing

@testable internal import SearchText

struct SearchQueryTests {
    private func needles(_ text: String) throws -> [String] {
        try SearchQuery(text).needles.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("word other", ["word", "other"]), ("\"a phrase\" Word", ["a phrase", "word"]),
        ("open \"rest of it", ["open", "rest of it"]),
        ("5\" disk", ["5\"", "disk"]), ("\"a\"b", ["a", "b"]), ("same SAME sáme", ["same"]),
        ("  \" padded \"  ", ["padded"]),
        ("“curly", ["“curly"]), ("\"two\nlines\"", ["two lines"]), ("-not", ["-not"]), ("\"\" x", ["x"]),
        ("＂ｗｉｄｅ　ｏｎｅ＂", ["wide one"]),
    ])
    func splitsWordsAndPhrases(text: String, expected: [String]) throws {
        #expect(try needles(text) == expected)
    }

    @Test(arguments: ["", "  \n", "\"\"", "\"", "\"  \"", "\u{301}"])
    func aQueryWithNothingToFindIsEmpty(text: String) {
        #expect(throws: SearchQueryError(.empty)) { try SearchQuery(text) }
    }

    @Test func sizesAreCapped() throws {
        let words = (0..<17).map { "w\($0)" }
        #expect(try SearchQuery(words.prefix(16).joined(separator: " ")).needles.count == 16)
        #expect(throws: SearchQueryError(.tooManyNeedles)) { try SearchQuery(words.joined(separator: " ")) }
        #expect(try SearchQuery(String(repeating: "x", count: 1000)).needles[0].count == 1000)
        #expect(throws: SearchQueryError(.needleTooLong)) { try SearchQuery(String(repeating: "x", count: 1001)) }
    }

    @Test func neededGramsOfAllNeedlesAreDistinct() throws {
        let grams = Grams.needed(forAll: try SearchQuery("abcd xabc q").needles).map {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(grams == ["abc", "bcd", "xab", "q"])
    }
}
