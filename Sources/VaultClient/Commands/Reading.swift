// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

struct ShowCommand: Command {
    static let name = "show"
    static var spec: Spec {
        Spec(
            "Read notes.",
            discussion: """
                ID @3 or ID@3 is the note at revision @3: 'vault history' numbers them. On a terminal Markdown is shown \
                as text, with its headings, lists and tables; --raw prints a text as it is.
                """,
            examples: [
                "vault show k7": "Read a note.",
                "vault show \"Shopping list\"": "A title works as well as an identifier.",
                "vault --json show k7": "Title, tags, dates and text for a script.",
            ])
    }
    var id: [String] = []
    var raw = false
    var images: PictureChoice?

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&id, "id", "The notes.")
        list.flag(&raw, "raw", "Print the text as it is, even on a terminal.")
        list.option(&images, "images", "How to show photos and sketches.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let request = ShowNotes(
            refs: try NameCheck.references(id), raw: raw,
            withDetails: context.options.json || (context.style.isTerminal && !raw))
        let choice = images ?? context.settingsOrDefaults.images
        return try Session.with(context) { conversation throws(ClientFailure) in
            if conversation.style.isTerminal, !raw {
                let reader = TerminalReader()
                conversation.style.reads = { text, columns in reader.rows(of: text, columns: columns) }
            }
            conversation.agent.traits.wantsPictures = choice != .none && !raw && PictureScreen.mayShow(context)
            let outcome =
                try raw ? conversation.perform(request) : conversation.performPaged(request, context.settingsOrDefaults)
            try PictureScreen.show(conversation.takePictures(), choice, context)
            return outcome
        }
    }
}

struct CatCommand: Command {
    static let name = "cat"
    static var spec: Spec {
        Spec(
            "Print the texts of notes, byte for byte.",
            discussion: """
                On a terminal, control characters are made visible, unless --raw is given. ID @3 or ID@3 is the text \
                of revision @3: 'vault history' numbers them.
                """,
            examples: [
                "vault cat k7 | wc -w": "Count the words of a note.",
                "vault cat k7 > note.txt": "Write its text to a file, unencrypted.",
            ])
    }
    var id: [String] = []
    var raw = false

    mutating func declare(_ list: inout ArgumentList) {
        list.words(&id, "id", "The notes.")
        list.flag(&raw, "raw", "Print control characters unchanged, even on a terminal.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let request = CatNotes(refs: try NameCheck.references(id), withDetails: context.options.json)
        return try Session.with(context) { conversation throws(ClientFailure) in
            // A pipe gets the text byte for byte, with `--color always` too; so does a terminal that asks for it.
            conversation.style.isTerminal = Terminal.isOutput && !raw
            return try conversation.perform(request)
        }
    }
}
