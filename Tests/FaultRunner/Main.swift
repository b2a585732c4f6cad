// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CFaults
import Foundation
import SecretMemory
import VaultCore
import VaultCrypto
import VaultFormat

/// Lets each step of each job fail, and looks what is left: `vault-faults [--seconds N] [JOB…]`; with `--power` replays what a power cut may leave.
///
/// With a time, every k-th step is taken, so that the whole range is walked. Exit code 1 when something was lost, or nothing was injected.
@main
enum FaultRunner {
    private static let kinds: [(name: String, number: Int32)] = [
        ("error", Int32(CF_ERROR)), ("full disk", Int32(CF_FULL)), ("short write", Int32(CF_SHORT)), ("kill", Int32(CF_KILL)),
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
        let jobs = words.isEmpty ? FaultJob.allCases : words.compactMap { FaultJob(rawValue: $0) }
        let root = FileManager.default.temporaryDirectory.appending(path: "vault-faults-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let trials = try Trials(root)
        var lost = 0
        var injected = 0
        for job in jobs {
            let tally = try trials.run(job, kinds: kinds, seconds: seconds.map { $0 / Double(jobs.count) })
            print("\(job.rawValue): \(tally.steps) steps, \(tally.injected) faults injected, \(tally.survived) survived")
            for failure in tally.failures.prefix(10) { print("  lost: \(failure)") }
            lost += tally.injected - tally.survived
            injected += tally.injected
        }
        print("all: \(injected) faults injected, \(injected - lost) survived")
        // `exit` would skip what is to be removed.
        if lost > 0 || injected == 0 {
            try? FileManager.default.removeItem(at: root)
            exit(1)
        }
    }

    private static func power(_ seconds: Double?) throws {
        let shared = "/dev/shm"
        let above = FileManager.default.isWritableFile(atPath: shared) ? URL(filePath: shared) : FileManager.default.temporaryDirectory
        let root = above.appending(path: "vault-power-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var lost = 0
        var states = 0
        for (number, load) in PowerLoad.all.enumerated() {
            let trials = try PowerTrials(root.appending(path: String(number)), load)
            let tally = try trials.run(seconds: seconds.map { $0 / Double(PowerLoad.all.count) })
            print("\(load.name): \(tally.calls) calls, \(tally.states) states, \(tally.survived) survived")
            for failure in tally.failures.prefix(10) { print("  lost: \(failure)") }
            lost += tally.states - tally.survived
            states += tally.states
        }
        print("all: \(states) states of a power cut, \(states - lost) survived")
        if lost > 0 || states == 0 {
            try? FileManager.default.removeItem(at: root)
            exit(1)
        }
    }
}
