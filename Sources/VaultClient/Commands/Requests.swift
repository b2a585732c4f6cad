// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

extension Context {
    /// Has the agent do one operation in an open vault, and prints its answer.
    func send(_ operation: some Presented) throws(ClientFailure) -> Outcome {
        try Session.with(self) { conversation throws(ClientFailure) in
            operation.isPaged
                ? try conversation.performPaged(operation, settingsOrDefaults) : try conversation.perform(operation)
        }
    }

    /// Changes one field of notes.
    func modify(_ notes: [String], _ change: FieldChange) throws(ClientFailure) -> Outcome {
        try send(ModifyNotes(refs: NameCheck.references(notes), change: change))
    }
}

/// `NameCheck` refuses names that the agent does not take: of more than 4,096 bytes, or more than 10,000 of them.
enum NameCheck {
    static func references(_ notes: [String]) throws(ClientFailure) -> [String] {
        guard notes.count <= 10_000 else {
            throw .usage("more than 10,000 notes in one command", hint: "xargs -n 1000")
        }
        for note in notes { _ = try short(note, "ID") }
        return notes
    }

    static func short(_ text: String, _ what: String) throws(ClientFailure) -> String {
        guard text.utf8.count <= 4096 else { throw .tooLong(text, what, count: text.utf8.count, max: 4096) }
        return text
    }
}
