// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Testing

@testable internal import VaultAgent

/// Attack G01.
struct SafeTextTests {
    private func safe(_ text: String, _ layout: SafeText.Layout) -> String {
        String(decoding: SafeText.safe(Array(text.utf8), layout), as: UTF8.self)
    }

    @Test(arguments: [
        ("\u{1B}[31mred", "␛[31mred"), ("\u{1B}]52;c;aGk=\u{07}", "␛]52;c;aGk=␇"), ("\u{9B}2J", "<U+9B>2J"), ("a\rb", "a␍b"), ("a\u{7F}\0", "a␡␀"),
        ("\u{202E}evil\u{2066}", "<U+202E>evil<U+2066>"), ("\u{61C}\u{200F}", "<U+61C><U+200F>"), ("\u{E0041}", "<U+E0041>"),
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

    @Test func noByteStringActs() {
        var random = SeededRandom(seed: 20)
        for round in 0..<4000 {
            let top: UInt32 = [0xA0, 0x2100, 0x1_FFFF, 0xE_01FF][round % 4]
            var text = (0..<60).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...top, using: &random)) }.flatMap { Array(UTF8.encode($0)!) }
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
        return scalar == "\u{2028}" || scalar == "\u{2029}" || (0xE0000...0xE007F).contains(scalar.value)
    }
}
