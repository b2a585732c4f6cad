// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import TextMerge

struct FieldMergeTests {
    @Test func theChangedValueWins() {
        #expect(FieldMerge.value(base: 1, ours: 2, theirs: 1) == (2, isConflict: false))
        #expect(FieldMerge.value(base: 1, ours: 1, theirs: 3) == (3, isConflict: false))
        #expect(FieldMerge.value(base: 1, ours: 1, theirs: 1) == (1, isConflict: false))
        #expect(FieldMerge.value(base: 1, ours: 2, theirs: 2) == (2, isConflict: false))
    }

    @Test func twoChangesOfAValueAreAConflictAndOursStands() {
        #expect(FieldMerge.value(base: "a", ours: "b", theirs: "c") == ("b", isConflict: true))
        #expect(FieldMerge.value(base: nil, ours: "b", theirs: "c") == ("b", isConflict: true))
    }

    @Test func additionsOfBothSidesAreKept() {
        #expect(FieldMerge.list(base: ["a"], ours: ["a", "x"], theirs: ["y", "a"]) == ["a", "x", "y"])
    }

    @Test func removalsOfBothSidesAreKept() {
        #expect(FieldMerge.list(base: ["a", "b", "c"], ours: ["b", "c"], theirs: ["a", "b"]) == ["b"])
    }

    @Test func whatBothAddedStandsOnce() {
        #expect(FieldMerge.list(base: [], ours: ["x", "y"], theirs: ["y", "z"]) == ["x", "y", "z"])
    }

    @Test func whatOneSideRemovedAndTheOtherLeftIsGone() {
        #expect(FieldMerge.list(base: ["a", "b"], ours: ["b"], theirs: ["a", "b", "c"]) == ["b", "c"])
        #expect(FieldMerge.list(base: ["a", "b"], ours: ["a", "b", "c"], theirs: ["b"]) == ["b", "c"])
    }

    @Test func anUnchangedSideGivesTheOtherInItsOrder() {
        #expect(FieldMerge.list(base: ["a", "b"], ours: ["a", "b"], theirs: ["b", "a"]) == ["b", "a"])
        #expect(FieldMerge.list(base: ["a", "b"], ours: ["b", "a"], theirs: ["a", "b"]) == ["b", "a"])
    }

    @Test(arguments: 1...200)
    func aListHoldsWhatTheSetsSay(seed: UInt64) {
        var texts = TestTexts(seed: seed)
        let names = ["a", "b", "c", "d", "e", "f"]
        let (base, ours, theirs) = (
            names.filter { _ in texts.number(below: 2) == 0 }, names.filter { _ in texts.number(below: 2) == 0 },
            names.filter { _ in texts.number(below: 2) == 0 }
        )
        let merged = FieldMerge.list(base: base, ours: ours, theirs: theirs)
        for name in names {
            let (was, our, their) = (base.contains(name), ours.contains(name), theirs.contains(name))
            #expect(merged.contains(name) == (was ? our && their : our || their))
        }
        #expect(Set(merged).count == merged.count)
        #expect(Set(merged) == Set(FieldMerge.list(base: base, ours: theirs, theirs: ours)))
    }
}
