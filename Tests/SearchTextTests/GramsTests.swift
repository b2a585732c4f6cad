// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Testing
internal import TextReading

@testable internal import SearchText

struct GramsTests {
    private func grams(of folded: [UInt8]) -> [[UInt8]] {
        var grams = Grams()
        var result: [[UInt8]] = []
        grams.forEach(in: folded) { offset, count in result.append(Array(folded[offset..<(offset + count)])) }
        return result
    }

    private func texts(_ grams: [[UInt8]]) -> Set<String> { Set(grams.map { String(decoding: $0, as: UTF8.self) }) }

    @Test func yieldsEveryGramOnce() {
        #expect(
            texts(grams(of: Array("abab c".utf8))) == [
                "a", "ab", "aba", "b", "ba", "bab", "ab ", "b ", "b c", " ", " c", "c",
            ])
        #expect(grams(of: Array("aaaaaaa".utf8)).count == 3)
        #expect(grams(of: []).isEmpty)
    }

    @Test func agreesWithAPlainImplementation() {
        var random = RandomText(seed: 6)
        for _ in 0..<200 {
            let folded = TextFold.fold(random.string(scalarCount: 100))
            let scalars = Array(String(decoding: folded, as: UTF8.self).unicodeScalars)
            var expected: Set<[UInt8]> = []
            for start in scalars.indices {
                for length in 1...3 where start + length <= scalars.count {
                    expected.insert(scalars[start..<(start + length)].flatMap { Array(UTF8.encode($0)!) })
                }
            }
            let found = grams(of: folded)
            #expect(Set(found) == expected)
            #expect(found.count == expected.count)
        }
    }

    @Test func oneValueServesManyTexts() {
        var random = RandomText(seed: 7)
        var shared = Grams()
        for size in [10, 9000, 3, 60_000, 500] {
            let folded = TextFold.fold(random.string(scalarCount: size))
            var count = 0
            shared.forEach(in: folded) { _, _ in count += 1 }
            #expect(count == grams(of: folded).count)
        }
    }

    @Test func aTextThatHoldsTheNeedleHoldsItsNeededGrams() {
        var random = RandomText(seed: 8)
        var occurred = 0
        for _ in 0..<600 {
            let text = random.string(scalarCount: 70)
            let scalars = Array(text.unicodeScalars)
            let start = Int.random(in: 0..<scalars.count, using: &random)
            let end = Int.random(in: start...min(scalars.count, start + 45), using: &random)
            let needle = TextFold.fold(String(String.UnicodeScalarView(scalars[start..<end])))
            let folded = TextFold.fold(text)
            guard ByteFinder(needle).first(in: folded.span) != nil else { continue }
            occurred += 1
            #expect(Set(Grams.needed(for: needle)).isSubset(of: Set(grams(of: folded))))
        }
        #expect(occurred > 400)
    }

    @Test func neededGramsAreTheLongestAndCapped() {
        #expect(Grams.needed(for: []).isEmpty)
        #expect(Grams.needed(for: Array("é".utf8)) == [Array("é".utf8)])
        #expect(texts(Grams.needed(for: Array("ab".utf8))) == ["ab"])
        #expect(texts(Grams.needed(for: Array("abcd".utf8))) == ["abc", "bcd"])
        #expect(texts(Grams.needed(for: Array("aaaaa".utf8))) == ["aaa"])
        let long = TextFold.fold((0..<300).map(String.init).joined())
        let needed = Grams.needed(for: long)
        #expect(Set(needed).count == 32)
        #expect(needed.first == Array(long.prefix(3)))
    }

    @Test func bytesThatAreNotTextDoNotTrap() {
        var random = RandomText(seed: 9)
        for _ in 0..<200 { _ = grams(of: random.bytes(count: Int.random(in: 0...120, using: &random))) }
    }
}
