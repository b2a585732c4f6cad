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
            &idle, "idle",
            "Lock after this time without a command; an open editor counts as one: 90s, 15m, 8h (15 minutes, or lock.idle).",
            like: "90s, 15m or 8h",
            read: TimeSpan.seconds)
        list.time(
            &max, "max", "Lock after this time in any case (8 hours, or lock.max).", like: "90s, 15m or 8h",
            read: TimeSpan.seconds)
        list.flag(
            &takeOver, "take-over",
            "Open it even if another machine has it open: only when that machine no longer runs.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        // A settings file that is wrong must not keep anybody from the notes.
        let settings = context.settingsOrDefaults
        var unlock = StayingUnlock(
            idleSeconds: idle ?? settings.lockIdleSeconds, maxSeconds: max ?? settings.lockMaxSeconds)
        (unlock.isRecovery, unlock.takesOver) = (recovery, takeOver)
        let location = try context.location()
        if try isOpen(location, context) { return Outcome(.ok) }
        do throws(ClientFailure) {
            return try unlock.with(location, context) { conversation, outcome throws(ClientFailure) in
                context.reporter.talk("unlocked; " + unlock.span)
                let shown = context.options.json ? try conversation.perform(ShowStatus()) : Outcome(.ok)
                return shown.code == .ok ? outcome : shown
            }
        } catch {
            // Somebody was quicker, such as the same command in another window.
            guard error.outcome.code == .conflict, try isOpen(location, context) else { throw error }
            return Outcome(.ok)
        }
    }

    /// Returns whether an agent has the vault open already; then it says so.
    private func isOpen(_ location: VaultLocation, _ context: Context) throws(ClientFailure) -> Bool {
        guard var conversation = try Session.running(location, context) else { return false }
        conversation.quiet = true
        conversation.dropsOutput = !context.options.json
        let outcome = try conversation.perform(ShowStatus())
        if outcome.code == .conflict { throw ClientFailure(outcome) }
        guard outcome.code == .ok else { return false }
        context.reporter.talk("already unlocked")
        return true
    }
}
