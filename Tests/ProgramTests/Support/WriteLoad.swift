// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Testing

/// Writes, changes and removes notes until the agent is gone, and remembers what was acknowledged.
struct WriteLoad {
    /// Text of each note by its identifier.
    private(set) var texts: [String: String] = [:]
    /// A change that was asked for and never answered: it may be there or not.
    private var unanswered: (id: String, text: String)?
    private var number = 0

    mutating func writeUntilTheEnd(_ line: AgentLine) {
        do {
            while true { try write(line) }
        } catch {
            // The connection ended; that is what it is for.
        }
    }

    private mutating func write(_ line: AgentLine) throws {
        number += 1
        let text = "note \(number) " + String(repeating: "lorem ipsum ", count: .random(in: 0...400))
        if number % 3 == 0, let id = texts.keys.randomElement() {
            unanswered = (id, text)
            let reply = try line.ask(ReplaceText(ref: id, text: text))
            unanswered = nil
            #expect(reply.outcome.code == .ok, "\(reply.outcome.message)")
            texts[id] = text
        } else {
            let reply = try line.ask(CreateNote(NewNote(text: text)))
            #expect(reply.outcome.code == .ok, "\(reply.outcome.message)")
            texts[try #require(reply.replies.first?.notes.first?.id)] = text
        }
    }

    /// Every acknowledged text is there, in its last version.
    mutating func compare(with line: AgentLine) throws {
        if let (id, text) = unanswered {
            let found = try line.ask(CatNotes(refs: [id], withDetails: false)).replies.first?.body
            if found == text { texts[id] = text }
            unanswered = nil
        }
        let ids = texts.keys.sorted()
        guard !ids.isEmpty else { return }
        let reply = try line.ask(CatNotes(refs: ids, withDetails: false))
        #expect(reply.outcome.code == .ok, "\(reply.outcome.message)")
        #expect(reply.replies.map(\.body) == ids.map { texts[$0]! })
    }
}
