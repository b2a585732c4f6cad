// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SearchText
import Testing
import VaultFormat

/// The language of filters: what each text means, and what is said of one that means nothing.
struct NoteQueryTests {
    /// Two hours east of Greenwich, on 2026-11-21 at noon there.
    static let clock = QueryClock(now: 1_795_255_200_000) { _ in 7200 }
    private typealias Term = NoteQuery.Term

    private func terms(_ text: String) throws -> [[NoteQuery.Term]] {
        try NoteQuery(text, clock: Self.clock).alternatives
    }
    private func text(_ word: String) -> Term { Term(isNegated: false, conditions: [.text(Array(word.utf8))]) }
    private func not(_ term: Term) -> Term { Term(isNegated: true, conditions: term.conditions) }
    private func one(_ condition: NoteQuery.Condition) -> Term { Term(isNegated: false, conditions: [condition]) }

    @Test func wordsAndPhrasesAreAllNeeded() throws {
        #expect(try terms("Ärger \"Zwei  Wörter\" x") == [[text("arger"), text("zwei worter"), text("x")]])
        #expect(try terms("\"not closed at all") == [[text("not closed at all")]])
        #expect(try terms("＂breit＂\u{3000}x") == [[text("breit"), text("x")]])
        #expect(try NoteQuery("a \"b c\"", clock: Self.clock).isPlain)
    }

    @Test func aMinusTakesAwayAndOnlyBeforeAWord() throws {
        #expect(try terms("a -b") == [[text("a"), not(text("b"))]])
        #expect(try terms("a-b - -\"c d\"") == [[text("a-b"), text("-"), not(text("c d"))]])
        #expect(try terms("-tag:x") == [[not(one(.tag(Array("x".utf8))))]])
        #expect(try !NoteQuery("-a", clock: Self.clock).isPlain)
    }

    @Test func ORStandsBetweenAlternatives() throws {
        #expect(try terms("a b OR c") == [[text("a"), text("b")], [text("c")]])
        #expect(try terms("or ORDER \"OR\"") == [[text("or"), text("order"), text("or")]])
        for wrong in ["OR", "a OR", "OR a", "a OR OR b"] {
            #expect(throws: NoteQueryError.self, "\(wrong)") { try terms(wrong) }
        }
    }

