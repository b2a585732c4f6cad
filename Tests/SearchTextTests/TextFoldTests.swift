// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import Testing

@testable internal import SearchText

struct TextFoldTests {
    private func folded(_ text: String) -> String { String(decoding: TextFold.fold(text), as: UTF8.self) }

    @Test(arguments: [
        ("Hello WORLD", "hello world"), ("Crème BRÛLÉE", "creme brulee"), ("ΟΔΟΣ Όδος", "οδοσ οδοσ"),
        ("STRAẞE straße", "straße straße"),
        ("İstanbul ılık", "istanbul ılık"), ("Ａｂｃ１２３！", "abc123!"), ("ｶﾞｷﾞ ｱ", "カ\u{3099}キ\u{3099} ア"),
        ("Ёлка Йод", "елка иод"),
        ("مُحَمَّد", "محمد"), ("שָׁלוֹם", "שלום"), ("क़", "क\u{93C}"), ("क्ष", "क्ष"), ("Việt Nam", "viet nam"), ("Å Å Å", "a a a"),
        ("Ω", "ω"), ("𐐀", "𐐨"), ("ĳ Ǆ", "ĳ ǆ"), ("￦￡", "₩£"), ("", ""),
    ])
    func foldsCaseMarksAndWidth(text: String, expected: String) {
        #expect(TextFold.fold(text) == Array(expected.utf8), "\(folded(text))")
    }

    @Test func hangulBecomesJamo() {
        #expect(folded("한가").unicodeScalars.map(\.value) == [0x1112, 0x1161, 0x11AB, 0x1100, 0x1161])
    }

    @Test func kanaVoicingIsKeptApart() {
        #expect(TextFold.fold("はな") != TextFold.fold("ばな"))
        #expect(TextFold.fold("ガ") == TextFold.fold("ｶﾞ"))
    }

    @Test func runsOfWhiteSpaceBecomeOneSpace() {
        #expect(folded("a \n\t\r\n  b\u{A0}\u{3000}\u{2028}c") == "a b c")
        #expect(folded("\n\na\n") == " a ")
        let long = String(repeating: "word word\n\n  ", count: 40)
        #expect(folded(long) == String(repeating: "word word ", count: 40))
    }

    @Test func illFormedBytesBecomeReplacementsAndNeverTrap() {
        let end = Array("\u{FFFD}".utf8)
        #expect(TextFold.fold([0xFF, 0x41]) == end + [0x61])
        #expect(TextFold.fold([0xE2, 0x82]) == end)
        #expect(TextFold.fold([0xC0, 0x80]) == end + end)
        #expect(TextFold.fold([0xED, 0xA0, 0x80]) == end + end + end)
        #expect(TextFold.fold([0xF4, 0x90, 0x80, 0x80]) == end + end + end + end)
        var random = RandomText(seed: 1)
        for _ in 0..<300 {
            let bytes = random.bytes(count: Int.random(in: 0...200, using: &random))
            #expect(TextFold.fold(bytes) == TextFold.fold(String(decoding: bytes, as: UTF8.self)))
        }
    }

    @Test func composedAndDecomposedTextFoldAlike() {
        var random = RandomText(seed: 2)
        for _ in 0..<1500 {
            // Foundation's own composition reads tags as their low 16 bits and swallows U+11A7, so these are left out.
            let text = String(
                String.UnicodeScalarView(
                    random.string(scalarCount: 60).unicodeScalars.filter { $0.value < 0xE0000 && $0.value != 0x11A7 }))
            let composed = TextFold.fold(text.precomposedStringWithCanonicalMapping)
            #expect(composed == TextFold.fold(text.decomposedStringWithCanonicalMapping))
        }
    }

    @Test func foldingTwiceChangesNothing() {
        for value in 0x80...0x2FFFF as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let once = TextFold.fold(String(scalar))
            #expect(TextFold.fold(once) == once, "U+\(String(value, radix: 16))")
        }
    }

    @Test func widthFormsAgreeWithCompatibilityMappings() {
        // U+FFA0…FFDC lead on to jamo, U+FFE3 to a space and a mark: two more steps than width.
        for value in 0xFF01...0xFFEE as ClosedRange<UInt32> where !(0xFFA0...0xFFDC).contains(value) && value != 0xFFE3
        {
            let text = String(Unicode.Scalar(value)!)
            #expect(
                TextFold.fold(text) == TextFold.fold(text.precomposedStringWithCompatibilityMapping),
                "U+\(String(value, radix: 16))")
        }
    }

    @Test func aLongRunOfMarksTakesLinearTime() {
        let text = String(repeating: "\u{94D}\u{93C}", count: 200_000)
        #expect(TextFold.fold(text).count == text.utf8.count)
    }

    @Test func theProbeIsTheSameEachTimeAndNotTrivial() {
        #expect(TextFold.probe() == TextFold.probe())
        #expect(TextFold.probe().count > 8_000)
    }

    @Test func manyThreadsFoldAlike() async {
        var random = RandomText(seed: 3)
        let text = random.string(scalarCount: 5000)
        let results = await withTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 { group.addTask { TextFold.fold(text) } }
            return await group.reduce(into: [[UInt8]]()) { $0.append($1) }
        }
        #expect(Set(results).count == 1)
    }
}
