// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TerminalText
internal import Testing

@testable internal import SearchText

struct SnippetTests {
    private func marked(_ snippet: Snippet) -> String {
        var bytes = Array(snippet.text.utf8)
        for hit in snippet.hits.reversed() {
            bytes.insert(UInt8(ascii: "]"), at: hit.upperBound)
            bytes.insert(UInt8(ascii: "["), at: hit.lowerBound)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func excerpt(_ body: String, _ query: String, columns: Int = 40) throws -> String {
        marked(Snippet.excerpt(body: body, query: try SearchQuery(query), columns: columns))
    }

    @Test func marksAllHitsOfAShortBody() throws {
        #expect(try excerpt("Crème brûlée\n\nand more CREME", "creme") == "[Crème] brûlée and more [CREME]")
        #expect(try excerpt("한국 여행", "하") == "[한]국 여행")
        #expect(try excerpt("abcabc", "abc bca") == "[abcabc]")
    }

    @Test func choosesThePlaceWhereMostNeedlesMeet() throws {
        let filler = String(repeating: "lorem ipsum dolor ", count: 20)
        let text = try excerpt("alpha \(filler) alpha beta \(filler)", "alpha beta")
        #expect(text.hasPrefix("…") && text.hasSuffix("…"))
        #expect(text.contains("[alpha] [beta]"))
    }

    @Test func withoutAHitItIsTheBeginningAfterTheTitle() throws {
        #expect(try excerpt("Title\n\nthe rest", "elsewhere") == "…the rest")
        #expect(
            Snippet.excerpt(title: "set", body: "Title\nrest", query: try SearchQuery("x"), columns: 40).text
                == "Title rest")
    }

    @Test func staysInItsRoomAtClusterBoundsWithHitsInside() throws {
        var random = RandomText(seed: 11)
        for _ in 0..<300 {
            let body = random.string(scalarCount: 200)
            let needle = String(body.dropFirst(40).prefix(Int.random(in: 1...5, using: &random)))
            guard let query = try? SearchQuery("\"" + needle.filter { $0 != "\"" } + "\"") else { continue }
            let columns = Int.random(in: 8...90, using: &random)
            let snippet = Snippet.excerpt(body: body, query: query, columns: columns)
            #expect(snippet.text.reduce(0) { $0 + CharacterWidth.columns(of: $1) } <= columns)
            #expect(!snippet.text.contains { $0.isNewline })
            let utf8 = snippet.text.utf8
            let bounds = Set(snippet.text.indices.map { utf8.distance(from: utf8.startIndex, to: $0) } + [utf8.count])
            #expect(
                snippet.hits.allSatisfy {
                    bounds.contains($0.lowerBound) && bounds.contains($0.upperBound) && !$0.isEmpty
                })
        }
    }

    @Test func aHitFarDownALongBodyIsFound() throws {
        let body = String(repeating: "Ümläute und mehr. ", count: 20_000) + "xylophone solo"
        #expect(try excerpt(body, "xylophone").hasSuffix("[xylophone] solo"))
    }

    @Test func anOutsizedClusterIsReplaced() throws {
        let body = "start a" + String(repeating: "\u{301}", count: 5000) + " end"
        #expect(Snippet.plain(title: "t", body: body) == "start \u{FFFD} end")
        #expect(try excerpt(body, "end") == "start \u{FFFD} [end]")
    }

    @Test func plainIsWhatFollowsTheTitle() {
        #expect(Snippet.plain(body: "Title\n\n  first\tline\nsecond ") == "first line second")
        #expect(Snippet.plain(title: "Set", body: "first\r\nsecond") == "first second")
        #expect(Snippet.plain(body: "only a title") == "")
        #expect(Snippet.plain(body: "") == "")
        let long = Snippet.plain(title: "t", body: String(repeating: "👨‍👩‍👧 ", count: 100))
        #expect(long.utf8.count <= 163 && long.hasSuffix("👨‍👩‍👧…"))
    }

    @Test func hitsOfATitleAreByteRanges() throws {
        #expect(Snippet.hits(of: try SearchQuery("cafe é"), in: "Le Café") == [1..<2, 3..<8])
    }
}
