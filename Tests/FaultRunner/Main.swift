// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CFaults
import Foundation
import SecretMemory
import VaultCore
import VaultCrypto
import VaultFormat

/// Lets each step of each job fail, and looks what is left: `vault-faults [--seconds N] [JOB…]`; with `--power` replays
/// what a power cut may leave.
///
/// With a time, every k-th step is taken, so that the whole range is walked. Exit code 1 when something was lost, or
/// nothing was injected.
@main
enum FaultRunner {
    private static let kinds: [(name: String, number: Int32)] = [
        ("error", Int32(CF_ERROR)), ("full disk", Int32(CF_FULL)), ("short write", Int32(CF_SHORT)),
        ("kill", Int32(CF_KILL)),
        ("kill after", Int32(CF_KILL_AFTER)),
    ]

    static func main() throws {
        var words = Array(CommandLine.arguments.dropFirst())
        var seconds: Double?
        if let at = words.firstIndex(of: "--seconds"), at + 1 < words.count {
            seconds = Double(words[at + 1])
            words.removeSubrange(at...(at + 1))
        }
        if words == ["--power"] { return try power(seconds) }
        if words == ["--rename"] { return try rename() }
        let jobs = words.isEmpty ? FaultJob.allCases : words.compactMap { FaultJob(rawValue: $0) }
        try run(below: FileManager.default.temporaryDirectory, "faults injected") { root in
            let trials = try Trials(root)
            return try jobs.map { job in
                let tally = try trials.run(job, kinds: kinds, seconds: seconds.map { $0 / Double(jobs.count) })
                tally.say(job.rawValue, steps: "steps", tried: "faults injected")
                return tally
            }
        }
    }

    private static func rename() throws {
        try run(below: FileManager.default.temporaryDirectory, "renamings") { root in
            let tally = try RenameTrials(root).run()
            tally.say("rename", steps: "ways", tried: "renamings")
            return [tally]
        }
    }

    private static func power(_ seconds: Double?) throws {
        let shared = "/dev/shm"
        let above =
            FileManager.default.isWritableFile(atPath: shared)
            ? URL(filePath: shared) : FileManager.default.temporaryDirectory
        try run(below: above, "states of a power cut") { root in
            try PowerLoad.all.enumerated().map { number, load in
                let trials = try PowerTrials(root.appending(path: String(number)), load)
                let tally = try trials.run(seconds: seconds.map { $0 / Double(PowerLoad.all.count) })
                tally.say(load.name, steps: "calls", tried: "states")
                return tally
            }
        }
    }

    /// Gives the trials a folder of their own and ends with 1 when something was lost, or nothing tried.
    private static func run(below folder: URL, _ tried: String, _ trials: (URL) throws -> [Tally]) throws {
        let root = folder.appending(path: "vault-faults-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        try FileManager.default.createDirectory(
            at: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let tallies = try trials(root)
        let (all, survived) = (tallies.reduce(0) { $0 + $1.tried }, tallies.reduce(0) { $0 + $1.survived })
        print("all: \(all) \(tried), \(survived) survived")
        // `exit` would skip what is to be removed.
        if survived < all || all == 0 {
            try? FileManager.default.removeItem(at: root)
            exit(1)
        }
    }
}
