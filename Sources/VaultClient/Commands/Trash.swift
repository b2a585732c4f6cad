// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

struct RemoveCommand: Command {
    static let name = "rm"
    static var spec: Spec {
        Spec(
            "Move notes to the trash.",
            examples: ["vault rm k7 p3": "Move two notes to the trash."])
    }
    var id: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&id, "id", "The notes.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(TrashNotes(refs: NameCheck.references(id)))
    }
}

struct RestoreCommand: Command {
    static let name = "restore"
    static var spec: Spec {
        Spec(
            "Take notes out of the trash.",
            examples: ["vault restore k7": "Take a note out of the trash."])
    }
    var id: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&id, "id", "The notes.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(RestoreNotes(refs: NameCheck.references(id)))
    }
}

/// `TrashGroup` is the heading `vault trash`.
enum TrashGroup: CommandGroup {
    static let name = "trash"
    static var spec: Spec { Spec("List the trash, or empty it.") }
    static var commands: CommandList {
        [TrashListCommand.self, TrashEmptyCommand.self]
    }
}

struct TrashListCommand: Command {
    static let name = "ls"
    static var spec: Spec {
        Spec(
            "List the notes in the trash.",
            examples: ["vault trash ls": "See what is in the trash."])
    }
    var options = ListOptions()

    mutating func declare(_ list: inout ArgumentList) {
        options.declare(&list)
    }

    var complaint: String? { options.complaint }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try options.send(.trash, context)
    }
}

struct TrashEmptyCommand: Command {
    static let name = "empty"
    static var spec: Spec {
        Spec(
            "Permanently delete the notes in the trash.",
            examples: [
                "vault trash empty": "Permanently delete what is in the trash, after confirmation.",
                "vault trash empty --yes": "The same in a script.",
            ])
    }
    var yes = false

    mutating func declare(_ list: inout ArgumentList) {
        list.flag(&yes, "yes", "Do not ask.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            if !yes {
                try Confirmation.require(
                    "Permanently delete all notes in the trash?", refused: "nothing was deleted",
                    hint: "vault trash empty --yes", context)
            }
            return try conversation.perform(EmptyTrash())
        }
    }
}
