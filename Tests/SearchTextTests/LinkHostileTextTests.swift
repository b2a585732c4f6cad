// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SearchText
import Testing
import TextReading

/// Text that nobody writes: it must neither trap nor hold up the search for links, nor put anything into a target that
/// a terminal obeys.
struct LinkHostileTextTests {
    private static let parts = [
        "https://", "www.", "http:", "@", "x.org", "[[", "]]", "|", "(", ")", "+49 30 ", "1234567", "2026-11-21", "`",
        "```", "~~~", "\n", "\u{1B}",
        "\u{202E}", "ä", "漢",
        " ", ".", ":", "/", "?", "#", "%", "%41", "<", ">", "'", "\\", "mailto:", "tel:", "geo:1,2", "-", "_",
        "T10:00Z", "00", "\r", "\t", "    ",
        "- ", "…", "\u{9B}", "[::1]", "x\u{301}",
    ].map { Array($0.utf8) }

    /// A macro cannot hold a span.
    private func mayHaveLinks(_ text: [UInt8]) -> Bool { LinkDetector.mayHaveLinks(text.span) }

    /// A URI's target may stand inside an OSC 8 sequence; a note's may be shown.
    private func isHarmless(_ link: DetectedLink) -> Bool {
        link.target.unicodeScalars.allSatisfy { scalar in
            guard scalar.value >= 0x20, !(0x7F...0x9F).contains(scalar.value), !(0x202A...0x202E).contains(scalar.value)
            else { return false }
            guard link.kind != .note else { return true }
            return scalar.isASCII
                ? scalar.value > 0x20
                : [.url, .email].contains(link.kind) && !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    private func check(_ text: [UInt8]) {
        var end = 0
        let links = LinkDetector.links(in: text)
        for link in links {
            #expect(
                link.range.lowerBound >= end && link.range.upperBound <= text.count && !link.range.isEmpty, "\(text)")
            #expect(!link.target.isEmpty && !link.label.isEmpty && isHarmless(link), "\(text)")
            end = link.range.upperBound
        }
        if links.contains(where: { [.url, .email, .note].contains($0.kind) }) {
            #expect(mayHaveLinks(text), "\(text)")
        }
        var known: Set<String> = []
        #expect(
            LinkDetector.noteTargets(in: text)
                == links.filter { $0.kind == .note && known.insert($0.target).inserted }.map(\.target))
    }

    @Test(arguments: [UInt64(1), 2, 3]) func rangesAreInOrderAndTargetsAreHarmless(seed: UInt64) {
        var random = RandomText(seed: seed)
        for _ in 0..<4000 {
            var text: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<24, using: &random) {
                text +=
                    Int.random(in: 0..<6, using: &random) == 0
                    ? random.bytes(count: 1) : Self.parts.randomElement(using: &random)!
            }
            check(text)
        }
        for _ in 0..<300 {
            check(random.bytes(count: 200))
            check(
                Array(
                    "https://\(random.string(scalarCount: 8))/\(random.string(scalarCount: 8)) a@\(random.string(scalarCount: 8)).org"
                        .utf8))
        }
    }

    @Test func everyPrefixOfATextIsRead() {
        let text = Array(
            "`[[a|b]]` https://[::1]:80/ä?%41#x mailto:a@ü.org?x tel:+49 geo:1,2;u=3 (0)30 / 1234567 +1 (202) 555-0143 2026-11-21T10:00:30.5+01:00 <www.x.org>"
                .utf8)
        for count in 0...text.count {
            check(Array(text.prefix(count)))
            check(Array(text.suffix(count)))
        }
    }

    /// With quadratic work eight times the text would take sixty-four times as long.
    @Test(arguments: [
        "(", "@", "a@", "a.", "a.b@", "http://", "http://a:", "https://x.org/(", "https://u:", "<https://x.org/a",
        "www.", "www.a.", "[[", "[[a",
        "[[a]", "\\[[", "`", "`` ` ", "\\`", "1",
        "1-", "1 ", "+1 ", "+1-", "(1", "00 1 ", "202-555-0143 ", "2026-11-21", "mailto:", "mailto:a@b.org?", "tel:1",
        "geo:1,1;", "漢", "漢@", "://",
        "    a\n\n", "- `\n", "~~~\n", "\u{301}", ":a@",
    ]) func longTextsOfOnePieceTakeLinearTime(piece: String) {
        let text = Array(String(repeating: piece, count: (1 << 18) / piece.utf8.count).utf8)
        let clock = ContinuousClock()
        let part = clock.measure { _ = LinkDetector.links(in: Array(text.prefix(text.count / 8))) }
        let whole = clock.measure { _ = LinkDetector.links(in: text) }
        #expect(whole < part * 30 + .milliseconds(500), "\(part) became \(whole)")
    }

    @Test func theQuickTestPassesOverProse() {
        for text in [
            "", "a", "@", "12:30 [x] a@ @b w/o ww. info: and/or 1:/2", "email @ home",
            String(repeating: "prose, ", count: 100),
        ] {
            #expect(!mayHaveLinks(Array(text.utf8)), "\(text)")
        }
        for place in 0..<130 {
            for mark in ["[[", "a@b", "://", "www.", "geo:"] {
                let text = Array(
                    (String(repeating: " ", count: place) + mark + String(repeating: " ", count: 130 - place)).utf8)
                #expect(mayHaveLinks(text), "\(mark) at \(place)")
            }
        }
    }
}
