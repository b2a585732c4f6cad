// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

/// Finds an open vault for a command: its agent, or a private agent for this command alone when a password source is
/// given.
enum Session {
    /// Runs `body` with an open vault.
    ///
    /// - Throws: `.locked` without an agent and without a password source; what `probe` and `unlock` answer.
    static func with<R>(
        _ context: Context, _ body: (inout Conversation) throws(ClientFailure) -> R
    ) throws(ClientFailure) -> R {
        _ = try context.settings()
        let location = try context.location()
        let vaultID = try location.vaultID()
        if let channel = try connect(vaultID) {
            var conversation = try Conversation(
                channel, client: context.client, style: context.style, quiet: context.options.quiet,
                directory: location.identity)
            return try body(&conversation)
        }
        let source = try PasswordSource(context.options)
        guard source != .terminal else {
            throw ClientFailure(.locked, "the vault is locked", hint: "vault unlock")
        }
        return try withUnlockedAgent(
            location, context, credential: { () throws(ClientFailure) in try GivenKey.present(context) }, body)
    }

    /// Runs `body` with an agent of this command's own that has the vault open.
    static func withUnlockedAgent<R>(
        _ location: VaultLocation, _ context: Context, credential: () throws(ClientFailure) -> Credential,
        _ body: (inout Conversation) throws(ClientFailure) -> R
    ) throws(ClientFailure) -> R {
        try withNewAgent(context) { conversation throws(ClientFailure) in
            let opened = try opening(location, context).unlock(&conversation, UnlockVault()) {
                _ throws(ClientFailure) in try credential()
            }
            try conversation.show(opened, of: UnlockVault())
            let result = try body(&conversation)
            // The command is done, and what was lost is lost: its exit code says so, or no script would notice.
            if (result as? Outcome)?.code ?? .ok == .ok { try opened.first?.outcome.require() }
            return result
        }
    }

    /// Runs `body` with an agent that was started for it. An agent that does not stay is waited for.
    static func withNewAgent<R>(
        _ context: Context, _ body: (inout Conversation) throws(ClientFailure) -> R
    ) throws(ClientFailure) -> R {
        try AgentConnection.withNew(traits: context.client) { agent throws(ClientFailure) in
            var conversation = Conversation(agent, style: context.style, quiet: context.options.quiet)
            return try body(&conversation)
        }
    }

    /// How a vault is opened for a command.
    static func opening(_ location: VaultLocation, _ context: Context) -> VaultOpening {
        var opening = VaultOpening(location)
        opening.acceptsRollback = context.options.acceptRollback
        opening.acceptsLoss = context.options.acceptLoss
        opening.whenWaiting = VaultHolder.sayItWaits
        return opening
    }

    /// The agent that listens for a vault; nil when there is none.
    static func connect(_ vaultID: [UInt8]) throws(ClientFailure) -> Channel? {
        try AgentConnection.channel(to: vaultID)
    }

    /// Turns every outcome but success into a failure.
    static func require(_ outcome: Outcome) throws(ClientFailure) {
        try outcome.require()
    }
}
