// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import RegexText
internal import Testing

/// What patterns find, and what is said of those that are none.
struct RegexPatternTests {
    private func matches(_ pattern: String, _ text: String, ignoresCase: Bool = true, limit: Int = 100) throws
        -> [String]
    {
        let bytes = Array(text.utf8)
        return try RegexPattern(pattern, ignoresCase: ignoresCase).allMatches(in: bytes, limit: limit).map {
            String(decoding: bytes[$0], as: UTF8.self)
        }
    }

    private func error(_ pattern: String, _ text: [UInt8] = []) -> RegexPatternError? {
        do throws(RegexPatternError) {
            _ = try RegexPattern(pattern).firstMatch(in: text)
            return nil
        } catch { return error }
    }

    @Test func theFirstMatchIsARangeOfBytes() throws {
        let text = Array("an Ärger, ein ärger".utf8)
        #expect(try RegexPattern("ärger").firstMatch(in: text) == 3..<9)
        #expect(try RegexPattern("ärger", ignoresCase: false).firstMatch(in: text) == 15..<21)
        #expect(try RegexPattern("ärger").firstMatch(in: text.span) == 3..<9)
        #expect(try RegexPattern("nothing").firstMatch(in: text) == nil)
    }

    @Test func charactersAreUnicodes() throws {
        #expect(try matches("b.b", "bäb b\u{1F600}b") == ["bäb", "b\u{1F600}b"])
        #expect(try matches("\\w+", "Größe 漢字 слово") == ["Größe", "漢字", "слово"])
        #expect(try matches("\\p{Greek}+", "abc ΑΒΓ") == ["ΑΒΓ"])
        #expect(try matches("σ", "ΣΑΣ ς", limit: 9) == ["Σ", "Σ", "ς"])
    }

    @Test func linesEndInEveryCommonWay() throws {
        #expect(try matches("^.+$", "one\ntwo\r\nthree\rfour") == ["one", "two", "three", "four"])
        #expect(try matches("^$", "a\n\nb") == [""])
        #expect(try matches("(?s)a.b", "a\nb") == ["a\nb"])
        #expect(try matches("\\Aone|four\\z", "one\nfour") == ["one", "four"])
    }

    @Test func allMatchesAreApartAndEndAtTheLimit() throws {
        #expect(try matches("aa", "aaaaa") == ["aa", "aa"])
        #expect(try matches("a", "aaaaa", limit: 3).count == 3)
        #expect(try matches("a", "aaaaa", limit: 0).isEmpty)
        #expect(try matches("a", "aaaaa", limit: -1).isEmpty)
    }

    @Test func emptyMatchesGoOnByOneCharacter() throws {
        #expect(try RegexPattern("x*").allMatches(in: Array("äxx".utf8), limit: 9) == [0..<0, 2..<4, 4..<4])
        #expect(try RegexPattern("(?=b)|ab").allMatches(in: Array("ab".utf8), limit: 9) == [0..<2])
        #expect(try RegexPattern("$").allMatches(in: Array("a\r\nb".utf8), limit: 9) == [1..<1, 4..<4])
        #expect(try RegexPattern("^").allMatches(in: [], limit: 9) == [0..<0])
        #expect(try RegexPattern("a\\K").allMatches(in: Array("aa".utf8), limit: 9) == [1..<1, 2..<2])
    }

    @Test func aPatternThatIsNoneSaysWhereAndWhy() throws {
        let bracket = try #require(error("ab(c"))
        #expect(bracket.code == .invalid && bracket.offset == 4)
        #expect(bracket.message.contains("parenthes"))
        let word = try #require(error("ä[z-a]"))
        #expect(word.code == .invalid && word.offset == 5)
        #expect(error("")?.code == .empty)
    }

    @Test(arguments: [
        "a\\Cb", "(?=ab\\K)", "(?<=a+)b", "\\", "[", "(?P<n", "*", "\\p{Nonsense}", "((a{1,1000}){1,1000}){1,1000}",
    ])
    func whatCannotBeBoundedOrReadIsInvalid(pattern: String) { #expect(error(pattern)?.code == .invalid) }

    @Test func patternsHaveASize() throws {
        #expect(try RegexPattern(String(repeating: "a", count: 1000)).firstMatch(in: Array("a".utf8)) == nil)
        #expect(error(String(repeating: "a", count: 1001))?.code == .tooLong)
        #expect(error(String(repeating: "ä", count: 501))?.code == .tooLong)
        #expect(error(String(repeating: "(", count: 100) + String(repeating: ")", count: 100)) == nil)
        #expect(error(String(repeating: "(", count: 101) + String(repeating: ")", count: 101))?.code == .invalid)
    }

    @Test func textThatIsNotUTF8IsRefusedWithItsPlace() {
        #expect(error("a", [0x61, 0x62, 0xFF, 0x61])?.code == .notUTF8)
        #expect(error("a", [0x61, 0x62, 0xFF, 0x61])?.offset == 2)
        for bytes: [UInt8] in [
            [0xC3], [0x61, 0xC3], [0x80], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
        ] {
            #expect(error(".", bytes)?.code == .notUTF8, "\(bytes)")
        }
    }

    @Test func aRefusedTextDoesNotSpoilTheNext() throws {
        let pattern = try RegexPattern("(a+)+$")
        let bad = [UInt8](repeating: 0x61, count: 5000) + [0x21]
        #expect(throws: RegexPatternError.self) { try pattern.firstMatch(in: bad) }
        #expect(throws: RegexPatternError.self) { try pattern.firstMatch(in: [0xFF]) }
        #expect(try pattern.firstMatch(in: Array("baa".utf8)) == 1..<3)
    }
}