    @Test func fieldsHaveValuesAndSeveralOfThem() throws {
        #expect(
            try terms("+Work|#Übung -+home \"+work\" +41 1+a +") == [
                [
                    Term(isNegated: false, conditions: [.tag(Array("work".utf8)), .tag(Array("ubung".utf8))]),
                    not(one(.tag(Array("home".utf8)))), text("+work"), text("+41"), text("1+a"), text("+"),
                ]
            ], "a plus sign before a letter is a tag's, as where a note is made")
        #expect(
            try terms("tag:Work|#Übung") == [
                [Term(isNegated: false, conditions: [.tag(Array("work".utf8)), .tag(Array("ubung".utf8))])]
            ])
        #expect(
            try terms("NOTEBOOK:\"Two Words\"/x") == [
                [Term(isNegated: false, conditions: [.notebook(Array("two words".utf8)), .notebook(Array("/x".utf8))])]
            ])
        #expect(
            try terms("title:\"a b\" has:link|tag state:Pinned") == [
                [
                    one(.title(Array("a b".utf8))), Term(isNegated: false, conditions: [.has(.link), .has(.tag)]),
                    one(.state(.flag(.pinned))),
                ]
            ])
    }

    @Test(arguments: ["12:30", "http://x.org", "std::vector", "foo:bar", ":x", "tags:x", "a\"b", "tag"])
    func whatOnlyLooksLikeAFieldIsAWord(
        word: String
    ) throws {
        #expect(try terms(word) == [[text(word)]])
        #expect(try NoteQuery(word, clock: Self.clock).isPlain)
    }

    @Test(arguments: [
        ("2026-11-21", "2026-11-20T22:00", "2026-11-21T22:00"), ("=2026-11-21", "2026-11-20T22:00", "2026-11-21T22:00"),
        ("2026-11", "2026-10-31T22:00", "2026-11-30T22:00"), ("2026", "2025-12-31T22:00", "2026-12-31T22:00"),
        (">2026-01-01", "2026-01-01T22:00", "max"),
        (">=2026-01-01", "2025-12-31T22:00", "max"), ("<2026-01-01", "min", "2025-12-31T22:00"),
        ("<=2026-01-01", "min", "2026-01-01T22:00"),
        ("2024-02-28..2024-02-29", "2024-02-27T22:00", "2024-02-29T22:00"), ("..2026", "min", "2026-12-31T22:00"),
        ("2026..", "2025-12-31T22:00", "max"),
        ("today", "2026-11-20T22:00", "2026-11-21T22:00"), ("yesterday", "2026-11-19T22:00", "2026-11-20T22:00"),
        ("7d", "2026-11-13T22:00", "max"),
        ("2w", "2026-11-06T22:00", "max"), ("1m", "2026-10-21T22:00", "max"),
    ]) func daysAreTheReaders(text: String, from: String, to: String) throws {
        let range = Self.moment(from)..<Self.moment(to)
        #expect(try terms("created:\(text)") == [[one(.created(range))]])
        #expect(try terms("modified:\(text)") == [[one(.modified(range))]])
    }

    @Test(arguments: [
        "tag:", "tag:\"\"", "created:2026-02-30", "created:tomorrow", "modified:..", "created:2026-1-1", "modified:0d",
        "created:", "has:wings",
        "state:lost",
        "", "   ", "\"\"", "modified:999999999999d",
    ]) func whatMeansNothingIsRefusedWithAHint(text: String) {
        do {
            let parsed = try terms(text)
            Issue.record("\(parsed)")
        } catch let error as NoteQueryError { #expect(!error.message.isEmpty && !error.hint.isEmpty) } catch {
            Issue.record(error)
        }
    }

    @Test func tooMuchIsRefused() {
        #expect(throws: NoteQueryError.self) { try terms((0..<17).map { "w\($0)" }.joined(separator: " ")) }
        #expect(throws: NoteQueryError.self) { try terms(String(repeating: "a", count: 1001)) }
        #expect(throws: NoteQueryError.self) {
            try terms(Array(repeating: "has:tag", count: 65).joined(separator: " "))
        }
    }

    /// Without operators the two languages are one.
    @Test(arguments: [UInt64(5), 6, 7]) func plainTextHasTheNeedlesOfAPlainSearch(seed: UInt64) throws {
        var random = RandomText(seed: seed)
        let words = ["Über", "\"zwei worte\"", "漢字", "a.b", "x\u{301}", "  ", "\u{3000}", "ＡＢ", "12", "ende\""]
        for _ in 0..<300 {
            let text = (0..<Int.random(in: 1...6, using: &random)).map { _ in words.randomElement(using: &random)! }
                .joined(separator: " ")
            guard let plain = try? SearchQuery(text) else { continue }
            let parsed = try NoteQuery(text, clock: Self.clock)
            #expect(parsed.isPlain && parsed.highlighted?.needles == plain.needles, "\(text)")
        }
    }

    @Test(arguments: [UInt64(8), 9]) func hostileTextNeverTraps(seed: UInt64) {
        var random = RandomText(seed: seed)
        let parts = ["tag:", "\"", "|", "-", "OR", " ", "created:", ">", "..", "9", "\u{0}", "漢", "title:", "state:"]
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0..<20, using: &random)).map { _ in parts.randomElement(using: &random)! }
                .joined()
            _ = try? NoteQuery(text, clock: Self.clock)
        }
        for part in ["\"", "-", "|", "OR ", "tag:|", "(("] {
            _ = try? NoteQuery(String(repeating: part, count: 16384 / part.utf8.count), clock: Self.clock)
        }
    }

    private static func moment(_ text: String) -> Int64 {
        if text == "min" { return .min }
        if text == "max" { return .max }
        let parts = text.split { "-T:".contains($0) }.compactMap { Int64($0) }
        let (year, month) = (parts[1] <= 2 ? parts[0] - 1 : parts[0], parts[1])
        let yearOfEra = year - year / 400 * 400
        let days =
            year / 400 * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100
            + (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + parts[2] - 1
            - 719_468
        return ((days * 24 + parts[3]) * 60 + parts[4]) * 60_000
    }
}
