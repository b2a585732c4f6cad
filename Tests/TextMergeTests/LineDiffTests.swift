// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GitComparison
import Testing
import TextMerge
import VaultTesting

struct LineDiffTests {
    private func unified(_ old: String, _ new: String, context: Int = 3) throws -> String {
        String(
            decoding: try LineDiff.unified(
                old: bytes(old), new: bytes(new), oldLabel: "a", newLabel: "b", contextLines: context,
                by: GitComparison()), as: UTF8.self)
    }

    @Test func equalTextsDifferInNothing() throws {
        #expect(try unified("", "") == "")
        #expect(try unified("a\nb", "a\nb") == "")
    }

    @Test func aChangedLineStandsInItsContext() throws {
        #expect(
            try unified("1\n2\n3\n4\n5\n", "1\n2\nx\n4\n5\n")
                == "--- a\n+++ b\n@@ -1,5 +1,5 @@\n 1\n 2\n-3\n+x\n 4\n 5\n")
        #expect(try unified("1\n2\n3\n4\n5\n", "1\n2\nx\n4\n5\n", context: 0) == "--- a\n+++ b\n@@ -3 +3 @@\n-3\n+x\n")
    }

    @Test func anEmptyTextCountsFromZero() throws {
        #expect(try unified("", "a\n") == "--- a\n+++ b\n@@ -0,0 +1 @@\n+a\n")
        #expect(try unified("a\nb\n", "") == "--- a\n+++ b\n@@ -1,2 +0,0 @@\n-a\n-b\n")
    }

    @Test func aMissingLastNewlineIsSaid() throws {
        #expect(try unified("a", "a\n") == "--- a\n+++ b\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n")
        #expect(
            try unified("x\na", "y\na") == "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-x\n+y\n a\n\\ No newline at end of file\n")
    }

    @Test func changesThatStandFarApartAreTwoHunks() throws {
        let old = (1...20).map { "\($0)\n" }.joined()
        let new = old.replacingOccurrences(of: "2\n3\n", with: "2\nx\n").replacingOccurrences(of: "18\n", with: "")
        let hunks = try unified(old, new).split(separator: "\n").filter { $0.hasPrefix("@@") }
        #expect(hunks == ["@@ -1,6 +1,6 @@", "@@ -15,6 +15,5 @@"])
    }

    @Test func contextThatTouchesJoinsHunks() throws {
        let old = (1...20).map { "\($0)\n" }.joined()
        let near = old.replacingOccurrences(of: "\n5\n", with: "\nx\n").replacingOccurrences(
            of: "\n12\n", with: "\ny\n")
        let far = old.replacingOccurrences(of: "\n5\n", with: "\nx\n").replacingOccurrences(of: "\n13\n", with: "\ny\n")
        #expect(try unified(old, near).split(separator: "\n").count { $0.hasPrefix("@@") } == 1)
        #expect(try unified(old, far).split(separator: "\n").count { $0.hasPrefix("@@") } == 2)
    }

    @Test func anyContextIsTaken() throws {
        #expect(try unified("a\nb\n", "a\nc\n", context: Int.max) == "--- a\n+++ b\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n")
        #expect(try unified("a\nb\n", "a\nc\n", context: Int.min) == "--- a\n+++ b\n@@ -2 +2 @@\n-b\n+c\n")
    }

    @Test func labelsStayOnTheirLineAndEndWithATabWhereTheyHoldSpaces() throws {
        let diff = try LineDiff.unified(
            old: [0x61], new: [0x62], oldLabel: "a\nb", newLabel: "c", contextLines: 0, by: GitComparison())
        #expect(String(decoding: diff, as: UTF8.self).hasPrefix("--- a b\t\n+++ c\n@@"))
    }

    @Test func nulAndBrokenTextIsShownLineByLine() throws {
        let diff = try LineDiff.unified(
            old: [0, 0x0A, 0xFF, 0x0A], new: [0, 0x0A, 0xFE, 0x0A], oldLabel: "a", newLabel: "b", by: GitComparison())
        #expect(diff == bytes("--- a\n+++ b\n@@ -1,2 +1,2 @@\n \0\n-") + [0xFF] + bytes("\n+") + [0xFE] + bytes("\n"))
    }

    @Test(arguments: 1...400)
    func theDiffTurnsTheOldTextIntoTheNew(seed: UInt64) throws {
        var texts = TestTexts(seed: seed)
        let old = texts.text(lineCountMax: 30)
        let new = seed % 4 == 0 ? texts.text(lineCountMax: 30) : texts.edited(old)
        for context in 0...4 {
            let diff = try LineDiff.unified(
                old: old, new: new, oldLabel: "a", newLabel: "b", contextLines: context, by: GitComparison())
            #expect(diff.isEmpty == (old == new))
            #expect(try TestPatcher.apply(diff, to: old) == new)
        }
    }

    @Test(arguments: 1...40)
    func theSharedEndsOfLongTextsCountAsLines(seed: UInt64) throws {
        var texts = TestTexts(seed: seed)
        let (head, tail) = ((0..<300).flatMap { bytes("h\($0)\n") }, (0..<300).flatMap { bytes("\nt\($0)") })
        let old = texts.text(lineCountMax: 30)
        let (first, second) = (head + old + tail, head + texts.edited(old) + tail)
        let diff = try LineDiff.unified(
            old: first, new: second, oldLabel: "a", newLabel: "b", contextLines: texts.number(below: 200),
            by: GitComparison())
        #expect(try TestPatcher.apply(diff, to: first) == second)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/patch")), arguments: 1...12)
    func patchItselfTakesTheDiff(seed: UInt64) throws {
        var texts = TestTexts(seed: seed)
        let old = bytes("first\n") + texts.text(lineCountMax: 30)
        let new = bytes("first\n") + texts.edited(Array(old.dropFirst(6)))
        let folder = TemporaryFolder()
        let (file, change) = (folder.file("note"), folder.file("change"))
        try Data(old).write(to: file)
        try Data(
            try LineDiff.unified(old: old, new: new, oldLabel: "my note", newLabel: "my note", by: GitComparison())
        ).write(to: change)
        let patch = Process()
        patch.executableURL = URL(fileURLWithPath: "/usr/bin/patch")
        patch.arguments = ["--quiet", "--binary", "--fuzz=0", file.path, change.path]
        try patch.run()
        patch.waitUntilExit()
        #expect(old == new || patch.terminationStatus == 0)
        #expect(try Data(contentsOf: file) == Data(new))
    }
}
