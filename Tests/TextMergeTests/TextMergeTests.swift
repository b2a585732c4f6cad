// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GitComparison
import Testing
import TextMerge

struct TextMergeTests {
    private func merge(_ base: String, _ ours: String, _ theirs: String) throws -> TextMerge.Outcome {
        try TextMerge.merge(
            base: bytes(base), ours: bytes(ours), theirs: bytes(theirs), ourLabel: "yours", theirLabel: "theirs",
            by: GitComparison())
    }
    private func clean(_ text: String) -> TextMerge.Outcome { .clean(bytes(text)) }
    private func conflict(_ text: String) -> TextMerge.Outcome { .conflict(marked: bytes(text)) }

    @Test func changesOfDifferentLinesAreBothKept() throws {
        #expect(try merge("a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n") == clean("A\nb\nc\nD\n"))
    }

    @Test func anUnchangedSideGivesTheOtherByteForByte() throws {
        for other in ["", "\n", "x", "a\r\nb", "\0", "a\nb\n"] {
            #expect(try merge("a\nb", "a\nb", other) == clean(other))
            #expect(try merge("a\nb", other, "a\nb") == clean(other))
        }
    }

    @Test func theSameChangeOnBothSidesIsMadeOnce() throws {
        #expect(try merge("a\nb\nc\n", "a\nB\nc\n", "a\nB\nc\n") == clean("a\nB\nc\n"))
        #expect(try merge("a\nb\nc\nd\ne\n", "a\nB\nc\nd\nE\n", "a\nB\nc\nd\ne\n") == clean("a\nB\nc\nd\nE\n"))
    }

    @Test func differentChangesOfALineAreMarked() throws {
        let marked = "a\n<<<<<<< yours\nB\n=======\nβ\n>>>>>>> theirs\nc\n"
        #expect(try merge("a\nb\nc\n", "a\nB\nc\n", "a\nβ\nc\n") == conflict(marked))
    }

    @Test func onlyWhatDiffersIsInsideTheMarks() throws {
        let marked = "x\n<<<<<<< yours\n1\n=======\n2\n>>>>>>> theirs\nz\n"
        #expect(try merge("o\n", "x\n1\nz\n", "x\n2\nz\n") == conflict(marked))
    }

    @Test func anEmptyBaseMergesEqualTextsOnly() throws {
        #expect(try merge("", "a\n", "a\n") == clean("a\n"))
        #expect(try merge("", "a\n", "") == clean("a\n"))
        #expect(try merge("", "a\n", "b\n") == conflict("<<<<<<< yours\na\n=======\nb\n>>>>>>> theirs\n"))
    }

    @Test func allTextsMayBeEmpty() throws { #expect(try merge("", "", "") == clean("")) }

    @Test func aTextThatOneSideEmptiedAndTheOtherChangedIsAConflict() throws {
        #expect(try merge("a\n", "", "b\n") == conflict("<<<<<<< yours\n=======\nb\n>>>>>>> theirs\n"))
    }

    @Test func eachSideMayRemoveWhatTheOtherLeft() throws {
        #expect(try merge("a\nm\nb\n", "a\nm\n", "m\nb\n") == clean("m\n"))
    }

    @Test func aMissingLastNewlineIsKeptWhereItWas() throws {
        #expect(try merge("a\nb\nc", "A\nb\nc", "a\nb\nC") == clean("A\nb\nC"))
        #expect(try merge("a\nb\nc\nd", "A\nb\nc\nd", "a\nb\nc\nd\n") == clean("A\nb\nc\nd\n"))
    }

    @Test func sidesThatDifferInTheLastNewlineOnlyAreAConflictOfThatLine() throws {
        #expect(try merge("a", "b", "b\n") == conflict("<<<<<<< yours\nb\n=======\nb\n>>>>>>> theirs\n"))
    }

    @Test func marksBeginLinesWhenSidesHaveNoLastNewline() throws {
        #expect(try merge("a", "b", "c") == conflict("<<<<<<< yours\nb\n=======\nc\n>>>>>>> theirs\n"))
    }

    @Test func carriageReturnsAreKeptAndMarksFollowThem() throws {
        #expect(try merge("a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n", "a\r\nb\r\nC\r\n") == clean("A\r\nb\r\nC\r\n"))
        #expect(
            try merge("a\r\n", "b\r\n", "c\r\n") == conflict("<<<<<<< yours\r\nb\r\n=======\r\nc\r\n>>>>>>> theirs\r\n")
        )
    }

    @Test func otherLineEndsAreAChangeLikeAnyOther() throws {
        #expect(try merge("a\nb\nc\nd\n", "a\r\nb\nc\nd\n", "a\nb\nc\nD\n") == clean("a\r\nb\nc\nD\n"))
    }

    @Test func whatIsNoTextMergesLikeText() throws {
        let base: [UInt8] = [0x00, 0x0A, 0xFF, 0x0A, 0x62, 0x0A, 0xC3, 0x0A]
        let ours: [UInt8] = [0x00, 0x00, 0x0A, 0xFF, 0x0A, 0x62, 0x0A, 0xC3, 0x0A]
        let theirs: [UInt8] = [0x00, 0x0A, 0xFF, 0x0A, 0x62, 0x0A, 0xC3, 0xFE, 0x0A]
        let merged = try TextMerge.merge(
            base: base, ours: ours, theirs: theirs, ourLabel: "", theirLabel: "", by: GitComparison())
        #expect(merged == .clean([0x00, 0x00, 0x0A, 0xFF, 0x0A, 0x62, 0x0A, 0xC3, 0xFE, 0x0A]))
    }

    @Test func aTextThatHoldsMarksIsNotMistakenForAConflict() throws {
        let base = "<<<<<<< yours\na\n=======\nb\n>>>>>>> theirs\n"
        #expect(try merge(base, "new\n" + base, base + "end\n") == clean("new\n" + base + "end\n"))
    }

    @Test func labelsStayOnTheirLine() throws {
        let merged = try TextMerge.merge(
            base: bytes("a"), ours: bytes("b"), theirs: bytes("c"), ourLabel: "x\ny\0z", theirLabel: "",
            by: GitComparison())
        #expect(merged == conflict("<<<<<<< x y z\nb\n=======\nc\n>>>>>>>\n"))
    }

    @Test func aTextAboveTheLimitIsRefused() throws {
        let large = [UInt8](repeating: 0x61, count: TextMerge.byteCountMax + 1)
        for texts in [(large, [], []), ([], large, []), ([], [], large)] as [([UInt8], [UInt8], [UInt8])] {
            #expect(throws: TextMergeError(.tooLarge)) {
                try TextMerge.merge(
                    base: texts.0, ours: texts.1, theirs: texts.2, ourLabel: "", theirLabel: "", by: GitComparison())
            }
        }
    }
}
