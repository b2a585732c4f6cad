// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

@_spi(Simulation) import SyncEngine
@testable import SyncSimulation
import Testing

/// What a host writes down is what the engine goes on with.
struct StateCodingTests {
    private static func states(_ scenario: Scenario) -> [SyncState] {
        (1...3).flatMap { seed in
            Simulation.run(seed: UInt64(seed), scenario: scenario, actions: 60).vaults.map(\.disk.state)
        }
    }

    @Test(arguments: Scenario.all.map(\.name)) func aStateComesBackAsItWas(name: String) throws {
        let scenario = try #require(Scenario.all.first { $0.name == name })
        for state in Self.states(scenario) {
            let read = try SyncState(parsing: state.encoded)
            #expect(read == state && read.encoded == state.encoded)
        }
    }

    @Test func bytesThatAreNoStateAreRefused() throws {
        let scenario = try #require(Scenario.all.first)
        let bytes = try #require(Self.states(scenario).map(\.encoded).max { $0.count < $1.count })
        for count in 0..<bytes.count {
            #expect(throws: StateError.self) { try SyncState(parsing: Array(bytes.prefix(count))) }
        }
        #expect(throws: StateError.malformed) { try SyncState(parsing: bytes + [0]) }
        #expect(throws: StateError.unknownVersion) { try SyncState(parsing: [9] + bytes.dropFirst()) }
        // Whatever is altered, what is read is one encoding's state.
        for place in bytes.indices {
            var altered = bytes
            altered[place] ^= 0x81
            if let state = try? SyncState(parsing: altered) { #expect(state.encoded == altered) }
        }
    }

    @Test func listsThatClaimMoreThanThereIsTakeNoMemory() throws {
        var bytes = SyncState(device: Identifier(high: 1, low: 2), isFirst: true).encoded
        bytes = Array(bytes.prefix(70)) + [UInt8](repeating: 0xFF, count: 64)
        #expect(throws: StateError.self) { try SyncState(parsing: bytes) }
    }
}
