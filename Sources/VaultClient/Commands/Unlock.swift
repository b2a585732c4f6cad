// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

struct UnlockCommand: Command {
    static let name = "unlock"
    static var spec: Spec {
        Spec(
            "Open the vault until it locks again.",
            examples: [
                "vault unlock": "Open the vault; it locks after 15 minutes without a command.",
                "vault unlock --idle 1h --max 12h": "Keep it open longer.",
                "vault unlock --recovery": "Open it with the recovery key when the password is lost.",
                "vault unlock --accept-loss": "Open a damaged vault without the changes that cannot be read.",
            ])
    }
    var recovery = false
    var idle: UInt32?
    var max: UInt32?
    var takeOver = false

    mutating func declare(_ list: inout ArgumentList) {
        list.flag(&recovery, "recovery", "Use the recovery key instead of the password.")
        list.time(
            &idle, "idle", "Lock after this time without a command: 90s, 15m, 8h (15 minutes, or lock.idle).",
            like: "90s, 15m or 8h",
            read: TimeSpan.seconds)
        list.time(
            &max, "max", "Lock after this time in any case (8 hours, or lock.max).", like: "90s, 15m or 8h",
            read: TimeSpan.seconds)
        list.flag(
            &takeOver, "take-over",
            "Open it although another machine has it open: only when that machine no longer runs.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        // A settings file that is wrong must not keep anybody from the notes.
        let settings = context.settingsOrDefaults
        let options = Options(
            recovery: recovery, idleSeconds: idle ?? settings.lockIdleSeconds,
            maxSeconds: max ?? settings.lockMaxSeconds, takesOver: takeOver)
        return try Self.unlock(options, context)
    }
}

/// This command starts an agent that stays.
extension UnlockCommand {
    /// `Options` holds what the line and the settings say together.
    private struct Options {
        let recovery: Bool
        let idleSeconds: UInt32
        let maxSeconds: UInt32
        let takesOver: Bool
    }

    private static func unlock(_ options: Options, _ context: Context) throws(ClientFailure) -> Outcome {
        let location = try context.location()
        if try isOpen(location, context) { return Outcome(.ok) }
        let source = try PasswordSource(context.options)
        if source == .terminal && context.options.noInput {
            throw ClientFailure(
                .locked, "a password is needed and --no-input was given",
                hint: "--password-file F, --password-fd N or NOTEVAULT_ASKPASS")
        }
        let opening = Session.opening(location, context)
        // Before anybody types a password for nothing.
        try opening.waitForTurn()
        SwapCheck.warn()
        var conversation = Conversation(
            try .toNew(traits: context.client), style: context.style, quiet: context.options.quiet)
        let outcome = try open(&conversation, options, source, opening, context)
        context.reporter.talk(
            "unlocked; locks after \(TimeSpan.description(seconds: options.idleSeconds)) idle, or after "
                + TimeSpan.description(seconds: options.maxSeconds) + " at the latest")
        let shown = context.options.json ? try conversation.perform(ShowStatus()) : Outcome(.ok)
        return shown.code == .ok ? outcome : shown
    }

    /// Returns whether an agent has the vault open already; then it says so.
    private static func isOpen(_ location: VaultLocation, _ context: Context) throws(ClientFailure) -> Bool {
        guard var conversation = try Session.running(location, context) else { return false }
        conversation.quiet = true
        conversation.dropsOutput = !context.options.json
        let outcome = try conversation.perform(ShowStatus())
        if outcome.code == .conflict { throw ClientFailure(outcome) }
        guard outcome.code == .ok else { return false }
        context.reporter.talk("already unlocked")
        return true
    }

    /// Unlocks the vault. A person at a terminal may try three times; a script's file does not change by being read
    /// again.
    private static func open(
        _ conversation: inout Conversation, _ options: Options, _ source: PasswordSource, _ opening: VaultOpening,
        _ context: Context
    ) throws(ClientFailure) -> Outcome {
        var request = UnlockVault()
        request.stays = true
        request.takesOver = options.takesOver
        request.idleSeconds = options.idleSeconds
        request.maxSeconds = options.maxSeconds
        request.noteIdleSeconds = try context.settings().lockNoteSeconds
        let attempts = source == .terminal ? 3 : 1
        let opened = try opening.unlock(&conversation, request, attempts: attempts) { attempt throws(ClientFailure) in
            if attempt > 1 {
                Streams.say(
                    "vault: wrong \(GivenKey.words(context, isRecovery: options.recovery)); attempt \(attempt - 1) of \(attempts)"
                )
            }
            return try GivenKey.present(context, isRecovery: options.recovery)
        }
        try conversation.show(opened, of: request)
        return opened.first?.outcome ?? Outcome(.ok)
    }
}
