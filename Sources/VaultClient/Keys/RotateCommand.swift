// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import SecretMemory

/// `vault rotate`: a new key, and everything re-encrypted under it.
enum RotateCommand {
    static func run(_ options: RotateOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        if options.resume && (options.dryRun || options.newPassword) { throw .usage("--resume continues a rotation as it was started") }
        return try Session.with(context) { conversation throws(ClientFailure) in
            if options.resume { return try watched(try conversation.perform(AwaitRotation())) }
            if options.dryRun { return try conversation.perform(PlanRotation()) }
            return try rotate(options, &conversation, context)
        }
    }

    private static func rotate(
        _ options: RotateOptions, _ conversation: inout Conversation, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        let keys = try KeyList.fetch(&conversation)
        if keys.contains(where: { $0.kind == .recoveryKey }) { try RecoveryKey.checkHandover(options.key.recoveryFile, context) }
        let present = try GivenKey.present(context)
        let opened = try KeyList.opened(by: present, &conversation)
        let dropped = keys.filter { $0.kind != .recoveryKey && $0.slotID != opened }
        try agree(dropped, options, context)
        var new = NewCredential(present.kind, kdfTargetMilliseconds: options.key.kdfTargetMilliseconds)
        let outcome: Outcome
        if options.newPassword {
            let given = try GivenKey.new(options.key, keyFile: present.kind == .passwordAndKeyFile ? context.options.keyFile : nil, context)
            new.kind = given.kind
            outcome = try conversation.perform(
                PrepareRotation(kind: present.kind, new: new, dropped: dropped.map(\.slotID)), secret: present.joined(with: given))
        } else {
            new.keepsSecret = true
            outcome = try conversation.perform(
                PrepareRotation(kind: present.kind, new: new, dropped: dropped.map(\.slotID)), secret: present.secret.duplicate())
        }
        try Session.require(outcome)
        guard let key = conversation.received.take() else {
            return try watched(try conversation.perform(BeginRotation(), secret: SecretBytes(zeroes: 0)))
        }
        return try watched(
            try RecoveryKey.hand(key, to: options.key.recoveryFile, BeginRotation(), keepsFile: true, &conversation, context))
    }

    /// Somebody else's password must not go without a word.
    private static func agree(_ dropped: [KeyRow], _ options: RotateOptions, _ context: Context) throws(ClientFailure) {
        guard !dropped.isEmpty, !options.dropOthers else { return }
        for key in dropped { Streams.say("vault: the key \(VisibleText.escaped(key.name)) will stop working, because its password was not given") }
        try Confirmation.require(
            "Continue without \(dropped.count == 1 ? "it" : "them")?", refused: "nothing was changed", hint: "vault rotate --drop-others", context)
    }

    /// After Ctrl-C the agent goes on by itself once the new key is in place.
    private static func watched(_ outcome: Outcome) throws(ClientFailure) -> Outcome {
        guard outcome.code == .interrupted else { return outcome }
        return Outcome(
            .interrupted, "interrupted; if the new key was already in place, the rotation continues while the vault is open",
            hint: "vault status says so; vault rotate --resume waits until it ends")
    }
}
