// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultTesting

/// What became of one attempt of `sandbox-attempts`.
enum AttemptOutcome: Equatable {
    case signal(Int32)
    case returned(Int, errno: Int32)
    case notConfined
}

/// Runs the built `sandbox-attempts`.
struct AttemptRun {
    /// The names of all attempts, and whether each succeeds in every unconfined process.
    static let names: [(name: String, succeedsUnconfined: Bool)] = {
        let lines = (try? run(["names"]))?.output ?? []
        return lines.map { line in
            let words = line.split(separator: " ")
            return (name: String(words[0]), succeedsUnconfined: words.last == "1")
        }
    }()

    let outcomes: [String: AttemptOutcome]

    /// - Parameter mode: `free`, `one`, `many`, `folder`, `network`, `fetch` or `unavailable`.
    init(_ name: String, mode: String) throws {
        let folder = TemporaryFolder()
        let (exitCode, lines) = try Self.run([name, mode, folder.path])
        try #require(exitCode == 0)
        let outcomes = lines.compactMap { line -> (String, AttemptOutcome)? in
            let words = line.split(separator: " ")
            return Self.outcome(words).map { (String(words[0]), $0) }
        }
        self.outcomes = Dictionary(outcomes) { first, _ in first }
        try #require(outcomes.count == lines.count, "each attempt has one line")
    }

    private static func outcome(_ words: [Substring]) -> AttemptOutcome? {
        if words.count == 3, words[1] == "signal" { return Int32(words[2]).map { .signal($0) } }
        if words.count == 3, words[1...] == ["not", "confined"] { return .notConfined }
        guard words.count == 5, words[1] == "returned", let value = Int(words[2]), let errno = Int32(words[4]) else {
            return nil
        }
        return .returned(value, errno: errno)
    }

    private static func run(_ arguments: [String]) throws -> (exitCode: Int32, output: [Substring]) {
        let run = try ProgramRun(Repository.program("sandbox-attempts"), arguments)
        return (run.exitCode, run.text.split(separator: "\n"))
    }
}
