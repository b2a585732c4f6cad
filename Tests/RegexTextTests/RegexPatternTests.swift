// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import RegexText
import Testing

/// Patterns of PCRE2: what they find, and that none of them runs on.
struct RegexPatternTests {
    private func match(_ pattern: String, _ text: String) throws -> String? {
        try RegexPattern(pattern).firstMatch(in: Array(text.utf8)).map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) }
    }

    @Test func patternsMatchCharactersAndNotBytes() throws {
        #expect(try match("b.b", "a bäb") == "bäb")
        #expect(try match("^漢.$", "x\n漢字\ny") == "漢字")
        #expect(try match("\\bwort\\b", "Ein WORT.") == "WORT")
        #expect(try match("x", "abc") == nil)
        #expect(try match("^$", "") == "")
    }

    @Test func aPatternThatIsNoneSaysWhereItIsWrong() {
        do {
            _ = try RegexPattern("ab(c")
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.code == .invalid && error.offset == 4 && error.message.contains("parenthes"))
        }
        #expect(throws: RegexPatternError.self) { try RegexPattern(String(repeating: "a", count: 1001)) }
        #expect(throws: RegexPatternError.self) { try RegexPattern("a\\Cb") }
    }

    @Test(arguments: ["(a+)+$", "(a|a)*b", "(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$", "(?:a?){60}a{60}"])
    func noPatternRunsOn(pattern: String) throws {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 16) + [UInt8(ascii: "!")]
        let compiled = try RegexPattern(pattern)
        // Either an answer or a refusal: what counts is that it comes. The suite's time limit is the test.
        do { _ = try compiled.firstMatch(in: text) } catch { #expect(error.code == .tooCostly) }
    }

    @Test func textThatIsNotUTF8MatchesNothing() throws {
        let pattern = try RegexPattern("a")
        #expect(try pattern.firstMatch(in: [0xFF, 0x61]) == nil)
        #expect(try pattern.firstMatch(in: [0x61, 0xC3]) == nil)
    }

    @Test func aMatchMayBeginLate() throws { #expect(try match("ab\\Kc", "xabc") == "c") }
}
