// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

/// `Session` finds an open vault for a command: its agent; one that somebody at the terminal opens now, and that stays;
/// or a private agent for this command alone when a password source is given.
enum Session {
    /// Runs `body` with an open vault.
    ///
    /// - Throws: `.locked` without an agent, a password source and somebody to ask; what `probe` and `unlock` answer.
    static func with<R>(
        _ context: Context, _ body: (inout Conversation) throws(ClientFailure) -> R
    ) throws(ClientFailure) -> R {
        _ = try context.settings()
        let location = try context.location()
        if var conversation = try running(location, context) { return try body(&conversation) }
        let source = try PasswordSource(context)
        if source.asksSomebody {
            guard !context.options.noInput, source != .terminal || Terminal.canAsk else {
                throw ClientFailure(.locked, "the vault is locked", hint: "vault unlock")
            }
            return try StayingUnlock(context.settingsOrDefaults).with(location, context) {
                conversation, opened throws(ClientFailure) in
                let result = try body(&conversation)
                if (result as? Outcome)?.code ?? .ok == .ok { try opened.require() }
                return result
            }
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
        _ context: Context, mayStay: (R) -> Bool = { _ in false },
        _ body: (inout Conversation) throws(ClientFailure) -> R
    ) throws(ClientFailure) -> R {
        try AgentConnection.withNew(traits: context.client, mayStay: mayStay) { agent throws(ClientFailure) in
            var conversation = Conversation(agent, style: context.style, quiet: context.options.quiet)
            return try body(&conversation)
        }
    }

    /// Returns how a vault is opened for a command.
    static func opening(_ location: VaultLocation, _ context: Context) -> VaultOpening {
        var opening = VaultOpening(location)
        opening.acceptsRollback = context.options.acceptRollback
        opening.acceptsLoss = context.options.acceptLoss
        opening.whenWaiting = VaultHolder.sayItWaits
        opening.whenKeysAreCostly = { probed throws(ClientFailure) in try triesDearKeys(probed, context) }
        return opening
    }

    /// Names the keyslots that cost too much, and asks whether they are tried anyway. Without anybody to ask they
    /// are not: the agent says so when nothing else opens.
    private static func triesDearKeys(_ probed: ProbedVault, _ context: Context) throws(ClientFailure) -> Bool {
        var page = Page(context.style)
        ProbeVault().present(probed, on: &page)
        let isDear = probed.costlyKeys.contains { $0.obstacle == .work }
        if isDear || !context.options.quiet {
            for case .talk(let line) in page.pieces { Streams.writeAll(line, to: Streams.talk) }
        }
        guard isDear, !context.options.noInput, Terminal.canAsk else { return false }
        return try Confirmation.ask("Trying the password may take minutes. Did you set this cost yourself?")
    }

    /// Begins with the agent that has a vault open; nil when there is none.
    static func running(_ location: VaultLocation, _ context: Context) throws(ClientFailure) -> Conversation? {
        let agent = try AgentConnection.toRunning(
            location, traits: context.client, whenSilent: AgentProcess.sayItIsSilent)
        guard let agent else { return nil }
        return Conversation(agent, style: context.style, quiet: context.options.quiet)
    }

    /// Turns every outcome but success into a failure.
    static func require(_ outcome: Outcome) throws(ClientFailure) {
        try outcome.require()
    }
}

extension VaultHolder {
    /// Tells why a command waits for its turn.
    static func sayItWaits(_ holder: VaultHolder) {
        Streams.say("vault: note: \(holder.name) has this vault open; this command waits for it to finish")
    }
}
