// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import RecoveryPage
import Testing

struct PageTests {
    private func page(name: String = "Notes", key: String = Samples.key) throws -> DrawnPage {
        try DrawnPage(RecoveryPage.draw(Samples.record(name: name, key: key)))
    }

    @Test func theDrawnCodeReadsAsTheKey() throws {
        let loops = try page().loops
        #expect(loops.count > 50)
        let drawn = DrawnModules(side: CodeReader.side, loops: loops)
        #expect(CodeReader.read(drawn.isDark) == Array(Samples.key.utf8))
        #expect(drawn.everyEdgeIsABorder())
    }

    @Test(arguments: [Samples.key, Samples.longestKey, "abcd"])
    func theKeyStandsInRowsOfThreeGroups(key: String) throws {
        let rows = try page(key: key).lines.filter { $0.font == "F4" }
        #expect(rows.map(\.text).joined(separator: "-") == key)
        #expect(rows.dropLast().allSatisfy { $0.text.count == 14 })
        // They go down the page with room between them, and all begin at one place.
        for (row, next) in zip(rows, rows.dropFirst()) { #expect(next.x == row.x && row.y - next.y >= row.size * 1.2) }
    }

    @Test(arguments: [Samples.key, Samples.longestKey, "abcd"])
    func aroundTheCodeFourModulesStayLight(key: String) throws {
        let page = try page(key: key)
        let matrix = try #require(page.numbers(before: "cm").first)
        let (module, left, top) = (matrix[0], matrix[4], matrix[5])
        let side = page.loops.flatMap { $0 }.map(\.x).max() ?? 0
        let width = module * Double(side)
        #expect(abs(width - 45 / 25.4 * 72) < 0.1 && matrix == [module, 0, 0, -module, left, top])
        let box = Array(try #require(page.numbers(before: "re S").first).suffix(4))
        #expect(left - box[0] > 4 * module && box[0] + box[2] - left - width > 4 * module)
        #expect(box[1] + box[3] - top > 4 * module && top - width - box[1] > 4 * module)
        for line in page.lines where line.y < top + 4 * module && line.y > top - width - 4 * module {
            let hyphens = Double(line.text.filter { $0 == "-" }.count)
            let end = line.x + line.size * (0.6 * (Double(line.text.count) - hyphens) + 0.96 * hyphens)
            #expect(line.font == "F4" && end < left - 4 * module)
        }
    }

    @Test func whatThePageIsForStandsOnIt() throws {
        let texts = Set(try page().lines.map(\.text))
        for text in [
            "Recovery key", "Notes", "a0a1 a2a3 a4a5 a6a7 a8a9 aaab acad aeaf", "2026-11-21",
            "Opens the vault without its password.",
            "vault recovery use", "vault recovery test", "vault recovery new", "Signature",
        ] { #expect(texts.contains(text), "\(text)") }
        #expect(texts.contains { $0.hasPrefix("Anyone who has this page and the files can read everything.") })
    }

    @Test func aHostileNameIsTextAndNothingElse() throws {
        let name = "a) Tj ET (\\) \u{1B}\n/F4 \u{202E}é日"
        let page = try page(name: name)
        let shown = "a\\) Tj ET \\(\\\\\\) \\\\u{1b}\\\\u{a}/F4 \\\\u{202e}\\351"
        #expect(page.lines.contains { $0.font == "F3" && $0.text.hasPrefix(shown) })
        #expect(page.file.utf8.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x0A })
        #expect(page.lines.count >= (try self.page()).lines.count)
        #expect(page.lines.filter { $0.font == "F4" }.count == 3)
    }

    @Test(arguments: [
        String(repeating: "\u{1}", count: 255), String(repeating: "\u{10FFFF}", count: 63),
        String(repeating: "(", count: 255),
    ])
    func theLongestNameLeavesEverythingOnThePage(name: String) throws {
        let page = try page(name: name, key: Samples.longestKey)
        let lowest = page.lines.map(\.y).sorted().prefix(3)
        #expect(lowest.allSatisfy { $0 > 40 } && lowest[2] > lowest[1] + 30)
        for line in page.lines where line.font == "F3" {
            let letters = line.text.replacing("\\(", with: "(").replacing("\\\\", with: "\\").replacing(
                "\\205", with: ".")
            #expect(line.x + 0.6 * line.size * Double(letters.count) < 540)
        }
    }
}
