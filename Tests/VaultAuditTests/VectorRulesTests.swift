// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultCrypto

@testable import VaultAudit

/// What Vectors/README.md promises of every file there.
struct VectorRulesTests {
    private func root(_ name: String) throws -> [String: JSONValue] {
        try #require(try JSONDecoder().decode(JSONValue.self, from: Data(VectorFolder.bytes(name))).object)
    }

    @Test(arguments: VectorFolder.names)
    func everyFileNamesItsSource(name: String) throws {
        let root = try root(name)
        for member in ["algorithm", "schema"] { #expect(root[member]?.text?.isEmpty == false, "\(member)") }
        for member in ["name", "url", "note"] {
            #expect(root["source"]?.object?[member]?.text?.isEmpty == false, "source.\(member)")
        }
        #expect(root["header"]?.list?.isEmpty == false)
        let readme = try VectorFolder.text("README.md")
        #expect(readme.contains("| `\(name)` |"))
    }

    @Test(arguments: VectorFolder.names)
    func everyFlagIsExplainedAndUsed(name: String) throws {
        let notes = try #require(try root(name)["notes"]?.object)
        for (flag, note) in notes {
            let note = note.object ?? [:]
            let kind = try #require(note["bugType"]?.text)
            #expect(note["description"]?.text?.isEmpty == false, "\(flag)")
            #expect(kind == "BASIC" || note["effect"]?.text?.isEmpty == false, "\(flag)")
            #expect(note["links"]?.list != nil, "\(flag)")
        }
        let used = try VectorFile(parsing: VectorFolder.bytes(name)).tests.flatMap { $0.fields["flags"]?.list ?? [] }
            .compactMap(\.text)
        #expect(Set(used) == Set(notes.keys))
    }

    @Test(arguments: VectorFolder.names)
    func everyTestSaysWhatItIsAndAnInvalidOneHasOneDefect(name: String) throws {
        let tests = try VectorFile(parsing: VectorFolder.bytes(name)).tests
        #expect(tests.map(\.number) == (1...tests.count).map { $0 })
        for test in tests {
            #expect(test.fields["comment"]?.text?.isEmpty == false)
            let count = test.fields["flags"]?.list?.count ?? 0
            #expect(test.fields["result"] == .text("invalid") ? count == 1 : count > 0, "test \(test.number ?? 0)")
        }
    }

    @Test func theSumsAreOfTheseFiles() throws {
        let lines = try VectorFolder.text("SHA256SUMS").split(separator: "\n").map {
            $0.split(separator: " ").map(String.init)
        }
        #expect(lines.map { $0[1] } == VectorFolder.names)
        for line in lines { #expect(Hexadecimal.encode(try Digest.sha256(VectorFolder.bytes(line[1]))) == line[0]) }
    }
}
