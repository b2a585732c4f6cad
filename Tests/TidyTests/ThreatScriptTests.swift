// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// The two scripts of the threat model refuse what they have to.
final class ThreatScriptTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "threats-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder.appending(path: "tests"), withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The table of requests is written from the sources.
    @Test func theProtocolsPageListsTheOperationsAsTheSourcesHaveThem() throws {
        let run = try Script.run("Scripts/operations.py", ["--check"])
        #expect(run.status == 0, "\(run.output)")
    }

    private func write(_ name: String, _ text: String) throws -> String {
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    private struct Report: Decodable {
        let name: String
        let ok: Bool
        let failures: [String]
    }

    /// Runs `threat_tests.py` on a log against three threats: A01 and B01 mitigated, D05 accepted.
    private func judge(_ log: String) throws -> (status: Int32, output: String, report: Report) {
        let threats = [("A01", "mitigated"), ("B01", "mitigated"), ("D05", "accepted")].map {
            "{\"id\":\"\($0.0)\",\"status\":\"\($0.1)\",\"tests\":[\"\($0.0)\"]}"
        }
        let model = try write("model.json", "{\"threats\":[\(threats.joined(separator: ","))]}")
        _ = try write(
            "tests/Some.swift",
            "@Test func A01aFlippedBit() {}\n@Test(arguments: [1]) func B01costs(n: Int) {}\n@Test func A01another() {}"
        )
        let output = folder.appending(path: "out.json").path
        let arguments = [
            try write("log", log), "--model", model, "--tests", folder.appending(path: "tests").path, "--output",
            output,
        ]
        let run = try Script.run("Scripts/threat_tests.py", arguments)
        let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(fileURLWithPath: output)))
        return (run.status, run.output, report)
    }

    private let passed = """
        ◇ Test A01aFlippedBit() started.
        ✔ Test A01aFlippedBit() passed after 0.010 seconds.
        ✔ Test B01costs(n:) with 3 test cases passed after 0.010 seconds.

        """

    @Test func aLogInWhichEveryRowPassedIsTaken() throws {
        let run = try judge(passed)
        #expect(run.status == 0, "\(run.output)")
        #expect(run.report.ok && run.report.name == "threats" && run.report.failures.isEmpty)
    }

    @Test func aFailureIsSeenBesideOthersThatPassed() throws {
        let run = try judge(passed + "✘ Test A01another() failed after 0.010 seconds with 1 issue.\n")
        #expect(run.status == 1)
        #expect(run.report.failures == ["A01: 1 tests passed, 1 failed, 0 did not run"])
    }

    @Test func whatPassedAloneCountsAsPassed() throws {
        let again = "== once more, alone\n✔ Test A01another() passed after 0.010 seconds.\n"
        let run = try judge(passed + "✘ Test A01another() failed after 0.010 seconds with 1 issue.\n" + again)
        #expect(run.status == 0, "\(run.output)")
    }

    @Test func aRowWhoseTestsDidNotRunIsNoRowThatPassed() throws {
        let run = try judge(
            "✔ Test B01costs(n:) with 3 test cases passed after 0.010 seconds.\n➜ Test A01aFlippedBit() skipped.\n")
        #expect(run.status == 1)
        #expect(run.report.failures == ["A01: 0 tests passed, 0 failed, 2 did not run"])
    }

    @Test(arguments: [
        ("\"adversary\": \"Eve\"", "\"adversary\": \"Mallory\"", "unknown adversary"),
        ("\"status\": \"accepted\"", "\"status\": \"later\"", "unknown status"),
        ("\"promise\": 1,", "\"promise\": 99,", "unknown promise"),
        ("\"Linking\"", "\"Linkage\"", "linddun"),
        ("\"id\": \"A02\"", "\"id\": \"A01\"", "no identifier of this model"),
        ("\"symbolic_name\": \"a02\"", "\"symbolic_name\": \"a01\"", "is there twice"),
        ("\"trust_zone\": \"client\"", "\"trust_zone\": \"nowhere\"", "no zone is called"),
        ("\"D05\"", "\"D99\"", "no threat is called D05"),
        ("\"residual\": \"Accepted: ", "\"residual\": \"No.\", \"source\": \"", "does not say what that means"),
    ])
    func aBrokenModelIsNotDrawn(text: String, other: String, problem: String) throws {
        let file = SourceTree.root.appending(path: "ThreatModel/threats.json")
        let model = try String(contentsOf: file, encoding: .utf8)
        let range = try #require(model.range(of: text), "the model does not hold \(text)")
        let broken = try write("threats.json", model.replacingCharacters(in: range, with: other))
        let run = try Script.run("ThreatModel/generate.py", ["--check", "--model", broken])
        #expect(run.status == 1)
        #expect(run.output.contains(problem), "\(run.output)")
    }
}
