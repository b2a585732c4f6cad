// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultAudit

struct FileRunTests {
    private let good = #"{"tcId": 1, "flags": [], "size": 257, "paddedSize": 272, "result": "valid"}"#

    private func result(_ file: [UInt8], quick: Bool = false) -> FileResult {
        FileRun.result(of: file, path: "", quick: quick)
    }

    @Test func aFileThatIsRightPasses() {
        #expect(result(VectorFolder.file(test: good)).isSuccess)
    }

    @Test(arguments: [0, 2, -1, Int.max])
    func aWrongCountFails(count: Int) {
        let result = result(VectorFolder.file(test: good, count: count))
        #expect(result.passed == 1 && !result.isSuccess)
        #expect(result.problems == ["numberOfTests is \(count), but 1 are there"])
    }

    @Test func anAlteredExpectationFails() {
        let result = result(VectorFolder.file(test: good.replacing("272", with: "273")))
        #expect(result.failed.map(\.tcId) == [1])
        #expect(result.failed.first?.reason == "valid, but its outcome differs: paddedSize")
    }

    @Test func anUnknownTypeIsSkippedAndNamed() {
        let result = result(VectorFolder.file(type: "RsaTest", test: good))
        #expect(result.skipped == [.init(tcId: 1, reason: "no test of ours is called \"RsaTest\"")])
    }

    @Test func aFileOfWhichNothingRunsFails() {
        for file in [VectorFolder.file(type: "RsaTest", test: good), VectorFolder.file(test: "", count: 0)] {
            #expect(result(file).problems == ["nothing ran"])
            #expect(!result(file).isSuccess)
        }
    }

    @Test(arguments: ["", "{", "[]", "7", #"{"numberOfTests": 0}"#, #"{"numberOfTests": 1, "testGroups": [{}]}"#])
    func whatIsNoFileOfVectorsFails(text: String) {
        #expect(!result(Array(text.utf8)).isSuccess)
    }

    @Test(arguments: [
        #"{"tcId": 1, "result": "valid"}"#, #"{"tcId": 1, "size": "257", "result": "valid"}"#,
        #"{"tcId": 1, "size": 1.5, "result": "valid"}"#,
        #"{"tcId": 1, "size": 257, "paddedSize": 272}"#,
        #"{"tcId": 1, "size": 257, "paddedSize": 272, "result": "perhaps"}"#, "7",
    ])
    func aTestWithoutItsFieldsFails(test: String) {
        #expect(result(VectorFolder.file(test: test)).failed.count == 1)
    }

    @Test func aFlagThatIsNotExplainedFails() {
        let test = good.replacing("[]", with: #"["Odd"]"#)
        #expect(!result(VectorFolder.file(test: test)).isSuccess)
        #expect(result(VectorFolder.file(test: test, notes: #"{"Odd": {}}"#)).isSuccess)
    }

    @Test func twoTestsOfOneNumberFail() {
        #expect(!result(VectorFolder.file(test: "\(good), \(good)", count: 2)).isSuccess)
    }

    @Test func quickLeavesOutLongTestsAndSaysSo() {
        let long = #"{"tcId": 1, "iterations": 100001, "hash": "", "result": "valid"}"#
        let skipped = result(VectorFolder.file(type: "AccumulatedTest", test: long), quick: true).skipped
        #expect(skipped == [.init(tcId: 1, reason: "--quick: 100001 iterations")])
    }

    @Test func namesFromAFileDoNotReachTheTerminalAsTheyAre() {
        let result = result(VectorFolder.file(type: #"\u001b[2J"#, test: good))
        #expect(result.skipped.first?.reason == #"no test of ours is called "\x1b[2J""#)
    }
}
