// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `TemplateGroup` is the heading `vault template`.
enum TemplateGroup: CommandGroup {
    static let name = "template"
    static var spec: Spec {
        Spec(
            "Manage templates for new notes.",
            discussion: "{{date}}, {{time}}, {{weekday}}, {{yesterday}}, {{tomorrow}} and {{title}} are filled in.")
    }
    static var commands: CommandList {
        [TemplateListCommand.self, TemplateEditCommand.self, TemplateRemoveCommand.self]
    }
}

struct TemplateListCommand: Command {
    static let name = "ls"
    static var spec: Spec { Spec("List the templates.", examples: ["vault template ls": "See your templates."]) }
    var options = ListOptions()

    mutating func declare(_ list: inout ArgumentList) {
        options.declare(&list)
    }

    var complaint: String? { options.complaint }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try options.send(.template, context)
    }
}

struct TemplateEditCommand: Command {
    static let name = "edit"
    static var spec: Spec {
        Spec(
            "Change or create a template.",
            examples: ["vault template edit meeting": "Write a template in your editor; a new name makes a new one."])
    }
    var name = ""
    var editor = EditorOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&name, "name", "Its name.")
        editor.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try EditCommand.run(.template(name: NameCheck.short(name, "name")), editor, context)
    }
}

struct TemplateRemoveCommand: Command {
    static let name = "rm"
    static var spec: Spec {
        Spec(
            "Move templates to the trash.",
            examples: ["vault template rm meeting": "Remove a template."])
    }
    var name: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&name, "name", "Their names.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(TrashNotes(refs: NameCheck.references(name), templates: true))
    }
}
