// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// What became of one attempt of `confinement-attempts`.
enum AttemptOutcome: Equatable {
    case signal(Int32)
    case returned(Int, errno: Int32)
    case notConfined
}

/// Runs the built `confinement-attempts`, which lies beside the test bundle.
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

    /// - Parameter mode: `free`, `one`, `many` or `unavailable`.
    init(_ name: String, mode: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "attempts-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
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
        let process = Process()
        let output = Pipe()
        process.executableURL = executable
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text.split(separator: "\n"))
    }

    private static var executable: URL {
        let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
            path: "confinement-attempts")
        if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
        // Tests/ConfinementTests/AttemptRun.swift is three steps below the package.
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return package.appending(path: ".build/debug/confinement-attempts")
    }
}
