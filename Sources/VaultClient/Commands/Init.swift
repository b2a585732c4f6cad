// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation
internal import SecretMemory
internal import VaultFormat

struct InitCommand: Command {
    static let name = "init"
    static var spec: Spec {
        Spec(
            "Create a vault.",
            examples: [
                "vault init": "Create a vault in the default place; the recovery key is shown once.",
                "vault --vault ~/work.vault init": "Create another one in a directory of your choice.",
                "vault init --recovery-file usb/key.txt": "Write the recovery key to a new file instead of the screen.",
            ])
    }
    var kdfTargetMilliseconds = PasswordCost.targetMilliseconds
    var noRecovery = false
    /// Where the recovery key is written to instead of the terminal.
    var recoveryFile: String?
    /// It is made on the way to a note, which is what is told of.
    var isBeside = false

    mutating func declare(_ list: inout ArgumentList) {
        list.time(
            &kdfTargetMilliseconds, "kdf-target",
            "Target time for one password attempt: 1s, 500ms, or 0 for the minimum.", like: "1s or 500ms",
            read: TimeSpan.kdfTarget)
        list.flag(&noRecovery, "no-recovery", "Do not make a recovery key.")
        list.option(
            &recoveryFile, "recovery-file", value: "file",
            "Write the recovery key to a new file instead of showing it.", completion: .file)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try create(context) }
}

/// This command makes a new vault. Nothing is written before the recovery key was typed back.
extension InitCommand {
    private func create(_ context: Context) throws(ClientFailure) -> Outcome {
        let location = try context.location()
        guard !location.hasHeader else {
            throw ClientFailure(
                .conflict, "there is already a vault at \(location.name)",
                hint: "vault unlock, or vault --vault DIR init")
        }
        try VaultFolders.refuseInside(String(decoding: location.directory, as: UTF8.self))
        try checkRecovery(context)
        // Who has just typed the password is not asked for it once more. A script's vault stays closed.
        let staysOpen = try PasswordSource(context).asksSomebody
        if staysOpen { SwapCheck.warn() }
        let unlocked = try Session.withNewAgent(context, mayStay: { (_: StayingUnlock?) in staysOpen }) {
            conversation throws(ClientFailure) -> StayingUnlock? in
            try create(location, &conversation, context)
            return staysOpen ? try open(location, &conversation, context) : nil
        }
        if let warning = FileSystemKind(of: location)?.warning { Streams.say("vault: warning: " + warning) }
        let vault = JSONText.quoted(String(decoding: location.directory, as: UTF8.self))
        let next = context.options.vault.map { "vault --vault " + ShellWord.quoted($0) } ?? "vault"
        if let unlocked { context.reporter.talk("unlocked; " + unlocked.span) }
        if isBeside { return Outcome(.ok) }
        try context.print(
            json: "{\"schema\":1,\"created\":true,\"unlocked\":\(unlocked != nil),\"vault\":\(vault)}",
            text: "vault created in \(location.name)\nnext: "
                + (unlocked != nil ? "" : "\(next) unlock\n      ") + "\(next) new \"my first note\"")
        return Outcome(.ok)
    }

    /// Leaves the vault open in the agent that has made it. The vault is there whatever comes of this.
    private func open(
        _ location: VaultLocation, _ conversation: inout Conversation, _ context: Context
    ) throws(ClientFailure) -> StayingUnlock? {
        let unlock = StayingUnlock(context.settingsOrDefaults)
        var request = unlock.request(context)
        request.isMadeHere = true
        let answer: (outcome: Outcome, replies: [OpenedVault])
        do throws(ClientFailure) {
            var turn = VaultHolder.Turn(whenLong: VaultHolder.sayItWaits)
            var last = try conversation.ask(request)
            while try turn.comesAgain(after: last.outcome, location) { last = try conversation.ask(request) }
            try last.outcome.require()
            answer = last
        } catch {
            let isUncertain = error.outcome.code == .interrupted
            Streams.warn(
                isUncertain
                    ? "whether it is unlocked is not known" : "it could not be unlocked yet: \(error.outcome.message)")
            let hint = isUncertain ? "vault status" : error.outcome.hint
            if !hint.isEmpty { Streams.say("vault: hint: " + hint) }
            return nil
        }
        try conversation.show(answer.replies, of: request)
        return unlock
    }

    /// Checks that the recovery key can reach its owner. A script has nobody to show it to: it says where the key goes,
    /// or that there shall be none.
    private func checkRecovery(_ context: Context) throws(ClientFailure) {
        if noRecovery && recoveryFile != nil {
            throw .usage("--no-recovery and --recovery-file cannot both be given")
        }
        if noRecovery { return }
        try RecoveryKey.checkHandover(recoveryFile, context, without: ", or --no-recovery")
    }

    private func create(
        _ location: VaultLocation, _ conversation: inout Conversation, _ context: Context
    ) throws(ClientFailure) {
        // What a try of the password is to cost is measured while it is typed.
        let measuring = MeasureCost(targetMilliseconds: kdfTargetMilliseconds)
        try conversation.agent.send(measuring)
        let password = try NewPassword.get(context)
        try conversation.agent.answer(to: measuring).outcome.require()
        try Session.require(try create(location, password, &conversation, context))
    }

    private func create(
        _ location: VaultLocation, _ password: borrowing SecretBytes,
        _ conversation: inout Conversation, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        var request = CreateVault(directory: location.directory)
        request.kdfTargetMilliseconds = kdfTargetMilliseconds
        request.withRecoveryKey = !noRecovery
        try Session.require(try conversation.perform(request, secret: password.duplicate()))
        guard request.withRecoveryKey else {
            return try conversation.perform(CommitCreation(), secret: SecretBytes(zeroes: 0))
        }
        guard let key = conversation.received.take() else {
            throw ClientFailure(.other, "the agent sent no recovery key")
        }
        return try RecoveryKey.hand(key, to: recoveryFile, CommitCreation(), &conversation, context)
    }
}
