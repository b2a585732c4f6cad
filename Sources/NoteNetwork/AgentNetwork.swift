// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentClient
public import AgentProtocol
internal import Dispatch
internal import VaultFormat

/// `AgentNetwork` asks the agent that has a vault open. Calls are served in their order, on a thread that waits in the
/// place of the caller's.
public struct AgentNetwork: NetworkController {
    private let location: VaultLocation
    private let queue = DispatchQueue(label: "vault.network")

    public init(_ location: VaultLocation) { self.location = location }

    public func fetchNotes() async throws(ClientFailure) -> [NoteRow] {
        try await waiting { agent throws(ClientFailure) in
            try sync(&agent)
            return try list(ListNotes(), &agent)
        }
    }

    public func upload(_ note: String) async throws(ClientFailure) {
        try await waiting { agent throws(ClientFailure) in try send(note, &agent) }
    }

    public func refresh() async throws(ClientFailure) -> NoteChanges {
        try await waiting { agent throws(ClientFailure) in
            let before = try changes(since: nil).position
            try sync(&agent)
            return try changes(since: before)
        }
    }

    public func remove(_ note: String) async throws(ClientFailure) {
        try await waiting { agent throws(ClientFailure) in
            _ = try replies(of: agent.ask(TrashNotes(refs: [note])))
            try send(note, &agent)
        }
    }

    // MARK: One call

    private func connection() throws(ClientFailure) -> AgentConnection {
        guard let agent = try AgentConnection.toRunning(location, traits: ClientTraits()) else {
            throw ClientFailure(.locked, "the vault is locked", hint: "vault unlock")
        }
        return agent
    }

    private func waiting<Value: Sendable>(
        _ body: @escaping @Sendable (inout AgentConnection) throws(ClientFailure) -> Value
    ) async throws(ClientFailure) -> Value {
        let result: Result<Value, ClientFailure> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(ClientFailure) in
                        var agent = try connection()
                        return try body(&agent)
                    })
            }
        }
        return try result.get()
    }

    private func replies<Reply>(of answer: (outcome: Outcome, replies: [Reply])) throws(ClientFailure) -> [Reply] {
        try answer.outcome.require()
        return answer.replies
    }

    private func sync(_ agent: inout AgentConnection) throws(ClientFailure) {
        _ = try replies(of: agent.ask(SyncNow()))
    }

    private func send(_ note: String, _ agent: inout AgentConnection) throws(ClientFailure) {
        try sync(&agent)
        for place in ListPlace.allCases {
            var pending = ListNotes()
            (pending.place, pending.state) = (place, .pending)
            guard try list(pending, &agent).allSatisfy({ $0.id != note }) else {
                throw ClientFailure(
                    .network, "the note was not sent", hint: "vault sync status says what stands in the way")
            }
        }
    }

    private func list(_ asked: ListNotes, _ agent: inout AgentConnection) throws(ClientFailure) -> [NoteRow] {
        var asked = asked
        asked.limit = 0
        return try replies(of: agent.ask(asked)).flatMap(\.notes)
    }

    /// A watch never ends by itself: its first answer says what there is until now.
    private func changes(since position: UInt64?) throws(ClientFailure) -> NoteChanges {
        let watch = WatchNotes(since: position)
        var agent = try connection()
        try agent.send(watch)
        while true {
            switch try agent.next() {
            case .reply(let bytes): return try agent.reply(bytes, to: watch)
            case .end(let outcome):
                try outcome.require()
                return NoteChanges()
            case .none, .notice, .progress, .editText, .attachment, .picture, .secret: continue
            }
        }
    }
}
