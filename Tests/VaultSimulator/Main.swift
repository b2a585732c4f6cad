// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSeededMachine
import Foundation
import Glibc

/// Devices with real vaults, a faulty store and the time, in one process and from one seed:
///
///     vault-simulator [STEPS [SEED]]           STEPS steps from SEED on; exit code 1 at a failure
///     vault-simulator run SEED [WEATHER]       one run
///     vault-simulator sweep RUNS [SEED]        each weather so many times: the seeds that fail
///     vault-simulator trace SEED WEATHER [TRIES]
///                                              what happens in a run that fails, made smaller in so many tries
@main
enum VaultSimulator {
    static func main() throws {
        // The order of sets is chance too, and nobody else can be told of it.
        if unsafe getenv(hashing) == nil { try again() }
        let words = Array(CommandLine.arguments.dropFirst())
        let campaign = try Campaign()
        let failure: Campaign.Failure?
        switch words.first {
        case "run": failure = try run(campaign, Array(words.dropFirst()))
        case "sweep": failure = try sweep(campaign, words.dropFirst().compactMap { UInt64($0) })
        case "trace": failure = try trace(campaign, Array(words.dropFirst()))
        default: failure = try search(campaign, words)
        }
        campaign.end()
        guard let failure else { return }
        print(failure)
        exit(1)
    }

    private static let hashing = "SWIFT_DETERMINISTIC_HASHING"

    private static func again() throws {
        unsafe setenv(hashing, "1", 1)
        var arguments = unsafe CommandLine.arguments.map { unsafe strdup($0) } + [nil]
        unsafe execv("/proc/self/exe", &arguments)
        throw POSIXError(.ENOEXEC)
    }

    private static func run(_ campaign: Campaign, _ words: [String]) throws -> Campaign.Failure? {
        let seed = words.first.flatMap { UInt64($0) } ?? 1
        for weather in Weather.all + [.secret] where words.count < 2 || words[1] == weather.name {
            let begun = sm_real_seconds()
            let run = try campaign.run(seed: seed, weather)
            print(line(seed, run.counts, begun, run.failures.isEmpty ? 0 : 1) + ", " + weather.name)
            guard run.failures.isEmpty else {
                return Campaign.Failure(seed: seed, weather: weather.name, parts: [], reasons: run.failures)
            }
        }
        return nil
    }

    /// - Returns: the last run that failed; all are printed.
    private static func sweep(_ campaign: Campaign, _ numbers: [UInt64]) throws -> Campaign.Failure? {
        let (runs, first) = (numbers.first ?? 10, numbers.dropFirst().first ?? 1)
        var last: Campaign.Failure?
        for weather in Weather.all {
            let begun = sm_real_seconds()
            var (counts, failed) = (World.Counts(), 0)
            for seed in first..<first + runs {
                let run = try campaign.run(seed: seed, weather)
                counts.add(run.counts)
                guard !run.failures.isEmpty else { continue }
                failed += 1
                let failure = Campaign.Failure(seed: seed, weather: weather.name, parts: [], reasons: run.failures)
                print(failure)
                last = failure
            }
            print("\(weather.name): " + line(first, counts, begun, failed))
            fflush(nil)
        }
        return last
    }

    private static func trace(_ campaign: Campaign, _ words: [String]) throws -> Campaign.Failure? {
        guard words.count > 1, let seed = UInt64(words[0]),
            let weather = (Weather.all + [.secret]).first(where: { $0.name == words[1] })
        else { return nil }
        return try campaign.minimised(seed: seed, weather, tries: words.count > 2 ? Int(words[2]) ?? 0 : 0) {
            print($0)
        }
    }

    private static func search(_ campaign: Campaign, _ words: [String]) throws -> Campaign.Failure? {
        let steps = words.first.flatMap { Int($0) } ?? 30_000
        let seed = words.dropFirst().first.flatMap { UInt64($0) } ?? 1
        let begun = sm_real_seconds()
        let (counts, failure) = try campaign.search(from: seed, steps: steps)
        print(line(seed, counts, begun, failure == nil ? 0 : 1))
        guard let failure, let weather = Weather.all.first(where: { $0.name == failure.weather }) else { return nil }
        return words.count < 3 ? try campaign.minimised(seed: failure.seed, weather, tries: 40) : failure
    }

    private static func line(_ seed: UInt64, _ counts: World.Counts, _ begun: Double, _ failures: Int) -> String {
        let took = sm_real_seconds() - begun
        return """
            seed \(seed): \(counts.runs) runs, \(counts.steps) steps, \(Int(Double(counts.steps) / took)) steps/s, \
            \(counts.requests) requests, \(counts.kills) kills, \(counts.restores) restores, \
            \(counts.rotations) keys changed, \(counts.entries) entries, \(counts.conflicts) conflicts, \
            \(counts.alarms) alarms, \(failures) failures
            """
    }
}
