// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// A threat that is called mitigated names tests that are there.
struct ThreatTests {
    private struct Threat: Decodable {
        let id: String
        let status: String
        let tests: [String]?
        let residual: String?
    }
    private struct Model: Decodable { let threats: [Threat] }

    private let threats: [Threat] = {
        let file = SourceTree.root.appending(path: "ThreatModel/threats.json")
        return try! JSONDecoder().decode(Model.self, from: Data(contentsOf: file)).threats
    }()

    /// Names of all test functions, as they are written after `func`.
    private func testNames() throws -> [String] {
        try SourceTree.files("Tests", endings: [".swift"]).flatMap { file in
            file.text.split(separator: "func ").dropFirst().map { String($0.prefix { $0 != "(" }) }
        }
    }

    @Test func everyMitigatedThreatHasATest() throws {
        let names = try testNames()
        for threat in threats where threat.status == "mitigated" {
            let wanted = threat.tests ?? []
            #expect(!wanted.isEmpty, "\(threat.id) names no test")
            for name in wanted { #expect(names.contains { $0.contains(name) }, "\(threat.id): no test is called \(name)") }
        }
    }

    @Test func everyAcceptedThreatSaysWhatRemains() {
        for threat in threats where threat.status == "accepted" { #expect((threat.residual ?? "").count > 40, "\(threat.id)") }
    }
}
