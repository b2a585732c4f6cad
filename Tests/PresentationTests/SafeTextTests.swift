// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import VaultTesting

internal import AgentClient
internal import TerminalText
internal import Testing
internal import VaultClient

@testable internal import Presentation

/// Attack G01.
struct SafeTextTests {
    private func safe(_ text: String, _ layout: SafeText.Layout) -> String {
        String(decoding: SafeText.safe(Array(text.utf8), layout), as: UTF8.self)
    }

    @Test(arguments: [
        ("\u{1B}[31mred", "␛[31mred"), ("\u{1B}]52;c;aGk=\u{07}", "␛]52;c;aGk=␇"), ("\u{9B}2J", "<U+9B>2J"),
        ("a\rb", "a␍b"), ("a\u{7F}\0", "a␡␀"),
        ("\u{202E}evil\u{2066}", "<U+202E>evil<U+2066>"), ("\u{61C}\u{200F}", "<U+61C><U+200F>"),
        ("\u{E0041}", "<U+E0041>"),
        ("x\u{2028}y", "x<U+2028>y"),
        ("👩‍👧 Ünï 日本 e\u{301}", "👩‍👧 Ünï 日本 e\u{301}"), ("plain", "plain"), ("", ""),
    ])
    func whatActsIsShownInstead(text: String, expected: String) {
        #expect(Array(safe(text, .singleLine).utf8) == Array(expected.utf8))
        #expect(Array(safe(text, .multiline).utf8) == Array(expected.utf8))
    }

    @Test func lineEndsAndTabsDependOnTheLayout() {
        #expect(safe("a\r\nb\tc\n", .multiline) == "a\nb\tc\n")
        #expect(safe("a\r\nb\tc\n", .singleLine) == "a b c ")
    }

    @Test func bytesThatAreNotTextAreReplaced() {
        #expect(SafeText.safe([0x9B, 0x41], .singleLine) == Array("\u{FFFD}A".utf8))
        #expect(SafeText.safe([0x41, 0xC2], .multiline) == Array("A\u{FFFD}".utf8))
    }

