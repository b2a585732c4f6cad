// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GitComparison
import Testing
import TextMerge

/// What holds for all texts, tried on small random ones.
struct MergePropertyTests {
    private func merge(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) throws -> TextMerge.Outcome {
        try TextMerge.merge(base: base, ours: ours, theirs: theirs, ourLabel: "L", theirLabel: "R", by: GitComparison())
    }

    @Test(arguments: 1...200)
    func oneUnchangedSideOrTwoEqualSidesGiveTheOther(seed: UInt64) throws {
        var texts = TestTexts(seed: seed)
        let (base, other) = (texts.text(lineCountMax: 12), texts.text(lineCountMax: 12))
        #expect(try merge(base, other, base) == .clean(other))
        #expect(try merge(base, base, other) == .clean(other))
        #expect(try merge(base, other, other) == .clean(other))
    }

    @Test(arguments: 1...400)
    func sidesMayBeExchanged(seed: UInt64) throws {
        var texts = TestTexts(seed: seed)
        let base = texts.text(lineCountMax: 12)
        let (ours, theirs) = (texts.edited(base), texts.edited(base))
        switch (try merge(base, ours, theirs), try merge(base, theirs, ours)) {
        case (.clean(let first), .clean(let second)): #expect(first == second)
        case (.conflict(let first), .conflict(let second)):
            #expect(Self.side(.ours, of: first) == Self.side(.theirs, of: second))
            #expect(Self.side(.theirs, of: first) == Self.side(.ours, of: second))
        default: Issue.record("a conflict one way round only")
        }
    }

    /// The naive model: lines are unique and edits stand apart, so the outcome is known.
    @Test(arguments: 1...200)
    func editsThatStandApartAreAllMade(seed: UInt64) throws {
        var texts = TestTexts(seed: seed)
        var (base, ours, theirs, merged) = ([UInt8](), [UInt8](), [UInt8](), [UInt8]())
        for line in 0..<(20 + texts.number(below: 200)) {
            let text = bytes("line \(line)\n")
            let changed = [[], bytes("changed \(line)\n"), bytes("new \(line)\n") + text, text + bytes("new\n")][
                texts.number(below: 4)]
            // Every fourth line at most, so that an unchanged line stands between any two edits.
            let side = line % 4 == 2 ? texts.number(below: 4) : 0
            base += text
            ours += side & 1 != 0 ? changed : text
            theirs += side & 2 != 0 ? changed : text
            merged += side != 0 ? changed : text
        }
        #expect(try merge(base, ours, theirs) == .clean(merged))
    }

    @Test(arguments: 1...300)
    func noLineIsMadeUp(seed: UInt64) throws {
        var texts = TestTexts(seed: seed)
        let base = texts.text(lineCountMax: 15)
        let (ours, theirs) = (texts.edited(base), texts.edited(base))
        let ending: ([UInt8]) -> [UInt8] = { $0.last == 0x0A ? $0 : $0 + [0x0A] }
        let known = Set(
            (TestTexts.lines(ours) + TestTexts.lines(theirs)).map(ending)
                + ["<<<<<<< L\n", "=======\n", ">>>>>>> R\n"].map { bytes($0) })
        switch try merge(base, ours, theirs) {
        case .clean(let text), .conflict(let text):
            // A last line without an end may have got the end of the marks.
            for line in TestTexts.lines(text).map(ending) {
                #expect(known.contains(line) || known.contains(line.dropLast(2) + [0x0A]))
            }
        }
    }

    private enum Side {
        case ours
        case theirs
    }

    /// A marked text with one side of each conflict taken.
    private static func side(_ side: Side, of marked: [UInt8]) -> [UInt8] {
        var current: Side?
        var text: [UInt8] = []
        for line in TestTexts.lines(marked) {
            switch line.first {
            case UInt8(ascii: "<"): current = .ours
            case UInt8(ascii: "="): current = .theirs
            case UInt8(ascii: ">"): current = nil
            default: if current == nil || current == side { text += line }
            }
        }
        return text
    }
}
