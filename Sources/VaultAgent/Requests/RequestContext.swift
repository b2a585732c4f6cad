// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SearchText
internal import VaultCore
internal import VaultFormat

/// What an operation works with: the open vault, and who asked.
struct RequestContext {
    let store: VaultStore
    let session: Session
    let connection: Connection

    var answer: Answer { Answer(connection) }

    func start(_ job: any Job) -> Outcome? {
        connection.job = job
        return nil
    }

    /// A line of its own for what is appended.
    static func appended(_ body: String, _ text: String) -> String {
        body.isEmpty || body.hasSuffix("\n") ? body + text : body + "\n" + text
    }

    /// All of them, or none of the work is begun.
    func ids(_ refs: [String]) throws(VaultError) -> [NoteID] {
        var ids: [NoteID] = []
        for ref in refs { ids.append(try store.resolve(ref)) }
        return ids
    }

    var snippetColumns: Int { max(answer.columns - 4, 20) }

    func parse(_ text: String) -> Result<NoteQuery?, NoteQueryError> {
        guard text.contains(where: { !$0.isWhitespace }) else { return .success(nil) }
        let clock = answer.clock
        do throws(NoteQueryError) {
            return .success(try NoteQuery(text, clock: QueryClock(now: clock.now, offset: clock.offset)))
        } catch { return .failure(error) }
    }
}
