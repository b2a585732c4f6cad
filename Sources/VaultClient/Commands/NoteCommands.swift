// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation

/// Commands that are one request to the agent.
enum NoteCommands {
    /// Without text on a terminal an editor is opened.
    static func new(_ options: NewOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        // A file says enough by itself.
        let opensEditor = options.text.isEmpty && options.attach.isEmpty && isatty(0) == 1
        let hasText = !options.text.isEmpty || options.attach.isEmpty
        var note = NewNote(text: opensEditor || !hasText ? "" : try TextInput.read(options.text, context: context))
        note.title = try options.title.map { title throws(ClientFailure) in try short(title, "title") }
        for tag in options.tags { note.tags.append(try short(tag, "tag")) }
        note.notebook = try short(options.notebook ?? "", "notebook")
        note.template = try options.template.map { name throws(ClientFailure) in try short(name, "template") }
        note.isPrivate = options.isPrivate
        note.showsTitle = options.showsTitle
        guard options.attach.isEmpty else { return try NewWithFiles.run(note, options, context) }
        if opensEditor { return try EditCommand.run(.new(note), options.editor, passwords: options.passwords, context) }
        guard note.isPrivate else { return try send(CreateNote(note), context) }
        return try Session.with(context) { conversation throws(ClientFailure) in
            try conversation.perform(CreateNote(note), secret: NotePassword.new(options.passwords, context))
        }
    }

    static func append(_ options: EditOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        let text = try TextInput.read(options.text, context: context)
        return try send(AppendText(ref: try short(options.note, "ID"), text: text), context)
    }

    static func replace(_ options: EditOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        let text = try TextInput.read(options.text, context: context)
        return try send(ReplaceText(ref: try short(options.note, "ID"), text: text), context)
    }

    static func show(_ options: ShowOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        let request = ShowNotes(
            refs: try references(options.notes), raw: options.raw, withDetails: context.options.json || (context.style.isTerminal && !options.raw)
        )
        let choice = options.images ?? context.settingsOrDefaults.images
        return try Session.with(context) { conversation throws(ClientFailure) in
            conversation.agent.traits.wantsPictures = choice != .none && !options.raw && PictureScreen.mayShow(context)
            let outcome = try options.raw ? conversation.perform(request) : conversation.performPaged(request, context.settingsOrDefaults)
            try PictureScreen.show(conversation.takePictures(), choice, context)
            return outcome
        }
    }

    static func cat(_ options: NotesOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        let request = CatNotes(refs: try references(options.notes), withDetails: context.options.json)
        return try Session.with(context) { conversation throws(ClientFailure) in
            // A pipe gets the text byte for byte, with `--color always` too; so does a terminal that asks for it.
            conversation.style.isTerminal = Terminal.isOutput && !options.raw
            return try conversation.perform(request)
        }
    }

    static func remove(_ options: NotesOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        try send(TrashNotes(refs: try references(options.notes)), context)
    }

    static func restore(_ options: NotesOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        try send(RestoreNotes(refs: try references(options.notes)), context)
    }

    static func list(_ options: ListOptions, _ place: ListPlace, _ context: Context) throws(ClientFailure) -> Outcome {
        try checkPage(limit: options.limit, page: options.page)
        if let tag = options.tag { _ = try short(tag, "tag") }
        if let notebook = options.notebook { _ = try short(notebook, "notebook") }
        return try send(options.query(place), context)
    }

    static func search(_ options: SearchOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        try checkPage(limit: options.limit, page: options.page)
        let query = options.order.query
        guard query.utf8.count <= 16384 else { throw .usage("the query is longer than 16 KiB") }
        guard (options.regex ?? "").utf8.count <= 1000 else { throw .usage("the pattern is longer than 1,000 bytes") }
        guard query.contains(where: { !$0.isWhitespace }) || options.regex != nil else {
            throw .usage("nothing to search for", hint: "vault search QUERY")
        }
        return try send(options.order, context)
    }

    private static func checkPage(limit: UInt32, page: UInt32) throws(ClientFailure) {
        guard limit <= ListNotes.limitMax else {
            throw .usage("--limit is at most \(ListNotes.limitMax), or 0 for all", hint: "--limit 0, or --page 2 for the rows after the first")
        }
        guard page <= ListNotes.pageMax else { throw .usage("--page is at most \(ListNotes.pageMax)", hint: "a larger --limit") }
    }

    static func check(rebuildIndex: Bool, _ context: Context) throws(ClientFailure) -> Outcome {
        try send(CheckVault(rebuildIndex: rebuildIndex), context)
    }

    static func emptyTrash(yes: Bool, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            if !yes {
                try Confirmation.require(
                    "Permanently delete all notes in the trash?", refused: "nothing was deleted", hint: "vault trash empty --yes", context)
            }
            return try conversation.perform(EmptyTrash())
        }
    }

    /// Only beside others: an agent of this command alone would keep everybody out, and hear of nothing.
    static func watch(_ watch: WatchNotes, _ context: Context) throws(ClientFailure) -> Outcome {
        guard try Session.connect(context.location().vaultID()) != nil else {
            throw ClientFailure(.locked, "the vault is locked, so nobody can change it", hint: "vault unlock, then vault watch")
        }
        return try send(watch, context)
    }

    /// One operation in an open vault.
    static func send(_ operation: some Presented, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            operation.isPaged
                ? try conversation.performPaged(operation, context.settingsOrDefaults) : try conversation.perform(operation)
        }
    }

    /// The agent takes names of up to 4,096 bytes, and 10,000 of them.
    static func references(_ notes: [String]) throws(ClientFailure) -> [String] {
        guard notes.count <= 10_000 else { throw .usage("more than 10,000 notes in one command", hint: "xargs -n 1000") }
        for note in notes { _ = try short(note, "ID") }
        return notes
    }

    static func short(_ text: String, _ what: String) throws(ClientFailure) -> String {
        guard text.utf8.count <= 4096 else { throw .tooLong(text, what, count: text.utf8.count, max: 4096) }
        return text
    }
}
