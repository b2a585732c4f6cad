// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

struct LinksArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "links", abstract: "List a note's links.",
        discussion: "Web and mail addresses, telephone numbers, dates and [[other notes]].")
    @Argument(help: "The note.") var id: String
    @Option(help: ArgumentHelp("Open the link with this number.", valueName: "n")) var open: UInt32?
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        guard let open else { return try NoteCommands.send(ListLinks(ref: id), context) }
        return try LinkCommand.open(id, open, context)
    }
}

struct BacklinksArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "backlinks", abstract: "List the notes that link to a note.")
    @Argument(help: "The note.") var id: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.send(ListBacklinks(ref: id), context) }
}
