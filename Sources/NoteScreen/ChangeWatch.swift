// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `ChangeWatch` notices that notes have changed elsewhere, and that the vault was locked.
final class ChangeWatch {
    enum News { case nothing, changed, ended }
    private var agent: AgentConnection
    private let operation = WatchNotes(since: nil)
    /// Whether it has ever said anything.
    private(set) var hasAnswered = false
    var descriptor: Int32 { agent.descriptor }

    init(_ location: VaultLocation) throws(ClientFailure) {
        guard let agent = try AgentConnection.toRunning(location, traits: ClientTraits()) else {
            throw ClientFailure(.locked, "the vault is locked")
        }
        self.agent = agent
        try self.agent.send(operation)
    }

    /// Takes what the agent has said.
    func take() -> News {
        do throws(ClientFailure) {
            switch try agent.next() {
            case .reply(let bytes):
                hasAnswered = true
                let changes = try agent.reply(bytes, to: operation)
                return changes.notes.isEmpty && changes.gone.isEmpty ? .nothing : .changed
            case .end: return .ended
            default: return .nothing
            }
        } catch { return .ended }
    }
}
