// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Testing
import TextReading

@testable internal import SearchText

struct FoldedTextTests {
    private func original(_ needle: String, in text: String) -> String? {
        let bytes = Array(text.utf8)
        let mapped = TextFold.mapped(bytes)
        let finder = ByteFinder(TextFold.fold(needle))
        guard let start = finder.first(in: mapped.bytes.span) else { return nil }
        return String(decoding: bytes[mapped.originalRange(of: start..<(start + finder.needle.count))], as: UTF8.self)
    }

    @Test(arguments: [
        ("creme", "A Crème!", "Crème"), ("e", "cre\u{301}\u{302}x", "e\u{301}\u{302}"), ("하", "그 한국", "한"),
        ("국", "한국", "국"),
        ("a b", "x a \n\n b y", "a \n\n b"), ("b", "a\n\nb\n\n", "b"), ("z", "z", "z"), ("ガ", "aｶﾞ", "ｶﾞ"),
        ("abc", "ＡＢＣ", "ＡＢＣ"),
    ])
    func aHitLeadsBackToWholeScalarsWithTheirMarks(needle: String, text: String, expected: String) {
        #expect(original(needle, in: text).map { Array($0.utf8) } == Array(expected.utf8))
    }

    @Test func originsNeverDecreaseAndAreScalarStarts() {
        var random = RandomText(seed: 4)
        for _ in 0..<400 {
            let text = Array(random.string(scalarCount: 80).utf8)
            let mapped = TextFold.mapped(text)
            #expect(mapped.bytes == TextFold.fold(text))
            let origins = (0...mapped.bytes.count).map(mapped.originalOffset)
            #expect(origins == origins.sorted())
            #expect(origins.last == text.count)
            #expect(origins.allSatisfy { $0 == text.count || !UTF8Decoding.isContinuation(text[$0]) })
        }
    }

    @Test func aWindowTellsTheSameAsTheWhole() {
        var random = RandomText(seed: 5)
        for _ in 0..<300 {
            let text = Array((random.string(scalarCount: 60) + String(repeating: "plain text ", count: 12)).utf8)
            let whole = TextFold.mapped(text)
            let start = Int.random(in: 0..<whole.bytes.count, using: &random)
            let end = Int.random(in: start...whole.bytes.count, using: &random)
            let part = TextFold.mapped(text, window: start..<end)
            #expect(part.bytes == whole.bytes)
            #expect((start..<end).allSatisfy { part.originalOffset(of: $0) == whole.originalOffset(of: $0) })
        }
    }
}
