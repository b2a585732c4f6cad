// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import MarkdownHTML
import ParserProtocol
import Testing

/// Markdown as text of a terminal.
@Suite struct MarkdownRowsTests {
    private func rows(_ text: String, _ columns: Int = 40) throws -> [ReadingRow] {
        let question = try #require(ReadingQuestion(columns: columns, text: text))
        return try #require(MarkdownRows.rows(question))
    }
    private func text(_ text: String, _ columns: Int = 40) throws -> String {
        try rows(text, columns).map { $0.pieces.map(\.text).joined() }.joined(separator: "\n")
    }

    @Test(
        arguments: [
            ("# One\n\nTwo\nthree", "One\n\nTwo\nthree"), ("- a\n- b\n  1. c\n  2. d", "• a\n• b\n  1. c\n  2. d"),
            ("- [ ] a\n- [x] b", "[ ] a\n[x] b"), ("3. c\n4. d", "3. c\n4. d"),
            ("> a\n> b\n>\n> c", "│ a\n│ b\n│ \n│ c"),
            ("```\nx\n  y\n```", "    x\n      y"), ("a <b>c</b> & d", "a <b>c</b> & d"),
            ("[w](https://e.org) <https://e.org> me@e.org", "w (https://e.org) https://e.org me@e.org"),
            ("![cat](att:cat.png)", "cat (att:cat.png)"),
            ("a\n\n---\n\nb", "a\n\n" + String(repeating: "─", count: 40) + "\n\nb"),
            ("", ""), ("plain", "plain"), ("2 * 3 * 4", "2 * 3 * 4"),
        ] as [(String, String)])
    func itReadsAsSomebodyMeantIt(_ markdown: String, _ shown: String) throws { #expect(try text(markdown) == shown) }

    @Test func wordsAreWrappedAndStylesStay() throws {
        let rows = try rows("one **two three** four five", 10)
        #expect(rows.map { $0.pieces.map(\.text).joined() } == ["one **two", "three**", "four five"])
        #expect(rows[0].pieces.last == .init("two", .bold) && rows[1].pieces.first == .init("three", .bold))
    }

    /// Whatever signs a password is made of, they are all there, as they were written.
    @Test(
        arguments: [
            "pw: a*b*c", "pw: aB~3k~9 ~~x~~", "pw: _x_ and __y__ and *z*", "pw: a\\*b\\_c", "tom&amp;jerry &#42;",
            "[pin]: 1234",
            "1. a\n3. b\n7) c", "code `x*y` and ``z``", "# no\\# heading", "a_b_c *d", "`", "***", "p: **q*r**",
        ])
    func nothingOfAPasswordIsHidden(_ written: String) throws {
        let shown = try text(written, 100)
        let signs = Set("*_~\\&;#[]:1234567890abcdefghijklmnopqrstuvwxyz")
        func kept(_ text: String) -> String { String(text.filter { signs.contains($0) }) }
        guard written != "***" else { return }
        #expect(
            kept(shown)
                == kept(written.hasPrefix("# ") && !shown.hasPrefix("#") ? String(written.dropFirst()) : written),
            "\(shown)")
    }

    @Test func anAddressIsNeverBroken() throws {
        let address = "https://example.org/reset?token=abcdefghijklmnopqrstuvwxyz"
        let lines = try text("see \(address) now", 20).split(separator: "\n").map(String.init)
        #expect(lines == ["see", address, "now"])
    }

    @Test func tablesFitTheTerminal() throws {
        let table = "| A | B |\n|---|---|\n| 1 | a text that is longer than there is room |\n| 22 | x |"
        let lines = try text(table, 24).split(separator: "\n").map(String.init)
        #expect(lines.first == "A  │ B" && lines[1].hasPrefix("───┼─"))
        #expect(lines.allSatisfy { $0.count <= 24 } && lines.last == "22 │ x")
    }

    /// Nobody's text ends the process, however deep or wide it is.
    @Test func deepAndWideTextsAreShownToo() throws {
        for text in [
            String(repeating: "> ", count: 2000) + "deep", String(repeating: "- ", count: 2000) + "deep",
            String(repeating: "*a **b ", count: 3000),
            "|" + String(repeating: "a|", count: 5000) + "\n|" + String(repeating: "-|", count: 5000),
            String(repeating: "x", count: 200_000), String(repeating: "[", count: 20_000),
            String(repeating: "![", count: 20_000) + String(repeating: "](a)", count: 20_000), "a\0b\u{1B}[31mc",
        ] {
            let answer = ReadingRow.encoded(try rows(text, 10))
            #expect(try ReadingRow.parse(answer).count > 0)
        }
    }

    @Test(
        arguments: [
            [], [2], [1], [1, 0, 0, 0, 1], [1, 0, 0, 0, 1, 64, 0, 0, 0, 0, 0], [0, 0], [1, 255, 255, 255, 255],
        ] as [[UInt8]])
    func brokenAnswersAreRefused(_ bytes: [UInt8]) { #expect(throws: RecordError.self) { try ReadingRow.parse(bytes) } }

    @Test func questionsComeThrough() throws {
        let question = try #require(ReadingQuestion(columns: 80, text: "ä\n"))
        #expect(try ReadingQuestion(parsing: question.encoded) == question)
        #expect(ReadingQuestion(columns: 9, text: "") == nil)
        #expect(throws: RecordError.self) { try ReadingQuestion(parsing: [0]) }
        #expect(throws: RecordError.self) { try ReadingQuestion(parsing: [0, 80, 0xFF]) }
    }
}
