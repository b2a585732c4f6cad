// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// The threat model says what is so: a threat that is called mitigated has tests, and a test that carries a threat's
/// identifier has its threat.
struct ThreatTests {
    private func names() throws -> Set<String> {
        Set(try SourceTree.files("Tests", endings: [".swift"]).flatMap { ThreatRules.testNames(in: $0.text) })
    }

    @Test func threatsAndTestsNameEachOther() throws {
        let found = ThreatRules.problems(try ThreatModel.read().threats, names: try names())
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    @Test func thePageAndItsDrawingsAreMadeOfTheModel() throws {
        let check = try Script.run("ThreatModel/generate.py", ["--check"])
        #expect(check.status == 0, "\(check.output)")
    }

    /// A model that breaks one rule, and what has to be said about it.
    struct Broken: Sendable, CustomTestStringConvertible {
        var id = "A01"
        var status = "mitigated"
        var tests = ["A01"]
        var residual = ""
        let problem: String
        var testDescription: String { problem }
    }

    @Test(arguments: [
        Broken(tests: [], problem: "mitigated, and names no test"),
        Broken(id: "A02", tests: ["A02"], problem: "no test is called A02"),
        Broken(tests: ["A01", "aTestThatIsGone"], problem: "no test is called aTestThatIsGone"),
        Broken(status: "accepted", residual: "Too short.", problem: "accepted, and does not say what that means"),
        Broken(status: "out of scope", problem: "out of scope, and does not say what that means"),
        Broken(status: "later", problem: "no status is called later"),
        Broken(tests: ["aPlainClaim"], problem: "does not name the tests"),
        Broken(id: "A03", tests: ["aPlainClaim"], problem: "no threat is called A01"),
    ])
    func aBrokenModelIsRefused(broken: Broken) {
        let threat = ThreatModel.Threat(
            id: broken.id, status: broken.status, tests: broken.tests, residual: broken.residual)
        let found = ThreatRules.problems([threat], names: ["A01aFlippedBit", "aPlainClaim"])
        #expect(found.contains { $0.contains(broken.problem) }, "\(found)")
    }

    @Test func aModelInOrderIsTaken() {
        let words = String(repeating: "word ", count: 9)
        let threats = [
            ThreatModel.Threat(id: "A01", status: "mitigated", tests: ["A01", "aPlainClaim"], residual: ""),
            ThreatModel.Threat(id: "X07", status: "accepted", tests: [], residual: words),
        ]
        #expect(ThreatRules.problems(threats, names: ["A01aFlippedBit", "aPlainClaim"]).isEmpty)
    }

    @Test func identifiersAreFoundWhereTheyStand() {
        #expect(ThreatRules.tokens("A02A03twoObjects") == ["A02", "A03"])
        #expect(ThreatRules.tokens("everyB01cost") == ["B01"])
        #expect(ThreatRules.tokens("X04") == ["X04"])
        #expect(ThreatRules.tokens("M01J21A01eachByte") == ["M01", "J21", "A01"])
        #expect(ThreatRules.tokens("theX25519Key").isEmpty)
        #expect(ThreatRules.tokens("row56emptied").isEmpty)
        #expect(ThreatRules.tokens("SHA512C2SP").isEmpty)
        #expect(
            ThreatRules.testNames(
                in: "@Test(arguments: [1])\n func A01one(n: Int) {}\nfunc helper() {} @Test func `two`() {}") == [
                    "A01one", "two",
                ])
    }
}
