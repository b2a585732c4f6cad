// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Foundation
import Testing
import VaultTesting

@testable import VaultAgent
@testable import VaultCore

/// The damaged vaults of Vectors/vaults.json name our code's error and the programs' exit code; vault-audit looks at
/// the error alone.
struct FixtureExitCodeTests {
    private struct Test: Decodable {
        let tcId: Int
        let stage, error: String?
        let exitCode: UInt8?
    }
    private struct Group: Decodable { let tests: [Test] }
    private struct File: Decodable { let testGroups: [Group] }

    @Test func everyErrorHasItsExitCode() throws {
        let data = try Data(contentsOf: Repository.root.appending(path: "Vectors/vaults.json"))
        let tests = try JSONDecoder().decode(File.self, from: data).testGroups.flatMap(\.tests).filter {
            $0.stage != nil
        }
        #expect(tests.count > 80)
        for test in tests {
            let error = try #require(test.error)
            let kind = VaultError.Code.Kind.allCases.first { "\($0)" == error }
            if let kind {
                #expect(
                    VaultError(VaultError.Code(kind: kind)).outcome.code.rawValue == test.exitCode, "test \(test.tcId)")
            } else {
                // What a check found: it names problems and ends with the code for damage.
                #expect(
                    error.split(separator: " ").allSatisfy { CheckProblem.Kind(rawValue: String($0)) != nil },
                    "test \(test.tcId)")
                #expect(test.stage == "check" && test.exitCode == ExitCode.integrity.rawValue, "test \(test.tcId)")
            }
        }
    }
}
