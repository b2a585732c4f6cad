// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation
internal import SecretMemory

/// `vault unlock`: starts an agent that stays.
enum UnlockCommand {
    static func run(_ options: UnlockCommandOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        let location = try context.location()
        if try isOpen(location, context) { return Outcome(.ok) }
        let source = try PasswordSource(context.options)
        if source == .terminal && context.options.noInput {
            throw ClientFailure(
                .locked, "a password is needed and --no-input was given",
                hint: "--password-file F, --password-fd N or NOTEVAULT_ASKPASS")
        }
        // Before anybody types a password for nothing.
        var turn = VaultHolder.Turn(whenLong: VaultHolder.sayItWaits)
        try turn.wait(location)
        SwapCheck.warn()
        let started = try AgentLauncher.start()
        var conversation = try Conversation(
            started.takeChannel(), client: context.client, style: context.style, quiet: context.options.quiet, isNew: true)
        try Session.probe(location, context, &conversation)
        try Session.require(try open(&conversation, options, source, location, context))
        context.reporter.talk(
            "unlocked; locks after \(TimeSpan.description(seconds: options.idleSeconds)) idle, or after "
                + TimeSpan.description(seconds: options.maxSeconds) + " at the latest")
        return context.options.json ? try conversation.perform(ShowStatus()) : Outcome(.ok)
    }

    /// Whether an agent has the vault open already; then it says so.
    private static func isOpen(_ location: VaultLocation, _ context: Context) throws(ClientFailure) -> Bool {
        guard let channel = try Session.connect(try location.vaultID()) else { return false }
        var conversation = try Conversation(
            channel, client: context.client, style: context.style, quiet: true, directory: location.identity)
        conversation.dropsOutput = !context.options.json
        let outcome = try conversation.perform(ShowStatus())
        if outcome.code == .conflict { throw ClientFailure(outcome) }
        guard outcome.code == .ok else { return false }
        context.reporter.talk("already unlocked")
        return true
    }

    /// A person at a terminal may try three times; a script's file does not change by being read again.
    private static func open(
        _ conversation: inout Conversation, _ options: UnlockCommandOptions, _ source: PasswordSource, _ location: VaultLocation,
        _ context: Context
    ) throws(ClientFailure) -> Outcome {
        var request = UnlockVault()
        request.stays = true
        request.idleSeconds = options.idleSeconds
        request.maxSeconds = options.maxSeconds
        request.noteIdleSeconds = try context.settings().lockNoteSeconds
        let tries = source == .terminal ? 3 : 1
        for attempt in 1...tries {
            let key = try GivenKey.present(context, isRecovery: options.recovery)
            request.credential = key.kind
            var turn = VaultHolder.Turn(whenLong: VaultHolder.sayItWaits)
            var outcome = try conversation.perform(request, secret: key.secret.duplicate())
            while try turn.comesAgain(after: outcome, location) {
                outcome = try conversation.perform(request, secret: key.secret.duplicate())
            }
            guard outcome.code == .wrongPassword, attempt < tries else { return outcome }
            Streams.say("vault: wrong \(GivenKey.words(context, isRecovery: options.recovery)); attempt \(attempt) of \(tries)")
        }
        return Outcome(.wrongPassword)
    }
}
