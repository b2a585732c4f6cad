// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

/// `CompletionCommand` needs no vault.
struct CompletionCommand: Command {
    static let name = "completion"
    static var spec: Spec {
        Spec(
            "Print a script that completes commands with the Tab key.",
            discussion: """
                The script knows commands, options and their values. It shows no title, unless 'vault config set \
                completion.titles on' lets it ask the open vault for titles, tags and notebooks.
                """,
            examples: [
                "vault completion bash": "Print the script for bash.",
                "vault completion bash > ~/.local/share/bash-completion/completions/vault": "Install it for bash.",
                "vault completion zsh > \"${fpath[1]}/_vault\"": "Install it for zsh.",
                "vault completion fish > ~/.config/fish/completions/vault.fish": "Install it for fish.",
            ])
    }
    var shell = ShellChoice.bash

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&shell, "shell", "The shell.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let script = Self.script(shell)
        try Streams.write(context.options.json ? "{\"schema\":1,\"script\":\(JSONText.quoted(script))}\n" : script)
        return Outcome(.ok)
    }
}

/// `ShellChoice` names shells that a script is made for.
enum ShellChoice: String, CaseIterable, ArgumentValue {
    case bash, zsh, fish
}

extension CompletionCommand {
    /// Makes the script of a shell, from the declarations of the commands.
    static func script(_ shell: ShellChoice) -> String {
        switch shell {
        case .bash: BashCompletion.script(CompletionPlace.all)
        case .zsh: ZshCompletion.script(CompletionPlace.all)
        case .fish: FishCompletion.script(CompletionPlace.all)
        }
    }
}
