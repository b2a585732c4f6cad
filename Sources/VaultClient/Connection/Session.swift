// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation
internal import SecretMemory

/// Finds an open vault for a command: its agent, or a private agent for this command alone when a password source is given.
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
                channel, client: context.client, style: context.style, quiet: context.options.quiet, directory: location.identity)
            return try body(&conversation)
        }
        let source = try PasswordSource(context.options)
        guard source != .terminal else {
            throw ClientFailure(.locked, "the vault is locked", hint: "vault unlock")
        }
        return try withNewAgent(context) { conversation throws(ClientFailure) in
            try probe(location, context, &conversation)
            var turn = VaultHolder.Turn(whenLong: VaultHolder.sayItWaits)
            try turn.wait(location)
            let key = try GivenKey.present(context)
            var request = UnlockVault()
            request.credential = key.kind
            var outcome = try conversation.perform(request, secret: key.secret.duplicate())
            while try turn.comesAgain(after: outcome, location) {
                outcome = try conversation.perform(request, secret: key.secret.duplicate())
            }
            try require(outcome)
            return try body(&conversation)
        }
    }

    /// Runs `body` with an agent that was started for it. An agent that does not stay is waited for.
    static func withNewAgent<R>(
        _ context: Context, _ body: (inout Conversation) throws(ClientFailure) -> R
    ) throws(ClientFailure) -> R {
        let started = try AgentLauncher.start()
        let pid = started.pid
        let result: Result<R, ClientFailure>
        do throws(ClientFailure) {
            var conversation = try Conversation(
                started.takeChannel(), client: context.client, style: context.style, quiet: context.options.quiet, isNew: true)
            result = .success(try body(&conversation))
        } catch {
            result = .failure(error)
        }
        // The connection is closed here, which ends an agent that does not stay.
        AgentLauncher.waitForEnd(of: pid)
        return try result.get()
    }

    /// The agent that listens for a vault; nil when there is none.
    static func connect(_ vaultID: [UInt8]) throws(ClientFailure) -> Channel? { try AgentConnection.channel(to: vaultID) }

    /// Shows the vault's directory to an agent; no password is asked for before it agrees.
    static func probe(
        _ location: VaultLocation, _ context: Context, _ conversation: inout Conversation
    ) throws(ClientFailure) {
        try require(
            try conversation.perform(
                ProbeVault(directory: location.directory, acceptRollback: context.options.acceptRollback)))
    }

    /// Turns every outcome but success into a failure.
    static func require(_ outcome: Outcome) throws(ClientFailure) {
        if outcome.code != .ok { throw ClientFailure(outcome) }
    }
}
