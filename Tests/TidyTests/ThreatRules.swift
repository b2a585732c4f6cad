// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation

/// What holds between the threats and the names of the tests, as a function, so that the rules themselves can be seen
/// to fail.
enum ThreatRules {
    /// What is wrong with `threats` if the tests are called `names`; empty when nothing is.
    static func problems(_ threats: [ThreatModel.Threat], names: Set<String>) -> [String] {
        let tokens = names.reduce(into: [String: [String]]()) { found, name in
            for token in Self.tokens(name) { found[token, default: []].append(name) }
        }
        let known = Set(threats.map(\.id))
        let unknown = tokens.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }
        return threats.flatMap { problems(of: $0, names: names, tokens: tokens) }
            + unknown.map { "\($0.value.sorted().first ?? ""): no threat is called \($0.key)" }
    }

    private static func problems(of threat: ThreatModel.Threat, names: Set<String>, tokens: [String: [String]])
        -> [String]
    {
        var found: [String] = []
        for wanted in threat.tests where tokens[wanted] == nil && !names.contains(wanted) {
            found.append("\(threat.id): no test is called \(wanted)")
        }
        if tokens[threat.id] != nil && !threat.tests.contains(threat.id) {
            found.append("\(threat.id): does not name the tests that carry its identifier")
        }
        switch threat.status {
        case "mitigated":
            if threat.tests.isEmpty { found.append("\(threat.id): mitigated, and names no test") }
        case "accepted", "out of scope":
            if threat.residual.count <= 40 {
                found.append("\(threat.id): \(threat.status), and does not say what that means")
            }
        default: found.append("\(threat.id): no status is called \(threat.status)")
        }
        return found
    }

    /// Identifiers of threats in a test's name: a letter and two digits at its beginning, behind a lower-case letter,
    /// or behind another one.
    static func tokens(_ name: String) -> [String] {
        let bytes = Array(name.utf8)
        var found: [String] = []
        var (at, isFree) = (0, true)
        while at < bytes.count {
            if isFree, at + 2 < bytes.count, isToken(bytes[at..<at + 3]),
                at + 3 == bytes.count || !isDigit(bytes[at + 3])
            {
                found.append(String(decoding: bytes[at..<at + 3], as: UTF8.self))
                at += 3
            } else {
                isFree = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[at]) || bytes[at] == UInt8(ascii: "_")
                at += 1
            }
        }
        return found
    }

    private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, bytes.dropFirst().allSatisfy(isDigit) else { return false }
        return (UInt8(ascii: "A")...UInt8(ascii: "J")).contains(first) || first == UInt8(ascii: "M")
            || first == UInt8(ascii: "X")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Names of the test functions in a file: what stands behind `func` after each `@Test`.
    static func testNames(in text: String) -> [String] {
        text.components(separatedBy: "@Test").dropFirst().compactMap { part in
            guard let start = part.range(of: "func ") else { return nil }
            let name = part[start.upperBound...].drop { $0 == "`" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            return name.isEmpty ? nil : String(name)
        }
    }
}
