// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `DraftGroup` is the heading `vault draft`.
enum DraftGroup: CommandGroup {
    static let name = "draft"
    static var spec: Spec { Spec("Manage unfinished drafts.") }
    static var commands: CommandList {
        [
            DraftListCommand.self, DraftShowCommand.self, DraftResumeCommand.self, DraftSaveCommand.self,
            DraftDiscardCommand.self,
        ]
    }
}

struct DraftListCommand: Command {
    static let name = "ls"
    static var spec: Spec {
        Spec(
            "List the drafts.",
            examples: [
                "vault draft ls": "See unfinished edits.",
                "vault draft ls --all": "Also those discarded since yesterday.",
            ])
    }
    var all = false

    mutating func declare(_ list: inout ArgumentList) {
        list.flag(&all, "all", "Also those discarded in the last 24 hours.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(ListDrafts(withDiscarded: all))
    }
}

struct DraftShowCommand: Command {
    static let name = "show"
    static var spec: Spec {
        Spec(
            "Print a draft's text.",
            examples: ["vault draft show k7": "Read what the editor had saved."])
    }
    var id = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The draft, or its note.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try context.send(ShowDraft(ref: id)) }
}

struct DraftResumeCommand: Command {
    static let name = "resume"
    static var spec: Spec {
        Spec(
            "Continue a draft in your editor.",
            examples: ["vault draft resume k7": "Continue the unfinished edit."])
    }
    var id = ""
    var editor = EditorOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The draft, or its note.")
        editor.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try EditCommand.run(.draft(ref: id), editor, context)
    }
}

struct DraftSaveCommand: Command {
    static let name = "save"
    static var spec: Spec {
        Spec(
            "Save a draft as its note, without an editor.",
            discussion: """
                If the note was changed meanwhile, it is merged or both versions are kept, as with 'vault edit'.
                """,
            examples: ["vault draft save k7": "Save what the editor had saved as the note."])
    }
    var id = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The draft, or its note.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(SaveDraft(ref: NameCheck.short(id, "ID")))
    }
}

struct DraftDiscardCommand: Command {
    static let name = "discard"
    static var spec: Spec {
        Spec(
            "Discard drafts; they are kept for a day.",
            examples: ["vault draft discard k7": "Discard a draft; it is kept for a day."])
    }
    var id: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&id, "id", "The drafts.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(DiscardDrafts(refs: NameCheck.references(id)))
    }
}
