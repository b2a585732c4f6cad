// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Dates
internal import Foundation
internal import SearchText
internal import VaultCore
internal import VaultFormat

/// `RequestContext` is what an operation works with: the open vault, and who asked.
struct RequestContext {
    let store: OpenVault
    let session: Session
    let connection: Connection

    /// Now, in the client's time zone.
    var clock: RenderingClock { RenderingClock(connection.client.timeZone, now: Machine.now) }

    func reply(_ value: some ReplyValue) { connection.reply(value) }
    func reply(_ list: NoteList) { connection.reply(list) }

    func start(_ job: any Job) -> Outcome? {
        connection.job = job
        return nil
    }

    /// Returns a line of its own for what is appended.
    static func appended(_ body: String, _ text: String) -> String {
        body.isEmpty || body.hasSuffix("\n") ? body + text : body + "\n" + text
    }

    /// Returns the identifiers of all of them, or throws before any of the work is begun.
    func ids(_ refs: [String], isInTrash: Bool = false) throws(VaultError) -> [NoteID] {
        var ids: [NoteID] = []
        for ref in refs { ids.append(try store.notes.resolve(ref, isInTrash: isInTrash)) }
        return ids
    }

    var snippetColumns: Int { max(Int(connection.client.snippetColumns), 20) }

    func parse(_ text: String) -> Result<NoteQuery?, NoteQueryError> {
        guard text.contains(where: { !$0.isWhitespace }) else { return .success(nil) }
        let clock = clock
        do throws(NoteQueryError) {
            return .success(try NoteQuery(text, clock: QueryClock(now: clock.now, offset: clock.offset)))
        } catch { return .failure(error) }
    }
}

extension RenderingClock {
    /// Makes a clock that shows times in a zone.
    ///
    /// - Parameter zone: a name of the time zone database; the system's zone when it is empty or not known.
    fileprivate init(_ zone: String, now: Int64) {
        let zone = zone.isEmpty ? TimeZone.current : TimeZone(identifier: zone) ?? TimeZone.current
        self.init(now: now) { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0) / 1000)) }
    }
}
