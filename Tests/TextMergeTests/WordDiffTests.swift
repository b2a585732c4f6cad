// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GitComparison
import Testing
import TextMerge

struct WordDiffTests {
    /// Hunks in brackets: `[-removed-]`, `{+added+}`, hunks joined by `|`.
    private func words(_ old: String, _ new: String, context: Int = 0) throws -> String {
        try WordDiff.hunks(old: bytes(old), new: bytes(new), contextLines: context, by: GitComparison()).map { hunk in
            hunk.map { piece in
                let text = String(decoding: piece.text, as: UTF8.self)
                return switch piece.kind {
                case .same: text
                case .removed: "[-\(text)-]"
                case .added: "{+\(text)+}"
                }
            }.joined()
        }.joined(separator: "|")
    }

    @Test func equalTextsHaveNoHunk() throws { #expect(try words("a b\n", "a b\n") == "") }

    @Test func aChangedWordIsOnePiece() throws {
        #expect(try words("the quick fox\n", "the slow fox\n") == "the [-quick-]{+slow+} fox\n")
    }

    @Test func aMarkIsATokenOfItsOwn() throws {
        #expect(try words("Yes, (maybe).\n", "Yes; (maybe)!\n") == "Yes[-,-]{+;+} (maybe)[-.-]{+!+}\n")
    }

    @Test func whiteSpaceIsSeen() throws { #expect(try words("a b\n", "a  b\n") == "a[- -]{+  +}b\n") }

    @Test func aNewEmptyLineIsOneLineEnd() throws { #expect(try words("a\n\nb\n", "a\n\n\nb\n") == "{+\n+}") }

    @Test func aMissingLastNewlineIsAPiece() throws { #expect(try words("a b", "a b\n") == "a b{+\n+}") }

    @Test func carriageReturnAndNewlineAreOneToken() throws { #expect(try words("a\r\n", "a\n") == "a[-\r\n-]{+\n+}") }

    @Test func hanKanaAndHangulGoCharacterByCharacter() throws {
        #expect(try words("日本語です\n", "日本人です\n") == "日本[-語-]{+人+}です\n")
        #expect(try words("한국어\n", "한국말\n") == "한국[-어-]{+말+}\n")
    }

    @Test func wordsOfOtherScriptsStayWhole() throws {
        #expect(try words("größer слово\n", "größte слова\n") == "[-größer-]{+größte+} [-слово-]{+слова+}\n")
    }

    @Test func accentsAndJoinedEmojiStayWithTheirBase() throws {
        #expect(try words("cafe\n", "cafe\u{301}\n") == "[-cafe-]{+cafe\u{301}+}\n")
        #expect(try words("👩‍👩‍👧\n", "👩‍👩‍👦\n") == "[-👩‍👩‍👧-]{+👩‍👩‍👦+}\n")
        #expect(try words("👍\n", "👍🏽\n") == "[-👍-]{+👍🏽+}\n")
        #expect(try words("が\n", "か\u{3099}\n") == "[-が-]{+か\u{3099}+}\n")
    }

    @Test func contextIsWholeLines() throws {
        #expect(try words("1\n2\n3 x\n4\n5\n", "1\n2\n3 y\n4\n5\n", context: 1) == "2\n3 [-x-]{+y+}\n4\n")
    }

    @Test func changesThatStandFarApartAreTwoHunks() throws {
        let old = (1...20).map { "line \($0)\n" }.joined()
        #expect(try words(old, "x" + old + "y\n").split(separator: "|").count == 2)
    }

    @Test func aByteThatIsNotTextIsAToken() throws {
        let hunks = try WordDiff.hunks(
            old: [0x61, 0xFF, 0x00, 0x62], new: [0x61, 0xFE, 0x00, 0x62], by: GitComparison())
        let kinds: [WordDiff.Kind] = [.same, .removed, .added, .same]
        #expect(hunks.count == 1 && hunks[0].map { $0.kind } == kinds)
        #expect(hunks.first?.map { $0.text } == [[0x61], [0xFF], [0xFE], [0x00, 0x62]])
    }

    @Test(arguments: 1...300)
    func piecesMakeUpBothTexts(seed: UInt64) throws {
        var texts = TestTexts(seed: seed)
        let old = texts.text(lineCountMax: 20)
        let new = seed % 4 == 0 ? texts.text(lineCountMax: 20) : texts.edited(old)
        // With this much context all is one hunk.
        let hunks = try WordDiff.hunks(old: old, new: new, contextLines: 100, by: GitComparison())
        #expect(hunks.count == (old == new ? 0 : 1))
        guard let pieces = hunks.first else { return }
        #expect(pieces.filter { $0.kind != .added }.flatMap { $0.text } == old)
        #expect(pieces.filter { $0.kind != .removed }.flatMap { $0.text } == new)
        for (first, second) in zip(pieces, pieces.dropFirst()) { #expect(first.kind != second.kind) }
    }

    @Test(arguments: 1...100)
    func hunksStandInBothTextsInOrder(seed: UInt64) throws {
        var texts = TestTexts(seed: seed)
        let old = (0..<60).flatMap { bytes("line \($0)\n") }
        let new = texts.edited(texts.edited(old))
        var (oldLines, newLines) = (TestTexts.lines(old)[...], TestTexts.lines(new)[...])
        for hunk in try WordDiff.hunks(old: old, new: new, contextLines: texts.number(below: 3), by: GitComparison()) {
            let removed = TestTexts.lines(hunk.filter { $0.kind != .added }.flatMap { $0.text })
            let added = TestTexts.lines(hunk.filter { $0.kind != .removed }.flatMap { $0.text })
            while !oldLines.starts(with: removed) || !newLines.starts(with: added) {
                // What stands between two hunks is the same in both texts.
                guard let first = oldLines.popFirst(), first == newLines.popFirst() else {
                    Issue.record("a hunk stands nowhere"); return
                }
            }
            (oldLines, newLines) = (oldLines.dropFirst(removed.count), newLines.dropFirst(added.count))
        }
        #expect(oldLines == newLines)
    }
}
