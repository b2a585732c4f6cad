// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

struct ConfigArguments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show or change settings.",
        discussion: "They are in one file, which 'vault config path' names. Options override the environment, which overrides the file.",
        subcommands: [
            ConfigGetArguments.self, ConfigSetArguments.self, ConfigUnsetArguments.self, ConfigListArguments.self, ConfigPathArguments.self,
            ConfigEditArguments.self,
        ])
}

struct ConfigGetArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Print one setting.")
    @Argument(help: "Its name, such as lock.idle.") var key: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try ConfigCommand.get(key, context) }
}

struct ConfigSetArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Change one setting.")
    @Argument(help: "Its name, such as lock.idle.") var key: String
    @Argument(help: "The new value.") var value: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try ConfigCommand.set(key, value, context) }
}

struct ConfigUnsetArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "unset", abstract: "Go back to a setting's default.")
    @Argument(help: "Its name, such as lock.idle.") var key: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try ConfigCommand.unset(key, context) }
}

struct ConfigListArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List all settings, and where each comes from.")
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try ConfigCommand.list(context) }
}

struct ConfigPathArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "path", abstract: "Print where the settings are.")
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try ConfigCommand.path(context) }
}

struct ConfigEditArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "edit", abstract: "Open the settings in your editor.")
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try ConfigEditing.run(context) }
}
