// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

struct CompletionArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print a script that completes commands with the Tab key.",
        discussion: "The script knows commands, options and their values. It never asks the vault, so the Tab key shows no title.")
    @Argument(help: "The shell.") var shell: ShellChoice
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try CompletionCommand.run(shell, context) }
}

/// Shells that a script is made for.
enum ShellChoice: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish

    var kind: CompletionShell {
        switch self {
        case .bash: .bash
        case .zsh: .zsh
        case .fish: .fish
        }
    }
}
