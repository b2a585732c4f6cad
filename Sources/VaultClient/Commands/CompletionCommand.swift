// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser
internal import Presentation

/// `vault completion`: needs no vault.
enum CompletionCommand {
    static func run(_ shell: ShellChoice, _ context: Context) throws(ClientFailure) -> Outcome {
        let script = script(shell)
        try Streams.write(context.options.json ? "{\"schema\":1,\"script\":\(JSONText.quoted(script))}\n" : script)
        return Outcome(.ok)
    }

    /// ArgumentParser's script, which also completes what stands behind `vault help`.
    static func script(_ shell: ShellChoice) -> String {
        let script = RootCommand.completionScript(for: shell.kind)
        let names = (CommandNode.root.children.filter(\.isVisible).compactMap(\.path.last) + ["exit-codes"])
            .joined(separator: " ")
        switch shell {
        case .bash:
            return script + "\n\n_vault_help() {\n    [[ \"${prev}\" != help ]] || COMPREPLY=($(compgen -W '\(names)' -- \"${cur}\"))\n}\n"
        case .zsh:
            // Its last lines call what was defined above them.
            let function = "_vault_help() {\n    local -ar names=(\(names))\n    ((CURRENT > 2)) || _describe -V command names\n}\n\n"
            guard let end = script.firstRange(of: "if [[ \"${funcstack[1]}\"") else { return script + "\n" }
            return script[..<end.lowerBound] + function + script[end.lowerBound...] + "\n"
        case .fish:
            return script + "\ncomplete -c 'vault' -n '__vault_should_offer_completions_for_positional \"vault help\" -eq 1' -fa '\(names)'\n"
        }
    }
}
