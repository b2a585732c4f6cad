// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

@_spi(Simulation) import SyncEngine
import SyncSimulation
import Testing

/// A small form of `make simulate`.
struct SimulationTests {
    @Test(arguments: Scenario.all.map(\.name)) func M07devicesMeetAgainUnderEachScenario(name: String) throws {
        let scenario = try #require(Scenario.all.first { $0.name == name })
        let result = Campaign.run(seed: 100, scenario: scenario, actions: 40)
        #expect(result.failures.isEmpty, "\(result.failures)")
        #expect(result.counts.falseAlarms == 0)
    }

    /// Each of these failed once.
    @Test(
        arguments: [
            ("honest", [24, 211, 294]), ("thinning", [1, 9, 12, 46]), ("lying", [5, 11, 18, 28]),
            ("rotating", [3, 5, 11, 16, 20, 22, 41, 42, 62, 84, 111, 235, 268, 1086]),
            ("set back", [7, 9, 37, 98, 112]), ("forking", [24, 37]),
        ] as [(String, [UInt64])])
    func aRunThatFailedOnceDoesNotFailAgain(name: String, seeds: [UInt64]) throws {
        let scenario = try #require(Scenario.all.first { $0.name == name })
        for seed in seeds {
            let result = Campaign.run(seed: seed, scenario: scenario)
            #expect(result.failures.isEmpty, "\(seed): \(result.failures)")
        }
    }

    /// A check that cannot fail would say nothing of the product.
    @Test func anAlarmWithoutPatienceIsFoundToBeFalse() {
        let isFound = (0..<40 as Range<UInt64>).contains { seed in
            let result = Campaign.run(seed: seed, scenario: .rewinding, rules: .all.subtracting(.patience))
            return result.counts.falseAlarms > 0
        }
        #expect(isFound)
    }

    @Test func aRunFollowsFromItsSeed() {
        let first = Campaign.run(seed: 7, scenario: .honest, actions: 20)
        let second = Campaign.run(seed: 7, scenario: .honest, actions: 20)
        #expect(first.counts.steps == second.counts.steps && first.counts.joins == second.counts.joins)
    }
}
