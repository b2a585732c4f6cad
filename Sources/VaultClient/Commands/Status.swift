// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

extension CommandTree {
    static let vault = Section(
        title: "The vault",
        entries: [
            .command(InitCommand.self), .command(UnlockCommand.self), .command(LockCommand.self),
            .command(StatusCommand.self), .command(ScreenCommand.self), .command(WebCommand.self),
            .command(OpenPageCommand.self),
        ])
}

struct StatusCommand: Command {
    static let name = "status"
    static var spec: Spec {
        Spec(
            "Show whether the vault is unlocked.",
            examples: [
                "vault status": "See whether the vault is unlocked, and when it locks.",
                "vault --json status": "The same for a script.",
            ])
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try Self.status(context) }
}

/// This command prints the agent's own words, or that there is none. Both are success: a script reads the state.
extension StatusCommand {
    private static func status(_ context: Context) throws(ClientFailure) -> Outcome {
        let location = try context.location()
        if var conversation = try Session.running(location, context) {
            let outcome = try conversation.perform(ShowStatus())
            if outcome.code != .locked { return outcome }
        }
        if let holder = try VaultHolder.find(location) { return try tell(of: holder, location, context) }
        if context.options.json {
            let name = JSONText.quoted(String(decoding: location.directory, as: UTF8.self))
            try Streams.write("{\"schema\":1,\"state\":\"locked\",\"vault\":\(name),\"agentPID\":null}\n")
        } else {
            try Streams.write("locked\n")
        }
        return Outcome(.ok)
    }

    /// Tells that the vault is open, and not for the one who asks here.
    private static func tell(of holder: VaultHolder, _ location: VaultLocation, _ context: Context)
        throws(ClientFailure) -> Outcome
    {
        if context.options.json {
            let vault = JSONText.quoted(String(decoding: location.directory, as: UTF8.self))
            let runtime = holder.runtimeDirectory.map(JSONText.quoted) ?? "null"
            let pid = holder.pid.map(String.init) ?? "null"
            try Streams.write(
                "{\"schema\":1,\"state\":\"unlocked\",\"vault\":\(vault),\"agentPID\":\(pid),\"reachable\":false,\"runtimeDirectory\":\(runtime)}\n"
            )
        } else {
            try Streams.write("unlocked, but not here: \(holder.name) has this vault open\n")
            Streams.say("vault: hint: " + holder.ending)
        }
        return Outcome(.ok)
    }
}
