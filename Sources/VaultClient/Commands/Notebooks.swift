// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `NotebookGroup` is the heading `vault notebook`.
enum NotebookGroup: CommandGroup {
    static let name = "notebook"
    static var spec: Spec { Spec("Manage notebooks.") }
    static var commands: CommandList {
        [NotebookListCommand.self, NotebookMoveCommand.self, NotebookRemoveCommand.self]
    }
}

struct NotebookListCommand: Command {
    static let name = "ls"
    static var spec: Spec {
        Spec(
            "List all notebooks, and how many notes are in each.",
            examples: ["vault notebook ls": "See all notebooks, and how many notes are in each."])
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try context.send(ListNotebooks()) }
}

struct NotebookMoveCommand: Command {
    static let name = "mv"
    static var spec: Spec {
        Spec(
            "Rename or move a notebook, with everything below it.",
            examples: ["vault notebook mv work/2025 archive/2025": "Rename a notebook, with everything below it."])
    }
    var old = ""
    var new = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&old, "old", "The notebook.")
        list.word(&new, "new", "Its new name.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(RenameNotebook(from: old, to: new))
    }
}

struct NotebookRemoveCommand: Command {
    static let name = "rm"
    static var spec: Spec {
        Spec(
            "Delete a notebook; its notes move to the one above.",
            discussion: "With --with-notes, they go to the trash; the notebook's name is asked for first.",
            examples: [
                "vault notebook rm old": "Delete a notebook, keep its notes.",
                "vault notebook rm old --with-notes": "Move its notes to the trash as well.",
            ])
    }
    var name = ""
    var withNotes = false
    var yes = false
    var confirm: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&name, "name", "The notebook.")
        list.flag(&withNotes, "with-notes", "Move its notes to the trash.")
        list.flag(&yes, "yes", "Do not ask.")
        list.option(&confirm, "confirm", value: "name", "The notebook's name again, so that it is not asked for.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        // Taking notes along is severe: the notebook's name is typed again, or given with --confirm.
        try Session.with(context) { conversation throws(ClientFailure) in
            if withNotes && !yes {
                try Confirmation.require(
                    name: name, given: confirm, "move all notes of '\(name)' to the trash", context)
            }
            return try conversation.perform(RemoveNotebook(name: name, withNotes: withNotes))
        }
    }
}
