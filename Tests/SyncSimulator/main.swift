// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
@_spi(Simulation) import SyncEngine
import SyncSimulation

// sync-simulator [STEPS [SEED]]      all rules, STEPS steps from SEED on; ends with 1 at a failure
// sync-simulator without [SECONDS]   takes out each rule in turn; ends with 1 when one is not missed in SECONDS
// sync-simulator without-rule NAME   takes out one
// sync-simulator sweep RUNS SEED     each scenario so many times: the seeds that fail
// sync-simulator trace SEED SCENARIO [TRIES]
//                                    what happens in a run that fails, made smaller in so many tries
// sync-simulator year [person|heavy|short|large] [SEED] [pack] [append]
//                                    a year of one person, or of a heavy one, and what it takes (docs/scale.md); ends
//                                    with 1 when devices differ at its end

let clock = ContinuousClock()
let arguments = CommandLine.arguments.dropFirst()

func removal(_ name: String, _ rule: Rules, seconds: Int) -> Bool {
    let begun = clock.now
    // A table that is written to a file is read while it grows.
    defer { fflush(nil) }
    let result = Campaign.search(
        from: 0, steps: .max, rules: .all.subtracting(rule), stop: { clock.now - begun > .seconds(seconds) })
    let took = (clock.now - begun).components.seconds
    guard let failure = result.failure else {
        print("without \(name): NO FAILURE in \(took) s, \(result.counts.runs) runs")
        return false
    }
    print("without \(name): found in \(took) s, run \(result.counts.runs): \(failure)")
    return true
}

if arguments.first == "without" {
    let seconds = arguments.dropFirst().first.flatMap { Int($0) } ?? 60
    let missed = Campaign.rules.filter { !removal($0.name, $0.rule, seconds: seconds) }.map(\.name)
    print(missed.isEmpty ? "each of \(Campaign.rules.count) rules is missed" : "not missed: \(missed)")
    if !missed.isEmpty { exit(1) }
} else if arguments.first == "without-rule" {
    for (name, rule) in Campaign.rules where name == arguments.dropFirst().first {
        _ = removal(name, rule, seconds: 60)
    }
} else if arguments.first == "sweep" {
    let numbers = arguments.dropFirst().prefix(2).compactMap { UInt64($0) }
    for scenario in Scenario.all {
        let begun = clock.now
        let (counts, failures) = Campaign.sweep(
            from: numbers.last ?? 1, runs: numbers.first ?? 100, scenario: scenario)
        print(
            "\(scenario.name): \(failures.count) of \(counts.runs) fail; \(counts.steps) steps in",
            "\(clock.now - begun); \(counts.joins) joins, \(counts.forks) forks, \(counts.conflicts) conflicts")
        for failure in failures.prefix(5) { print(failure) }
    }
} else if arguments.first == "trace" {
    let words = Array(arguments.dropFirst())
    let seed = words.first.flatMap { UInt64($0) } ?? 1
    let tries = words.count > 2 ? Int(words[2]) ?? 60 : 60
    for scenario in Scenario.all where words.count > 1 && scenario.name == words[1] {
        print(Campaign.minimised(seed: seed, scenario: scenario, tries: tries) { print($0) })
    }
} else if arguments.first == "year" {
    if !YearReport.run(Array(arguments.dropFirst())) { exit(1) }
} else {
    let steps = arguments.first.flatMap { Int($0) } ?? 1_000_000
    let seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? 1
    let isMadeSmall = arguments.count < 3
    let begun = clock.now
    let (counts, failure) = Campaign.search(from: seed, steps: steps, isMadeSmall: isMadeSmall)
    let took = Double((clock.now - begun).components.seconds) + 0.001
    print(
        """
        seed \(seed): \(counts.runs) runs, \(counts.steps) steps, \(Int(Double(counts.steps) / took)) steps/s, \
        \(counts.kills) kills, \(counts.joins) joins, \(counts.conflicts) conflicts, \(counts.forks) forks, \
        \(counts.alarms) alarms, \(counts.falseAlarms) false, \(failure == nil ? 0 : 1) failures
        """)
    if let failure {
        print(failure)
        exit(1)
    }
}
