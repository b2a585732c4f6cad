// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Testing

@testable internal import RegexText

/// No pattern runs on: neither by backtracking nor by going over the text from each of its bytes.
struct MatchWorkTests {
    private static let word = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
    private static let sentence = Array("The quick brown fox jumps over the lazy dog, 47 times.\n".utf8)
    private static let prose = [UInt8]((0..<19_000).map { _ in sentence }.joined())

    private func outcome(_ pattern: String, _ text: [UInt8]) throws -> (code: RegexPatternError.Code?, time: Duration) {
        let compiled = try RegexPattern(pattern)
        var code: RegexPatternError.Code?
        let time = ContinuousClock().measure {
            do throws(RegexPatternError) { _ = try compiled.allMatches(in: text, limit: 1000) } catch {
                code = error.code
            }
        }
        return (code, time)
    }

    /// They take less than 100 ms here; without limits each takes minutes to ages.
    @Test(arguments: [
        "(a+)+$", "^(a+)+$", "(a|a)*$", "(a|aa)+$", "(.*)*\\d$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(a?){60}a{60}b",
        "\\w++\\d", "\\w+(?=\\d)",
        "a(?=\\w++\\d)",
        "(?:a(?=\\w++\\d|))*\\d", "\\w{3,}[^\\w]\\d", "(?:a(?R)?)+\\d", "^(a++)b?\\1\\d", "a{60000}\\d",
        "[a-z\\x{100}-\\x{120}\\p{Lu}]{60000}\\d",
        "(?<!\\w{200})b|\\w+\\d",
        "(\\w+\\s?)+\\d", "(a*)*(a*)*(a*)*\\d",
    ])
    func hostilePatternsEnd(pattern: String) throws {
        // A digit at the end, behind something else: PCRE2 cannot tell at once that no match is possible.
        let found = try outcome(pattern, Self.word + Array("! !1".utf8))
        #expect(found.code == nil || found.code == .tooCostly)
        #expect(found.time < .seconds(20), "\(found.time)")
    }

    @Test(arguments: ["(a+)+$", "\\w++\\d", "a(?=\\w++\\d)", "(a|aa)+$"]) func theRefusalIsSaid(pattern: String) throws
    {
        #expect(try outcome(pattern, Self.word + Array("! !1".utf8)).code == .tooCostly)
    }

    @Test(arguments: [
        "fox", "\\bdog\\b", "\\w+@", "\\d+ times", "^The.*cat", "[a-z]{3}\\d", "(?i)lazy (dog|cat)", "jumps\\s+over",
        "\\b(\\w)\\w*\\1\\b",
        "(?<=brown )fox", "\\d{4}-\\d{2}",
        "^(.*?),(.*)$",
    ])
    func ordinaryPatternsAreWithinTheirMeans(pattern: String) throws {
        #expect(try outcome(pattern, Self.prose).code == nil)
    }

    @Test func oneTextIsChargedOnceForAllItsMatches() throws {
        let pattern = try RegexPattern("o")
        for _ in 0..<2 { #expect(try pattern.allMatches(in: Self.prose, limit: 1000).count == 1000) }
        let short = Self.prose[..<10_240]
        #expect(try pattern.allMatches(in: Array(short), limit: .max).count == short.count { $0 == UInt8(ascii: "o") })
        // Each match may search the whole rest: all of them in a long text would be quadratic.
        #expect(throws: RegexPatternError.self) { try pattern.allMatches(in: Self.prose, limit: .max) }
    }

    @Test func eachByteOfAWayIsCharged() {
        var work = MatchWork()
        work.begin(byteCount: 0)
        let (first, second) = (
            work.charge(at: 8 * (MatchWork.unitsBase - 1)), work.charge(at: 8 * (MatchWork.unitsBase - 1))
        )
        #expect(first && !second)
        work.begin(byteCount: 1)
        var calls = 0
        while work.charge(at: 0) { calls += 1 }
        #expect(calls == MatchWork.unitsBase + MatchWork.unitsPerByte)
    }

    @Test(arguments: [UInt64(1), 2, 3]) func randomPatternsAndTextsNeverTrap(seed: UInt64) {
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        let parts = [
            "a", "b", "(", ")", "*", "+?", "[", "]", "\\w", "{2,}", "|", "^", "$", "(?=", "\\1", "\\K", "(?R)", "\u{0}",
            "ä", ".", "\\X", "(*COMMIT)",
            "(?C1)", "\\b", "(?1)",
        ]
        var usable = 0
        for _ in 0..<1500 {
            guard let pattern = try? RegexPattern((0..<(1 + next(9))).map { _ in parts[next(parts.count)] }.joined())
            else { continue }
            usable += 1
            let text = (0..<next(60)).flatMap { _ in Array(["a", "b", "ä", "\n", "\u{301}", "1"][next(6)].utf8) }
            var end = 0
            for match in (try? pattern.allMatches(in: text, limit: 50)) ?? [] {
                #expect(match.lowerBound >= end && match.upperBound <= text.count)
                #expect(String(validating: text[match], as: UTF8.self) != nil)
                end = match.upperBound
            }
            _ = try? pattern.firstMatch(in: (0..<next(20)).map { _ in UInt8(next(256)) })
        }
        #expect(usable > 200)
    }
}
