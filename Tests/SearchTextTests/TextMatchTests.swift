// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Testing
internal import TextReading

@testable internal import SearchText

struct TextMatchTests {
    private func match(_ query: String, title: String, body: String) throws -> TextMatch.Match? {
        TextMatch.match(try SearchQuery(query), title: TextFold.fold(title), body: TextFold.fold(body))
    }

    @Test func everyNeedleMustOccurSomewhere() throws {
        #expect(try match("plan june", title: "The Plan", body: "for June") != nil)
        #expect(try match("plan july", title: "The Plan", body: "for June") == nil)
        #expect(try match("\"plan for\"", title: "The Plan", body: "for June") == nil)
        #expect(try match("réunion", title: "", body: "la REUNION\nde lundi") != nil)
    }

    @Test func scoresTitleThenWordStartThenWholeWord() throws {
        let scores = try [
            match("art", title: "art", body: ""), match("art", title: "artist", body: ""),
            match("art", title: "cart", body: ""),
            match("art", title: "", body: "an art"), match("art", title: "", body: "artist"),
            match("art", title: "", body: "cart"),
        ].map { $0?.score }
        #expect(scores == [7, 6, 4, 3, 2, 0])
    }

    @Test func aLaterOccurrenceMayScoreBetterButTheFirstIsReported() throws {
        let found = try match("art", title: "", body: "cart, art")
        #expect(found?.score == 3)
        #expect(found?.firstHits == [TextMatch.Hit(isInTitle: false, offset: 1, byteCount: 3)])
    }

    @Test func theFinderAgreesWithAPlainSearch() {
        var random = RandomText(seed: 10)
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                UInt8.random(in: 97...100, using: &random)
            }
            let needle = (0..<Int.random(in: 0...7, using: &random)).map { _ in
                UInt8.random(in: 97...101, using: &random)
            }
            let start = Int.random(in: 0...20, using: &random)
            var expected: Int?
            if !needle.isEmpty, text.count >= needle.count, start <= text.count - needle.count {
                expected = (start...(text.count - needle.count)).first {
                    Array(text[$0..<($0 + needle.count)]) == needle
                }
            }
            #expect(ByteFinder(needle).first(in: text.span, from: start) == expected)
        }
    }
}
