// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

extension CommandTree {
    static let history = Section(
        title: "History",
        entries: [
            .command(HistoryCommand.self), .command(DiffCommand.self), .command(RevertCommand.self),
            .command(UndoCommand.self), .command(RedoCommand.self), .group(DraftGroup.self),
            .command(CollectCommand.self),
        ])
}

struct HistoryCommand: Command {
    static let name = "history"
    static var spec: Spec {
        Spec(
            "List the revisions of a note, newest first.",
            discussion: """
                A revision is named by the beginning of its identifier, or by @N: N revisions before the newest, \
                which is @0.
                """,
            examples: ["vault history k7": "See the revisions of a note, newest first."])
    }
    var id = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try context.send(ListHistory(ref: id)) }
}

struct DiffCommand: Command {
    static let name = "diff"
    static var spec: Spec {
        Spec(
            "Show what changed in a note.",
            discussion: """
                Word by word on a terminal, as a unified diff in a pipe. Without revisions: the newest against the \
                one before it.
                """,
            examples: [
                "vault diff k7": "See what the last change changed.",
                "vault diff k7 @5 @0": "Compare two revisions, the older one first.",
                "vault diff k7 | less": "In a pipe, it is a plain unified diff.",
            ])
    }
    var id = ""
    var revision: [String] = []

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.words(&revision, "revision", "One or two revisions, the older one first.", needed: false)
    }

    var complaint: String? {
        if revision.count > 2 { return "at most two revisions can be compared" }
        return nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let (from, to) = (revision.first, revision.count > 1 ? revision[1] : nil)
        return try context.send(
            CompareRevisions(ref: id, from: from, to: to, byWord: context.style.isTerminal && !context.options.json))
    }
}

struct RevertCommand: Command {
    static let name = "revert"
    static var spec: Spec {
        Spec(
            "Revert a note to an earlier revision.",
            examples: ["vault revert k7 @3": "Bring back a revision; the present one stays in the history."])
    }
    var id = ""
    var revision = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&id, "id", "The note.")
        list.word(&revision, "revision", "The revision, such as @1; see 'vault history'.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(RevertNote(ref: id, revision: revision))
    }
}

struct UndoCommand: Command {
    static let name = "undo"
    static var spec: Spec {
        Spec(
            "Undo the last change to notes, tags or notebooks.",
            discussion: """
                Run it again to undo the change before that; 'vault redo' redoes them. If it would undo more than \
                ten commands, or take notes out of the list, it shows the changes and asks first. Emptying the trash \
                and deleting old revisions cannot be undone.
                """,
            examples: [
                "vault undo": "Undo the last change; run it again to undo the one before.",
                "vault undo -n 3": "Undo the last three commands.",
            ])
    }
    var count: UInt32 = 1
    var yes = false

    mutating func declare(_ list: inout ArgumentList) {
        list.option(&count, "count", letter: "n", "How many commands.")
        list.flag(&yes, "yes", "Do not ask.")
    }

    var complaint: String? {
        if count == 0 || count > 1000 { return "between 1 and 1,000 commands can be undone at once" }
        return nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        // What takes notes out of the list, or more than ten commands, is told first, and done after a yes.
        try Session.with(context) { conversation throws(ClientFailure) in
            let outcome = try conversation.perform(UndoCommands(commandCount: count, consent: yes ? .given : .ask))
            guard outcome.code == .aborted else { return outcome }
            let line = count == 1 ? "vault undo --yes" : "vault undo -n \(count) --yes"
            try Confirmation.require("Undo this?", refused: "nothing was undone", hint: line, context)
            return try conversation.perform(UndoCommands(commandCount: count, consent: .answered))
        }
    }
}

struct RedoCommand: Command {
    static let name = "redo"
    static var spec: Spec {
        Spec(
            "Redo what the last undo undid.",
            discussion: """
                Run it again to redo the undo before that. After the next command that changes a note, nothing can \
                be redone; locking the vault makes no difference.
                """,
            examples: [
                "vault redo": "Redo what the last undo undid.",
                "vault redo -n 3": "Redo what the last three undos undid.",
            ])
    }
    var count: UInt32 = 1

    mutating func declare(_ list: inout ArgumentList) {
        list.option(&count, "count", letter: "n", "How many commands.")
    }

    var complaint: String? {
        if count == 0 || count > 1000 { return "between 1 and 1,000 commands can be redone at once" }
        return nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(RedoCommands(commandCount: count))
    }
}

struct CollectCommand: Command {
    static let name = "gc"
    static var spec: Spec {
        Spec(
            "Delete old revisions.",
            discussion: """
                All revisions are kept for 30 days, then the last of each day for a year, then the last of each \
                month. A note's current revision is never deleted. To change the times: vault config set \
                history.keep_all 90d.
                """,
            examples: [
                "vault gc --dry-run": "See which old revisions would be deleted.",
                "vault gc": "Delete them, after confirmation.",
            ])
    }
    var dryRun = false
    var yes = false

    mutating func declare(_ list: inout ArgumentList) {
        list.flag(&dryRun, "dry-run", "Only show what would be deleted.")
        list.flag(&yes, "yes", "Do not ask.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        var options = try context.retention()
        options.dryRun = dryRun
        return try Self.thin(options, yes: yes, context)
    }

    /// Says what would go, and lets it go after a yes.
    private static func thin(_ options: ThinHistory, yes: Bool, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            var asked = options
            guard !options.dryRun, !yes else { return try conversation.perform(options) }
            asked.dryRun = true
            let (outcome, replies) = try conversation.ask(asked)
            if !context.options.json { try conversation.show(replies, of: asked) }
            guard outcome.code == .ok else { return outcome }
            try Confirmation.require(
                "Delete them permanently?", refused: "nothing was deleted", hint: "vault gc --yes", context)
            return try conversation.perform(options)
        }
    }
}
