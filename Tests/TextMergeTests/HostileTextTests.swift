// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import COfflineGit2
import GitComparison
import Testing
import TextMerge

/// Texts made to take long or to take much; each must end soon even in a build without optimisation.
struct HostileTextTests {
    private let limit = Duration.seconds(60)

    private func compareAll(_ old: [UInt8], _ new: [UInt8]) throws -> [UInt8] {
        var diff: [UInt8] = []
        let time = try ContinuousClock().measure {
            diff = try LineDiff.unified(
                old: old, new: new, oldLabel: "a", newLabel: "b", contextLines: 1, by: GitComparison())
            let pieces = try WordDiff.hunks(old: old, new: new, contextLines: 1, by: GitComparison()).flatMap { $0 }
            let removed = pieces.reduce(0) { $0 + ($1.kind == .removed ? $1.text.count : 0) }
            let added = pieces.reduce(0) { $0 + ($1.kind == .added ? $1.text.count : 0) }
            #expect(added - removed == new.count - old.count)
            _ = try TextMerge.merge(
                base: old, ours: new, theirs: old + bytes("\nthe end\n"), ourLabel: "", theirLabel: "",
                by: GitComparison())
        }
        #expect(time < limit)
        return diff
    }

    @Test func aMebibyteOfOneLineRepeated() throws {
        let old = [UInt8](repeating: 0x0A, count: 1 << 20).enumerated().map { $0.offset % 2 == 0 ? 0x61 : $0.element }
        let new = Array(old[..<400_000]) + bytes("new\n") + Array(old[400_002...])
        let diff = try compareAll(old, new)
        #expect(diff == bytes("--- a\n+++ b\n@@ -200000,3 +200000,3 @@\n a\n-a\n+new\n a\n"))
    }

    @Test func aMebibyteOfNewlines() throws {
        let old = [UInt8](repeating: 0x0A, count: 1 << 20)
        #expect(try TestTexts.lines(compareAll(old, old + [0x0A])).last == [0x2B, 0x0A])
    }

    @Test func aMebibyteWithoutNewline() throws {
        let letters = bytes("abcdefghijklmnopqrstuvwxyz")
        let old = (0..<(1 << 20)).map { $0 % 7 == 0 ? 0x20 : letters[$0 % 26] }
        var new = old
        new[500_000] = 0x21
        let diff = try compareAll(old, new)
        #expect(diff.count > 2 << 20)
        let pieces = try #require(try WordDiff.hunks(old: old, new: new, by: GitComparison()).first)
        let changed = pieces.filter { $0.kind != .same }.flatMap { $0.text }
        #expect(changed.count < 20)
    }

    /// xdiff's hash of a line is `hash * 33 ^ byte`: at each place there are two pairs of letters that lead to one
    /// hash.
    @Test func linesOfOneHashInTheLibraryCostNoMore() throws {
        func hash(_ line: [UInt8], from start: UInt64 = 5381) -> UInt64 {
            line.reduce(start) { ($0 &* 33) ^ UInt64($1) }
        }
        let letters = Array(UInt8(ascii: "A")...UInt8(ascii: "z"))
        var blocks: [([UInt8], [UInt8])] = []
        var state: UInt64 = 5381
        for _ in 0..<16 {
            var seen: [UInt64: [UInt8]] = [:]
            search: for first in letters {
                for second in letters {
                    let result = hash([first, second], from: state)
                    if let other = seen[result] {
                        blocks.append((other, [first, second]))
                        state = result
                        break search
                    }
                    seen[result] = [first, second]
                }
            }
        }
        func line(_ number: Int) -> [UInt8] {
            blocks.indices.flatMap { number >> $0 & 1 == 0 ? blocks[$0].0 : blocks[$0].1 } + [0x0A]
        }
        let old = (0..<30_000).map(line)
        let new = (30_000..<60_000).map(line)
        #expect(blocks.count == 16 && hash(old[0]) == hash(old[1]) && hash(old[0]) == hash(new[29_999]))
        _ = try compareAll(old.flatMap { $0 }, new.flatMap { $0 })
    }

    @Test func linesInReverseOrder() throws {
        let lines = (0..<30_000).map { bytes("\($0)\n") }
        let old = lines.flatMap { $0 }
        let new = lines.reversed().flatMap { $0 }
        #expect(try TestPatcher.apply(compareAll(old, new), to: old) == new)
    }

    @Test func randomLinesOfTwoKinds() throws {
        var texts = TestTexts(seed: 5)
        let old = (0..<30_000).flatMap { _ in bytes(texts.number(below: 2) == 0 ? "a\n" : "b\n") }
        let new = (0..<30_000).flatMap { _ in bytes(texts.number(below: 2) == 0 ? "a\n" : "b\n") }
        #expect(try TestPatcher.apply(compareAll(old, new), to: old) == new)
    }

    @Test func moreLinesThanAreComparedAreOneChange() throws {
        let old = (0..<600_000).map { UInt8($0 % 2 == 0 ? 0x61 : 0x0A) }
        let new = (0..<600_000).map { UInt8($0 % 2 == 0 ? 0x62 : 0x0A) }
        let diff = try compareAll(old, new)
        #expect(diff.starts(with: bytes("--- a\n+++ b\n@@ -1,300000 +1,300000 @@\n-a\n-a\n")))
        let merged = try TextMerge.merge(
            base: old, ours: new, theirs: old + [0x63], ourLabel: "", theirLabel: "", by: GitComparison())
        #expect(
            merged == .conflict(marked: bytes("<<<<<<<\n") + new + bytes("=======\n") + old + bytes("c\n>>>>>>>\n")))
    }

    @Test func aWholeTextOfContinuationBytes() throws {
        _ = try compareAll([UInt8](repeating: 0x80, count: 200_000), [UInt8](repeating: 0xBF, count: 200_001))
    }

    @Test func theLibraryReadsNoCertificates() throws {
        _ = try LineDiff.unified(old: [0x61], new: [0x62], oldLabel: "a", newLabel: "b", by: GitComparison())
        #expect(offline_git2_refusals() > 0)
    }
}