    /// Each of them is there without being seen, or takes the place of something that is.
    @Test(arguments: [
        "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{34F}", "\u{115F}", "\u{1160}",
        "\u{3164}", "\u{FFA0}", "\u{2800}",
        "\u{17B4}", "\u{180E}", "\u{FE00}", "\u{FE0F}", "\u{E0100}", "\u{E0067}", "\u{E007F}", "\u{1D173}", "\u{FFF9}",
        "\u{2063}",
    ])
    func G01whatIsNotSeenIsShown(hidden: String) {
        let shown = "<U+" + String(hidden.unicodeScalars.first!.value, radix: 16, uppercase: true) + ">"
        for (before, after) in [("", ""), ("a", ""), ("name", "x"), (" ", " "), ("7", "")] {
            #expect(
                Self.safeLine(before + hidden + after).utf8.elementsEqual((before + shown + after).utf8),
                "\(shown) after '\(before)'")
        }
    }

    /// Whole messages were hidden so: a byte in each selector behind one emoji, or in tags.
    @Test func G01aMessageBehindAnEmojiIsShown() {
        let bytes = "😀" + String(String.UnicodeScalarView((0..<40).compactMap { Unicode.Scalar(0xE0100 + $0) }))
        #expect(Self.safeLine(bytes).hasPrefix("😀<U+E0100><U+E0101>"))
        #expect(Self.safeLine("❤\u{FE0F}\u{FE0F}") == "❤\u{FE0F}<U+FE0F>")
        #expect(Self.safeLine("👍\u{E0068}\u{E0069}") == "👍<U+E0068><U+E0069>")
        #expect(Self.safeLine("1\u{FE0E}2\u{FE0F}") == "1<U+FE0E>2<U+FE0F>")
    }

    @Test func G01aStackOfMarksIsCut() {
        let tall = String(repeating: "\u{301}", count: 100)
        #expect(
            Array(Self.safeLine("e" + tall + "!").utf8)
                == Array(("e" + tall.unicodeScalars.prefix(6).map(String.init).joined() + "<+94 marks>!").utf8))
        #expect(Self.safeLine("e" + String(tall.unicodeScalars.prefix(7)) + "f").hasSuffix("<+1 mark>f"))
        // A joiner in between does not begin another.
        let mixed = "क" + String(repeating: "\u{94D}\u{200D}", count: 50)
        #expect(Self.safeLine(mixed).unicodeScalars.prefix { $0 != "<" }.count == 7)
        let jamo = "ᄀ" + String(repeating: "\u{1161}", count: 20)
        #expect(Self.safeLine(jamo).hasSuffix("<+14 marks>"))
    }

    /// People write so: nothing of it may change.
    @Test(arguments: [
        "👨‍👩‍👧‍👦 👩🏽‍❤️‍💋‍👨🏾 🏳️‍🌈 🏴‍☠️ ❤️‍🔥 1️⃣ #️⃣ 👍🏿 🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 ✈️ ✈︎ ©️", "Tiếng Việt: e\u{323}\u{302} ơ\u{309}", "می‌خواهم ه‍ سَلَّمَ لله", "بِسْمِ ٱللَّهِ ٱلرَّحْمَٰنِ",
        "בְּרֵאשִׁ֖ית בָּרָ֣א שָּֽׁ֣", "क्‍ष क्‌ष हिन्दी র‍্য ශ්‍රී ലങ്ക ന്‍", "ကျွန်ုပ်တို့ နိုင်ငံ", "བསྒྲུབས་ ཀྵྨྲཱྀ", "ភាសា\u{200B}ខ្មែរ ไทย\u{200B}ภาษา ພາສາ\u{200B}ລາວ",
        "ᠮᠣᠩᠭᠣᠯ ᠪᠠᠶᠢᠨ\u{180E}ᠠ ᠠ\u{180B}", "葛\u{E0100}城 辻\u{E0101}", "한국어 각 \u{1112}\u{1161}\u{11AB}", "⠓⠑⠇⠇⠕⠀⠺⠕⠗⠇⠙",
        "∩\u{FE00} ≨\u{FE00}",
        "٤٢ \u{600}١٢ a\u{A0}b\u{3000}c", "がぎ か\u{3099}", "Zażółć gęślą jaźń ẞ", "ⴰⵣⵓⵍ ߒߞߏ ܫܠܡܐ",
    ])
    func ordinaryTextOfAllScriptsStaysAsItIs(text: String) {
        #expect(Array(Self.safeLine(text).utf8) == Array(text.utf8), "\(Self.safeLine(text))")
    }

    @Test func whatStandsBeforeAPartCountsForIt() {
        let text = "x👨‍👩‍👧 e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}"
        for cut in 0...text.utf8.count {
            var parts = SafeText(text, .singleLine)
            let first = parts.take(upTo: cut)
            #expect(Array((first + parts.takeRest()).utf8) == Array(Self.safeLine(text).utf8), "\(cut)")
        }
    }

    /// The client's errors and the agent's lists, in text and in JSON: one rule. Planes that have no characters yet are
    /// looked at here and there.
    @Test func clientAndAgentAgreeOnEveryScalar() {
        let planes: [UInt32] = [0, 1, 14]
        for value in 0...0x10FFFF as ClosedRange<UInt32> where planes.contains(value >> 16) || value % 251 == 0 {
            guard let scalar = Unicode.Scalar(value), scalar != "\n", scalar != "\t" else { continue }
            for text in [String(scalar), "a" + String(scalar) + "b", "😀" + String(scalar)] {
                let agent = SafeText.singleLine(text)
                #expect(VisibleText.escaped(text).utf8.elementsEqual(agent.utf8), "U+\(String(value, radix: 16))")
                let json = JSONText.string(text).encoded
                // What a terminal is not given raw, JSON does not have raw either.
                if agent != text {
                    #expect(!json.elementsEqual(Array("\"\(text)\"".utf8)), "U+\(String(value, radix: 16))")
                }
            }
        }
    }

    /// What a terminal gets takes the columns that are counted for it: a mark takes none, and nothing else is without
    /// one.
    @Test func widthsAreThoseOfTheTextThatIsShown() {
        for value in 0x20...0x10FFFF as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let shown = Self.safeLine("a" + String(scalar))
            if shown.utf8.count > 1 + 4 { #expect(DisplayWidth.columns(of: shown) == shown.count) }
            guard DisplayWidth.columns(of: shown) == 1 else { continue }
            let category = scalar.properties.generalCategory
            let isMark =
                [.nonspacingMark, .enclosingMark].contains(category) || (0x1161...0x11FF).contains(value)
                || (0xD7B0...0xD7FF).contains(value)
            #expect(
                isMark || (0x13430...0x1343F).contains(value),
                "U+\(String(value, radix: 16)) takes no column and is not shown")
        }
    }

    static func safeLine(_ text: String) -> String { SafeText.singleLine(text) }

    @Test func noByteStringActs() {
        var random = SeededGenerator(20)
        for round in 0..<4000 {
            let top: UInt32 = [0xA0, 0x2100, 0x1_FFFF, 0xE_01FF][round % 4]
            var text = (0..<60).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...top, using: &random)) }.flatMap {
                Array(UTF8.encode($0)!)
            }
            if round.isMultiple(of: 3) { text[text.count / 2] = UInt8.random(in: 0...255, using: &random) }
            for layout in [SafeText.Layout.singleLine, .multiline] {
                let safe = SafeText.safe(text, layout)
                let scalars = String(decoding: safe, as: UTF8.self).unicodeScalars
                #expect(scalars.allSatisfy { !isForbidden($0, layout) })
                #expect(SafeText.safe(safe, layout) == safe)
            }
        }
    }

    /// Written apart from the product's own list, by category: Cc, and the bidirectional formats.
    private func isForbidden(_ scalar: Unicode.Scalar, _ layout: SafeText.Layout) -> Bool {
        if layout == .multiline, scalar == "\n" || scalar == "\t" { return false }
        if scalar.properties.generalCategory == .control || scalar.properties.isBidiControl { return true }
        // Of what is not seen, only what has a use in a script may be left.
        let hasUse =
            (0x200B...0x200D).contains(scalar.value) || scalar.properties.isVariationSelector || scalar == "\u{180E}"
        if scalar.properties.isDefaultIgnorableCodePoint && !hasUse { return true }
        return scalar == "\u{2028}" || scalar == "\u{2029}"
    }
}
