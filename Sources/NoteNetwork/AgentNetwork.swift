// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentClient
public import AgentProtocol
internal import Dispatch
internal import Synchronization
internal import VaultFormat

/// `AgentNetwork` asks the agent that has a vault open. Calls are served in their order, on a thread that waits in the
/// place of the caller's.
public final class AgentNetwork: NetworkController {
    private let location: VaultLocation
    private let queue = DispatchQueue(label: "vault.network")
    /// Up to where changes were told; nil before the first call that reads.
    private let position = Mutex<UInt64?>(nil)

    public init(_ location: VaultLocation) { self.location = location }

    public func fetchNotes() async throws(ClientFailure) -> [NoteRow] {
        try await waiting { [self] agent throws(ClientFailure) in
            try sync(&agent)
            let until = try present()
            let notes = try list(ListNotes(), &agent)
            position.withLock { $0 = until }
            return notes
        }
    }

    public func upload(_ note: String) async throws(ClientFailure) {
        try await waiting { [self] agent throws(ClientFailure) in try send(note, &agent) }
    }

    public func refresh() async throws(ClientFailure) -> NoteChanges {
        try await waiting { [self] agent throws(ClientFailure) in
            let told = position.withLock { $0 }
            let before = if let told { told } else { try present() }
            try sync(&agent)
            let found = try changes(since: before, until: present())
            position.withLock { $0 = found.position }
            return found
        }
    }

    public func remove(_ note: String) async throws(ClientFailure) {
        try await waiting { [self] agent throws(ClientFailure) in
            let trashed = try replies(of: agent.ask(TrashNotes(refs: [note]))).flatMap(\.notes)
            try send(trashed.first?.id ?? note, &agent)
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
            queue.async { [self] in
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
            var asked = ListNotes()
            asked.place = place
            guard let row = try list(asked, &agent).first(where: { $0.id == note }) else { continue }
            guard row.state == .uploaded else {
                throw ClientFailure(
                    .network, "the note was not sent", hint: "vault sync status shows the reason")
            }
            return
        }
        throw ClientFailure(.notFound, "no note has this identifier", hint: "vault ls --json has all of each")
    }

    private func list(_ asked: ListNotes, _ agent: inout AgentConnection) throws(ClientFailure) -> [NoteRow] {
        var asked = asked
        asked.limit = 0
        return try replies(of: agent.ask(asked)).flatMap(\.notes)
    }

    /// Returns where a watch that begins now begins.
    private func present() throws(ClientFailure) -> UInt64 {
        try watching(since: nil) { _ in true }.position
    }

    /// Returns what has changed between two places of a watch: it comes in parts.
    private func changes(since position: UInt64, until end: UInt64) throws(ClientFailure) -> NoteChanges {
        try watching(since: position) { $0.position >= end }
    }

    /// Collects the changes that a watch brings until they are enough; a watch never ends by itself.
    private func watching(
        since position: UInt64?, until isEnough: (NoteChanges) -> Bool
    ) throws(ClientFailure) -> NoteChanges {
        let watch = WatchNotes(since: position)
        var agent = try connection()
        var all = NoteChanges()
        try agent.send(watch)
        while true {
            switch try agent.next() {
            case .reply(let bytes):
                let part = try agent.reply(bytes, to: watch)
                let changed = Set(part.notes.map(\.id) + part.gone)
                all.notes.removeAll { changed.contains($0.id) }
                all.notes += part.notes
                all.gone += part.gone
                all.position = part.position
                if isEnough(all) { return all }
            case .end(let outcome):
                try outcome.require()
                return all
            case .none, .notice, .progress, .editText, .attachment, .picture, .secret: continue
            }
        }
    }
}
