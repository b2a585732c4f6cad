// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultAudit

struct VectorFileTests {
    @Test func thereAreVectors() {
        #expect(VectorFolder.names.count >= 25)
    }

    @Test(arguments: VectorFolder.names)
    func everyTestOfTheFilePasses(name: String) throws {
        let result = FileRun.result(path: "\(VectorFolder.path)/\(name)", quick: true)
        #expect(result.problems == [])
        #expect(result.failed == [])
        #expect(result.passed + result.skipped.count == result.numberOfTests)
        #expect(result.skipped.allSatisfy { $0.reason.hasPrefix("--quick") })
        #expect(result.isSuccess)
    }

    /// A runner that accepts everything, or refuses everything, would pass half of this.
    @Test(arguments: VectorFolder.names)
    func noTestPassesWhenAllResultsAreInverted(name: String) throws {
        let inverted = try VectorFolder.text(name)
            .replacing("\"result\": \"valid\"", with: "\"result\": \"?\"")
            .replacing("\"result\": \"invalid\"", with: "\"result\": \"valid\"")
            .replacing("\"result\": \"?\"", with: "\"result\": \"invalid\"")
        let file = try VectorFile(parsing: Array(inverted.utf8))
        // What makes or opens whole vaults takes long: some of each.
        let tests = file.tests.filter {
            !["VaultTest", "ArchiveContentTest"].contains($0.type) || ($0.number ?? 0) % 8 == 1
        }
        #expect(!tests.isEmpty)
        for test in tests {
            if case .passed = Judge.judge(test, quick: true) { Issue.record("test \(test.number ?? 0) passes") }
        }
    }

    @Test(arguments: ["truncated", "badMagic", "unwrap", "mac"])
    func aRefusalAtAnotherStepFails(word: String) throws {
        let altered = try VectorFolder.text("header.json").replacing("\"\(word)\"", with: "\"padding\"")
        let result = FileRun.result(of: Array(altered.utf8), path: "", quick: true)
        #expect(!result.failed.isEmpty)
        #expect(result.failed.allSatisfy { $0.reason.contains("refused at") })
    }

    @Test func theHashIsOfTheBytesThatWereRun() throws {
        let result = FileRun.result(of: [], path: "")
        #expect(result.sha256 == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }
}
