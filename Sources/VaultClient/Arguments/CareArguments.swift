// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

struct TrashArguments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash", abstract: "List the trash, or empty it.",
        subcommands: [TrashListArguments.self, TrashEmptyArguments.self])
}

struct TrashListArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the notes in the trash.")
    @OptionGroup var list: ListFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.list(list.options, .trash, context)
    }
}

struct TrashEmptyArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "empty", abstract: "Permanently delete the notes in the trash.")
    @Flag(help: "Do not ask.") var yes = false
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try NoteCommands.emptyTrash(yes: yes, context) }
}

struct CheckArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "check", abstract: "Read and verify everything in the vault.")
    @Flag(help: "Rebuild the search index.") var rebuildIndex = false
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        try NoteCommands.check(rebuildIndex: rebuildIndex, context)
    }
}
