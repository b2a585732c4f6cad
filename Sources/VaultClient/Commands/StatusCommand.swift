// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol

/// `vault status`: the agent's own words, or that there is none. Both are success: a script reads the state.
enum StatusCommand {
    static func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let location = try context.location()
        if let channel = try Session.connect(try location.vaultID()) {
            var conversation = try Conversation(
                channel, presentation: context.presentation, quiet: context.options.quiet, directory: location.identity)
            let outcome = try conversation.perform(.status)
            if outcome.code != .locked { return outcome }
        }
        if context.options.json {
            let name = JSONText.quoted(String(decoding: location.directory, as: UTF8.self))
            try Streams.write("{\"schema\":1,\"state\":\"locked\",\"vault\":\(name),\"agentPID\":null}\n")
        } else {
            try Streams.write("locked\n")
        }
        return Outcome(.ok)
    }
}
