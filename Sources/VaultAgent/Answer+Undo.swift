// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TerminalText
internal import VaultCore
internal import VaultFormat

/// Answers about what was undone, and what would be.
extension Answer {
    func undone(_ steps: [UndoStep], _ store: VaultStore, redone: Bool) {
        if presentation.json {
            let list = steps.map { step in
                JSONText.object([
                    ("kind", .string(step.kind)), ("made", .date(step.made)), ("notes", .array(Self.distinct(step.notes).map { .string($0.text) })),
                ])
            }
            return json(.answer([(redone ? "redone" : "undone", .array(list))]))
        }
        for step in steps {
            let notes = Self.distinct(step.notes)
            output("\(redone ? "redid" : "undid"): \(change(step.kind, notes, count: notes.count, step.made, store))\n")
        }
    }

    /// Before the question, on standard error: standard output is for what was done.
    func wouldUndo(_ preview: UndoPreview, _ store: VaultStore) {
        for command in preview.commands.prefix(Self.shownCountMax) {
            connection.talk("would undo: " + change(command.kind, command.notes, count: command.noteCount, command.made, store))
        }
        let more = preview.commands.count - Self.shownCountMax
        if more > 0 { connection.talk("would undo: \(Quantity.grouped(more)) older change\(more == 1 ? "" : "s")") }
        guard preview.leavingCount > 0 else { return }
        let leaving = preview.leavingCount == 1 ? "1 note would leave" : "\(Quantity.grouped(preview.leavingCount)) notes would leave"
        connection.talk("\(leaving) the list, for the trash or the archive")
    }

    private static let shownCountMax = 20

    /// `edit of "Shopping list" (3:01 PM)`. Of a private note that is locked nothing is told but its identifier.
    ///
    /// - Parameter count: of notes, when not all are there.
    private func change(_ kind: String, _ notes: [NoteID], count: Int, _ made: Int64, _ store: VaultStore) -> String {
        let named = notes.prefix(count > 3 ? 2 : 3).map { name($0, store) }
        let others = count - named.count
        let list = others > 0 ? named.joined(separator: ", ") + " and \(Quantity.grouped(others)) other notes" : named.joined(separator: ", ")
        let isNew = kind == ChangeKind.new.rawValue
        let what = isNew ? list.hasPrefix("\"") ? "new note" : "new" : SafeText.singleLine(kind) + " of"
        return "\(what) \(list) (\(clock.text(made)))"
    }

    private func name(_ id: NoteID, _ store: VaultStore) -> String {
        guard let note = try? store.summary(of: id) else { return "note \(id.text.prefix(6))" }
        guard note.protection != .locked else { return "private note \(note.shortID)" }
        guard !note.title.isEmpty else { return "note \(note.shortID)" }
        return "\"" + SafeText.singleLine(note.title.count > 60 ? note.title.prefix(59) + "…" : note.title) + "\""
    }

    /// In their order, each once.
    private static func distinct(_ notes: [NoteID]) -> [NoteID] {
        var seen: Set<NoteID> = []
        return notes.filter { seen.insert($0).inserted }
    }
}
