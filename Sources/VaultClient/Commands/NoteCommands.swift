// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol

/// Commands that are one request to the agent.
enum NoteCommands {
    static func new(_ options: NewOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        var note = NewNote(text: try TextInput.read(options.text, context: context))
        note.title = try options.title.map { title throws(ClientFailure) in try short(title, "title") }
        for tag in options.tags { note.tags.append(try short(tag, "tag")) }
        note.notebook = try short(options.notebook ?? "", "notebook")
        return try send(.new(note), context)
    }

    static func append(_ options: EditOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        let text = try TextInput.read(options.text, context: context)
        return try send(.append(ref: try short(options.note, "ID"), text: text), context)
    }

    static func replace(_ options: EditOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        let text = try TextInput.read(options.text, context: context)
        return try send(.replace(ref: try short(options.note, "ID"), text: text), context)
    }

    static func show(_ options: ShowOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        try send(.show(refs: try references(options.notes), raw: options.raw), context)
    }

    static func cat(_ options: NotesOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        try send(.cat(refs: try references(options.notes)), context)
    }

    static func remove(_ options: NotesOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        try send(.remove(refs: try references(options.notes)), context)
    }

    static func restore(_ options: NotesOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        try send(.restore(refs: try references(options.notes)), context)
    }

    static func list(_ options: ListOptions, trashed: Bool, _ context: Context) throws(ClientFailure) -> Outcome {
        if let tag = options.tag { _ = try short(tag, "tag") }
        if let notebook = options.notebook { _ = try short(notebook, "notebook") }
        return try send(.list(options.query(trashed: trashed)), context)
    }

    static func search(_ options: SearchOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        let query = options.words.joined(separator: " ")
        guard query.utf8.count <= 16384 else { throw .usage("the query is longer than 16 KiB") }
        guard query.contains(where: { !$0.isWhitespace }) else {
            throw .usage("nothing to search for", hint: "vault search QUERY")
        }
        return try send(.search(query: query, limit: options.limit, page: options.page), context)
    }

    static func check(rebuildIndex: Bool, _ context: Context) throws(ClientFailure) -> Outcome {
        try send(.check(rebuildIndex: rebuildIndex), context)
    }

    static func emptyTrash(yes: Bool, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            if !yes { try confirmEmptying(context) }
            return try conversation.perform(.emptyTrash)
        }
    }

    private static func confirmEmptying(_ context: Context) throws(ClientFailure) {
        guard !context.options.noInput, Terminal.canAsk else {
            throw ClientFailure(.locked, "emptying the trash needs a yes", hint: "vault trash empty --yes")
        }
        guard try Confirmation.ask("Destroy all notes in the trash for good?") else {
            throw ClientFailure(.aborted, "nothing was destroyed")
        }
    }

    /// One request in an open vault.
    static func send(_ request: Request, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in try conversation.perform(request) }
    }

    /// The agent takes names of up to 4,096 bytes, and 10,000 of them.
    private static func references(_ notes: [String]) throws(ClientFailure) -> [String] {
        guard notes.count <= 10_000 else { throw .usage("more than 10,000 notes in one command", hint: "xargs -n 1000") }
        for note in notes { _ = try short(note, "ID") }
        return notes
    }

    private static func short(_ text: String, _ what: String) throws(ClientFailure) -> String {
        guard text.utf8.count <= 4096 else { throw .usage("the \(what) is longer than 4 KiB") }
        return text
    }
}
