// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol

/// `vault new --attach FILE`: the note first, then its files.
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
            conversation.output = .drop
            let outcome: Outcome
            do throws(ClientFailure) {
                outcome = try AttachCommands.add(AttachOptions(note: id, files: options.attach), kinds, &conversation)
            } catch { throw ClientFailure(kept(id, error.outcome)) }
            conversation.output = .print
            guard outcome.code == .ok else { return kept(id, outcome) }
            return try conversation.perform(ShowAttached(ref: id))
        }
    }

    /// The note is there already: whoever is told that a file failed is told that too.
    private static func kept(_ note: String, _ outcome: Outcome) -> Outcome {
        Outcome(outcome.code, outcome.message + "; note \(note.prefix(8)) was saved without it", hint: "vault attach add \(note.prefix(8)) FILE")
    }

    private static func title(_ files: [String]) -> String {
        files.first.map { $0 == "-" ? "attachment" : ProgramPath.lastName($0) } ?? "attachment"
    }

    /// - Returns: the identifier of the note, by which the files find it.
    private static func create(
        _ note: NewNote, _ options: NewOptions, _ conversation: inout Conversation, _ context: Context
    ) throws(ClientFailure) -> String {
        let shown = conversation.presentation
        conversation.presentation.json = false
        conversation.presentation.isTerminal = false
        conversation.output = .collect
        let outcome =
            note.isPrivate
            ? try conversation.perform(CreateNote(note), secret: NotePassword.new(options.passwords, context))
            : try conversation.perform(CreateNote(note))
        conversation.presentation = shown
        conversation.output = .print
        try Session.require(outcome)
        return String(decoding: conversation.takeCollected().filter { $0 != 0x0A }, as: UTF8.self)
    }
}
