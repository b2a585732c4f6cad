// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `WebWatch` notices that the vault was locked.
final class WebWatch {
    private var agent: AgentConnection
    var descriptor: Int32 { agent.descriptor }

    init(_ location: VaultLocation) throws(ClientFailure) {
        guard let agent = try AgentConnection.toRunning(location, traits: ClientTraits()) else {
            throw ClientFailure(.locked, "the vault is locked")
        }
        self.agent = agent
        try self.agent.send(WatchNotes(since: nil))
    }

    /// Takes what the agent says; false when it ends.
    func goesOn() -> Bool {
        do throws(ClientFailure) {
            if case .end? = try agent.next() { return false }
            return true
        } catch { return false }
    }
}
