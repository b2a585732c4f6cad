// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import NoteNetwork
import Testing
import VaultFormat

/// The remote in memory, by what the protocol promises. Examples/try.sh asks the agent's the same.
@Suite struct InMemoryNetworkTests {
    private func note(_ id: String, title: String = "") -> NoteRow {
        var row = NoteRow()
        (row.id, row.title) = (id, title)
        return row
    }

    @Test func whatIsSavedIsPendingUntilItIsSent() async throws {
        let network = InMemoryNetwork()
        await network.save(note("a"))
        #expect(await network.state(of: "a") == .pending)
        try await network.upload("a")
        #expect(await network.state(of: "a") == .uploaded)
        await network.save(note("a", title: "again"))
        #expect(await network.state(of: "a") == .pending)
    }

    @Test func whatAnotherDeviceWritesIsToldOnce() async throws {
        let network: any NetworkController = InMemoryNetwork()
        let remote = try #require(network as? InMemoryNetwork)
        await remote.arrive(note("b", title: "one"))
        await remote.arrive(note("b", title: "two"))
        #expect(try await network.refresh().notes.map(\.title) == ["two"])
        #expect(try await network.refresh().notes.isEmpty)
        #expect(try await network.fetchNotes().map(\.title) == ["two"])
    }

    @Test func whereNoRemoteCanBeReachedNothingIsCalledSent() async throws {
        let network = InMemoryNetwork([note("a"), note("b")])
        await network.setAway(true)
        await network.save(note("a", title: "away"))
        for call in [
            { try await network.upload("a") }, { _ = try await network.refresh() },
            { _ = try await network.fetchNotes() }, { try await network.remove("b") },
        ] as [() async throws -> Void] {
            let failure = await #expect(throws: ClientFailure.self) { try await call() }
            #expect(failure?.outcome.code == .network && failure?.outcome.hint.isEmpty == false)
        }
        #expect(await network.state(of: "a") == .pending)
        await network.setAway(false)
        #expect(try await network.fetchNotes().map(\.id) == ["a"], "the other one is in the trash here all the same")
    }

    @Test func aNoteThatIsNotThereIsNotRemoved() async throws {
        let failure = await #expect(throws: ClientFailure.self) { try await InMemoryNetwork().remove("x") }
        #expect(failure?.outcome.code == .notFound)
    }
}
