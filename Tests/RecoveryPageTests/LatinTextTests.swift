// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import RecoveryPage
import Testing

struct LatinTextTests {
    private func bytes(_ text: String) -> [UInt8] { LatinText(text).units.flatMap { $0 } }
    private func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func lettersOfTheEncodingStay() {
        #expect(bytes("Notes (1) ~") == ascii("Notes (1) ~"))
        #expect(bytes("Büro ÿ") == [0x42, 0xFC, 0x72, 0x6F, 0x20, 0xFF])
        #expect(
            bytes("€‚Œ‘’“”•–—™žŸ…") == [
                0x80, 0x82, 0x8C, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0x9E, 0x9F, 0x85,
            ])
        // The same letter, written as two.
        #expect(bytes("Bu\u{308}ro") == bytes("Büro"))
    }

    @Test(arguments: [
        ("a\u{0}b", "a\\u{0}b"), ("\u{7}\u{1B}[2J", "\\u{7}\\u{1b}[2J"), ("\r\n", "\\u{d}\\u{a}"),
        ("\u{7F}\u{85}", "\\u{7f}\\u{85}"),
        ("\u{202E}txt", "\\u{202e}txt"), ("\u{A0}\u{AD}", "\\u{a0}\\u{ad}"), ("日本", "\\u{65e5}\\u{672c}"),
        ("\u{1F512}\u{10FFFF}", "\\u{1f512}\\u{10ffff}"), ("x\u{301}\u{302}", "x\\u{301}\\u{302}"),
    ])
    func whatTheFontsLackIsSeen(text: String, shown: String) { #expect(bytes(text) == ascii(shown)) }

    @Test func noEscapeIsBrokenApart() {
        let lines = LatinText(String(repeating: "я", count: 20)).lines(width: 20, count: 20)
        #expect(lines.count == 10 && lines.allSatisfy { $0 == ascii("\\u{44f}\\u{44f}") })
    }

    @Test(arguments: [
        String(repeating: "a", count: 255), String(repeating: "я", count: 127),
        String(repeating: "\u{10FFFF}", count: 63),
    ])
    func aLongTextLosesItsMiddleAndSaysSo(middle: String) {
        for (width, count) in [(58, 3), (20, 1), (10, 4)] {
            let lines = LatinText("first" + middle + "last").lines(width: width, count: count)
            #expect(lines.count <= count && lines.allSatisfy { $0.count <= width })
            #expect(lines.flatMap { $0 }.filter { $0 == 0x85 }.count == 1)
        }
        let whole = LatinText("first" + middle + "last").lines(width: 58, count: 3).flatMap { $0 }
        #expect(whole.starts(with: ascii("first")) && whole.suffix(4) == ascii("last")[...])
    }

    @Test func aTextThatFitsIsWhole() {
        #expect(LatinText(String(repeating: "a", count: 174)).lines(width: 58, count: 3).map(\.count) == [58, 58, 58])
        #expect(LatinText("a").lines(width: 58, count: 3) == [[0x61]])
    }
}
