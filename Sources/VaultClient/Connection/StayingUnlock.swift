// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

/// `StayingUnlock` opens the vault in an agent that stays until it locks: for `vault unlock`, and for a command that
/// finds the vault locked and a person at the terminal.
struct StayingUnlock {
    /// The recovery key is asked for instead of the password.
    var isRecovery = false
    let idleSeconds: UInt32
    let maxSeconds: UInt32
    /// Also from another machine that has it open, on the owner's word.
    var takesOver = false

    /// Takes the times from the settings. A settings file that is wrong must not keep anybody from the notes.
    init(_ settings: Settings) { (idleSeconds, maxSeconds) = (settings.lockIdleSeconds, settings.lockMaxSeconds) }

    init(idleSeconds: UInt32, maxSeconds: UInt32) { (self.idleSeconds, self.maxSeconds) = (idleSeconds, maxSeconds) }

    /// Asks for what opens the vault, opens it, and runs `body` with its agent.
    ///
    /// - Throws: what `VaultOpening` and `GivenKey` throw; `.locked` where nobody may be asked.
    func with<R>(
        _ location: VaultLocation, _ context: Context,
        _ body: (inout Conversation, Outcome) throws(ClientFailure) -> R
    ) throws(ClientFailure) -> R {
        let source = try PasswordSource(context)
        if source.asksSomebody && context.options.noInput {
            throw ClientFailure(
                .locked, "a password is needed and --no-input was given",
                hint: "--password-file F, --password-fd N or NOTEVAULT_ASKPASS")
        }
        // A person at a terminal may try three times; a script's file does not change by being read again.
        let attempts = source.asksSomebody ? 3 : 1
        return try with(location, context, attempts: attempts) { attempt throws(ClientFailure) in
            if attempt > 1 {
                let words = GivenKey.words(context, isRecovery: isRecovery)
                Streams.say("vault: wrong \(words); attempt \(attempt - 1) of \(attempts)")
            }
            return try GivenKey.present(context, isRecovery: isRecovery)
        } _: { conversation, outcome throws(ClientFailure) in
            try body(&conversation, outcome)
        }
    }

    /// Does so with a credential that is known.
    func with<R>(
        _ location: VaultLocation, _ context: Context, attempts: Int = 1,
        credential: (Int) throws(ClientFailure) -> Credential,
        _ body: (inout Conversation, Outcome) throws(ClientFailure) -> R
    ) throws(ClientFailure) -> R {
        let opening = Session.opening(location, context)
        Unattended.giveWay(location)
        // Before anybody types a password for nothing.
        try opening.waitForTurn()
        SwapCheck.warn()
        var conversation = Conversation(
            try .toNew(traits: context.client), style: context.style, quiet: context.options.quiet)
        let request = request(context)
        let opened = try opening.unlock(&conversation, request, attempts: attempts, credential: credential)
        try conversation.show(opened, of: request)
        return try body(&conversation, opened.first?.outcome ?? Outcome(.ok))
    }

    /// Returns what an agent is asked for.
    func request(_ context: Context) -> UnlockVault {
        var request = UnlockVault()
        request.stays = true
        request.takesOver = takesOver
        (request.idleSeconds, request.maxSeconds) = (idleSeconds, maxSeconds)
        request.noteIdleSeconds = context.settingsOrDefaults.lockNoteSeconds
        return request
    }

    /// How long the vault stays open, as part of a sentence.
    var span: String {
        "locks after \(TimeSpan.description(seconds: idleSeconds)) idle, or after "
            + TimeSpan.description(seconds: maxSeconds) + " at the latest"
    }
}
