// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

@_spi(Simulation) import SyncEngine
import SyncSimulation
import Testing

/// A small form of `make simulate`.
struct SimulationTests {
    @Test(arguments: Scenario.all.map(\.name)) func devicesMeetAgainUnderEachScenario(name: String) throws {
        let scenario = try #require(Scenario.all.first { $0.name == name })
        let result = Campaign.run(seed: 100, scenario: scenario, actions: 40)
        #expect(result.failures.isEmpty, "\(result.failures)")
        #expect(result.counts.falseAlarms == 0)
    }

    @Test func aRunFollowsFromItsSeed() {
        let first = Campaign.run(seed: 7, scenario: .honest, actions: 20)
        let second = Campaign.run(seed: 7, scenario: .honest, actions: 20)
        #expect(first.counts.steps == second.counts.steps && first.counts.joins == second.counts.joins)
    }
}
