// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

@_spi(Simulation) import SyncEngine
import SyncSimulation
import Testing

/// A small form of `make simulate`.
struct SimulationTests {
    @Test(arguments: Scenario.all.map(\.name)) func devicesMeetAgainUnderEachScenario(name: String) throws {
        let scenario = try #require(Scenario.all.first { $0.name == name })
        let result = Campaign.search(from: 100, steps: 1200, scenarios: [scenario], isMadeSmall: false)
        #expect(result.failure == nil, "\(result.failure.map(\.description) ?? "")")
        #expect(result.counts.falseAlarms == 0)
    }

    @Test func aRunFollowsFromItsSeed() {
        let first = Campaign.search(from: 7, steps: 500, scenarios: [.honest])
        let second = Campaign.search(from: 7, steps: 500, scenarios: [.honest])
        #expect(first.counts.steps == second.counts.steps && first.counts.joins == second.counts.joins)
    }
}
