// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

/// Commands that put notes in order: each is one request.
enum OrderCommands {
    static func title(_ note: String, words: [String], clear: Bool, _ context: Context) throws(ClientFailure) -> Outcome {
        let title = words.joined(separator: " ")
        guard clear != !title.isEmpty else {
            throw .usage("either a title or --clear is needed", hint: "vault title ID \"Shopping list\"")
        }
        return try modify([note], .title(clear ? nil : title), context)
    }

    static func tag(_ note: String, tags: [String], add: Bool, _ context: Context) throws(ClientFailure) -> Outcome {
        try modify([note], add ? .tag(tags) : .untag(tags), context)
    }

    /// As mv(1) does it: the last word is where the others go.
    static func move(_ words: [String], _ context: Context) throws(ClientFailure) -> Outcome {
        guard words.count >= 2, let target = words.last else {
            throw .usage("notes and a notebook are needed", hint: "vault mv ID work/2026, or vault mv ID / to take it out")
        }
        return try modify(Array(words.dropLast()), .notebook(target), context)
    }

    static func modify(_ notes: [String], _ change: FieldChange, _ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(ModifyNotes(refs: NoteCommands.references(notes), change: change), context)
    }

    static func join(_ notes: [String], _ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.send(MergeNotes(refs: NoteCommands.references(notes)), context)
    }

    /// Taking notes along is severe: the notebook's name is typed again, or given with --confirm.
    static func removeNotebook(
        _ name: String, withNotes: Bool, confirm: String?, yes: Bool, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            if withNotes && !yes { try Confirmation.require(name: name, given: confirm, "move all notes of '\(name)' to the trash", context) }
            return try conversation.perform(RemoveNotebook(name: name, withNotes: withNotes))
        }
    }
}

/// Commands about what was before.
enum PastCommands {
    static func diff(_ note: String, _ revisions: [String], _ context: Context) throws(ClientFailure) -> Outcome {
        let (from, to) = (revisions.first, revisions.count > 1 ? revisions[1] : nil)
        return try NoteCommands.send(
            CompareRevisions(
                ref: note, from: from, to: to, byWord: context.style.isTerminal && !context.options.json), context)
    }

    /// What takes notes out of the list, or more than ten commands, is told first, and done after a yes.
    static func undo(_ count: UInt32, yes: Bool, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            let outcome = try conversation.perform(UndoCommands(commandCount: count, consent: yes ? .given : .ask))
            guard outcome.code == .aborted else { return outcome }
            let line = count == 1 ? "vault undo --yes" : "vault undo -n \(count) --yes"
            try Confirmation.require("Undo this?", refused: "nothing was undone", hint: line, context)
            return try conversation.perform(UndoCommands(commandCount: count, consent: .answered))
        }
    }

    /// Says what would go, and lets it go after a yes.
    static func thin(_ options: ThinHistory, yes: Bool, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            var asked = options
            guard !options.dryRun, !yes else { return try conversation.perform(options) }
            asked.dryRun = true
            let (outcome, replies) = try conversation.ask(asked)
            if !context.options.json { try conversation.show(replies, of: asked) }
            guard outcome.code == .ok else { return outcome }
            try Confirmation.require("Delete them permanently?", refused: "nothing was deleted", hint: "vault gc --yes", context)
            return try conversation.perform(options)
        }
    }
}
