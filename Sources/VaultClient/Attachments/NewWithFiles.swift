// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `NewWithFiles` runs `vault new --attach FILE`: the note first, then its files.
enum NewWithFiles {
    static func run(_ given: NewNote, _ options: NewOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        // What cannot be read is told before there is a note.
        for path in options.attach where path != "-" { try SourceFile.check(path) }
        var note = given
        if note.text.isEmpty && note.title == nil && note.template == nil { note.title = title(options.attach) }
        let kinds = FileKinds()
        try kinds.start()
        return try Session.with(context) { conversation throws(ClientFailure) in
            let id = try create(note, options, &conversation, context)
            conversation.dropsOutput = true
            let outcome: Outcome
            do throws(ClientFailure) {
                outcome = try AttachCommands.add(AttachOptions(note: id, files: options.attach), kinds, &conversation)
            } catch { throw ClientFailure(kept(id, error.outcome)) }
            conversation.dropsOutput = false
            guard outcome.code == .ok else { return kept(id, outcome) }
            return try conversation.perform(ShowAttached(ref: id))
        }
    }

    /// Returns the failure of a file with the word that the note is there already: a person who is told the one is told
    /// the other too.
    private static func kept(_ note: String, _ outcome: Outcome) -> Outcome {
        Outcome(
            outcome.code, outcome.message + "; note \(note.prefix(8)) was saved without it",
            hint: "vault attach add \(note.prefix(8)) FILE")
    }

    private static func title(_ files: [String]) -> String {
        files.first.map { $0 == "-" ? "attachment" : ProgramPath.lastName($0) } ?? "attachment"
    }

    /// Makes the note, and returns its identifier, by which the files find it.
    private static func create(
        _ note: NewNote, _ options: NewOptions, _ conversation: inout Conversation, _ context: Context
    ) throws(ClientFailure) -> String {
        let (outcome, replies) =
            note.isPrivate
            ? try conversation.ask(CreateNote(note), secret: NotePassword.new(options.passwords, context))
            : try conversation.ask(CreateNote(note))
        try Session.require(outcome)
        guard let made = replies.first?.notes.first else {
            throw ClientFailure(.other, "the agent did not say which note it made")
        }
        return made.id
    }
}
