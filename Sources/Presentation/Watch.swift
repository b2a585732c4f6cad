// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import TerminalText
internal import VaultFormat

extension WatchNotes: Presented {
    /// Presents a line for each note; a JSON object for each answer.
    public func present(_ reply: NoteChanges, on page: inout Page) {
        if page.style.json {
            return page.json(
                .answerOfNotes([
                    ("position", .count(reply.position)), ("notes", .array(reply.notes.map { .note($0) })),
                    ("gone", .array(reply.gone.map { .string($0) })),
                ]))
        }
        guard page.style.isTerminal else {
            for note in reply.notes { page.tabbed(["changed", note.id, note.place.name, note.title, note.state.name]) }
            for id in reply.gone { page.tabbed(["gone", id]) }
            return
        }
        page.changed(reply.notes, "changed")
        for id in reply.gone { page.output("gone  \(id.prefix(6))\n") }
    }
}
