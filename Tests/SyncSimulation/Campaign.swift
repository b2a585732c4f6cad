// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

@_spi(Simulation) public import SyncEngine

/// Many runs, one after another.
public enum Campaign {
    /// A run that broke an invariant, made as small as could be.
    public struct Failure: Sendable, CustomStringConvertible {
        /// Seed of the run.
        public let seed: UInt64
        /// Name of its scenario.
        public let scenario: String
        /// The actions without which it does not fail.
        public let actions: [Int]
        /// What was broken.
        public let reasons: [String]

        /// For a report.
        public var description: String {
            "seed \(seed), \(scenario), \(actions.count) actions \(actions): \(reasons.joined(separator: "; "))"
        }
    }

    /// The rules by their names.
    public static let rules: [(name: String, rule: Rules)] = [
        ("causalOrder", .causalOrder), ("newIdentityAtRestore", .newIdentityAtRestore), ("ownTailRead", .ownTailRead),
        ("ownRepaired", .ownRepaired), ("outboxBeforePut", .outboxBeforePut), ("commitWithNumber", .commitWithNumber),
        ("tornIsNotYet", .tornIsNotYet), ("absenceIsNothing", .absenceIsNothing), ("purgeByParents", .purgeByParents),
        ("headsByGraph", .headsByGraph), ("deleteWhenPassed", .deleteWhenPassed),
        ("spanBeforeDelete", .spanBeforeDelete), ("epochCut", .epochCut), ("retellBeyondCut", .retellBeyondCut),
        ("wholeStateFirst", .wholeStateFirst), ("forksFound", .forksFound), ("forksRetold", .forksRetold),
        ("massGuard", .massGuard), ("patience", .patience), ("retiredDoNotHold", .retiredDoNotHold),
        ("cards", .cards), ("joinsByContent", .joinsByContent), ("thinningWaits", .thinningWaits),
        ("partsPassNothing", .partsPassNothing), ("smallerEnding", .smallerEnding),
    ]

    /// One run of one scenario.
    public static func run(
        seed: UInt64, scenario: Scenario, rules: Rules = .all, actions: Int = 250
    ) -> (counts: Simulation.Counts, failures: [String]) {
        let run = Simulation.run(seed: seed, scenario: scenario, rules: rules, actions: actions)
        return (run.counts, run.failures)
    }

    /// The runs of one scenario that fail, without being made small; for a first look.
    public static func sweep(
        from first: UInt64, runs: UInt64, scenario: Scenario, rules: Rules = .all
    ) -> (counts: Simulation.Counts, failures: [Failure]) {
        var counts = Simulation.Counts()
        var failures: [Failure] = []
        for seed in first..<first + runs {
            let run = Simulation.run(seed: seed, scenario: scenario, rules: rules)
            counts.add(run.counts)
            guard !run.failures.isEmpty else { continue }
            failures.append(Failure(seed: seed, scenario: scenario.name, actions: [], reasons: run.failures))
        }
        return (counts, failures)
    }

    /// The smallest form of a failing run, and what happens in it.
    public static func minimised(
        seed: UInt64, scenario: Scenario, rules: Rules = .all, tries: Int = 60, trace: ((String) -> Void)? = nil
    ) -> Failure {
        let actions = smaller(Array(0..<250), seed: seed, scenario: scenario, rules: rules, tries: tries)
        let run = Simulation.run(seed: seed, scenario: scenario, rules: rules, kept: actions, trace: trace)
        return Failure(seed: seed, scenario: scenario.name, actions: actions, reasons: run.failures)
    }

    /// Runs from a seed on until so many steps are done or `stop` says so; ends at the first failure.
    ///
    /// - Parameter report: is told of each run, to say how far it is.
    public static func search(
        from first: UInt64, steps: Int, scenarios: [Scenario] = Scenario.all, rules: Rules = .all,
        isMadeSmall: Bool = true, stop: () -> Bool = { false }
    ) -> (counts: Simulation.Counts, failure: Failure?) {
        var counts = Simulation.Counts()
        var seed = first
        while counts.steps < steps, !stop() {
            let scenario = scenarios[Int(seed % UInt64(scenarios.count))]
            let run = Simulation.run(seed: seed, scenario: scenario, rules: rules)
            counts.add(run.counts)
            if !run.failures.isEmpty {
                guard isMadeSmall else {
                    return (
                        counts, Failure(seed: seed, scenario: scenario.name, actions: [], reasons: run.failures)
                    )
                }
                return (counts, minimised(seed: seed, scenario: scenario, rules: rules))
            }
            seed += 1
        }
        return (counts, nil)
    }

    /// Leaves out actions, in halves, quarters and so on, as long as the run still fails.
    private static func smaller(
        _ actions: [Int], seed: UInt64, scenario: Scenario, rules: Rules, tries: Int
    ) -> [Int] {
        var (actions, tries) = (actions, tries)
        var size = actions.count / 2
        while size > 0, tries > 0 {
            var start = 0
            while start < actions.count, tries > 0 {
                tries -= 1
                let tried = Array(actions[..<start] + actions[min(start + size, actions.count)...])
                let run = Simulation.run(seed: seed, scenario: scenario, rules: rules, kept: tried)
                if run.failures.isEmpty { start += size } else { actions = tried }
            }
            size /= 2
        }
        return actions
    }
}
