// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import SecretMemory
internal import VaultFormat

struct RotateCommand: Command {
    static let name = "rotate"
    static var spec: Spec {
        Spec(
            "Make a new key, and re-encrypt everything under it.",
            discussion: """
                The vault stays open for reading and writing. If interrupted, it continues at the next unlock. Old \
                copies still open with the old key. With a remote everything is read and sent first; after it, each \
                other device adopts the new key with 'vault sync follow'.
                """,
            examples: [
                "vault rotate --dry-run": "See what there is to re-encrypt, and whether there is room.",
                "vault rotate --new-password":
                    "Make a new key and a new password, if somebody may have seen the old one.",
                "vault rotate --resume": "Wait for an interrupted rotation to finish.",
            ])
    }
    var dryRun = false
    var resume = false
    var setsNewPassword = false
    /// Keys whose passwords are not at hand may go.
    var dropOthers = false
    var unsynced = false
    var key = KeyOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.flag(&dryRun, "dry-run", "Only show what there is to do, and whether there is room.")
        list.flag(&resume, "resume", "Wait for a running rotation to finish.")
        declareChange(&list)
    }

    /// Declares what says how the key is changed.
    mutating func declareChange(_ list: inout ArgumentList) {
        list.flag(&setsNewPassword, "new-password", "Set a new password too.")
        list.flag(&dropOthers, "drop-others", "Drop the keys whose passwords are not given.")
        list.flag(&unsynced, "unsynced", "Rotate even if a remote cannot be read now.")
        key.declare(&list)
        list.option(
            &key.recoveryFile, "recovery-file", value: "file",
            "Write the new recovery key to a new file instead of showing it.", completion: .file)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        if resume && (dryRun || wantsNewPassword) { throw .usage("--resume continues a rotation as it was started") }
        return try Session.with(context) { conversation throws(ClientFailure) in
            if resume { return try watched(try conversation.perform(AwaitRotation())) }
            if dryRun { return try conversation.perform(PlanRotation()) }
            return try rotate(&conversation, context)
        }
    }
}

/// This command makes a new key and re-encrypts everything under it.
extension RotateCommand {
    /// Whether a new password is wanted: it is where the person says where it comes from.
    var wantsNewPassword: Bool {
        setsNewPassword || key.newPasswordFile != nil || key.newPasswordDescriptor != nil
    }

    /// Rotates the vault's key, after a question about the keys that will stop working.
    ///
    /// - Parameter device: the one that is given up with it, by its identifier; empty for none.
    func rotate(
        _ conversation: inout Conversation, _ context: Context, revoking device: String = ""
    ) throws(ClientFailure) -> Outcome {
        let keys = try KeyList.fetch(&conversation)
        if keys.contains(where: { $0.kind == .recoveryKey }) {
            try RecoveryKey.checkHandover(key.recoveryFile, context)
        }
        let present = try GivenKey.present(context)
        let opened = try KeyList.opened(by: present, &conversation)
        let dropped = keys.filter { $0.kind != .recoveryKey && $0.slotID != opened }
        try agree(dropped, context)
        var new = NewCredential(present.kind, kdfTargetMilliseconds: key.kdfTargetMilliseconds)
        let outcome: Outcome
        if wantsNewPassword {
            let given = try GivenKey.new(
                key, keyFile: present.kind == .passwordAndKeyFile ? context.options.keyFile : nil, context)
            new.kind = given.kind
            outcome = try conversation.perform(
                PrepareRotation(
                    kind: present.kind, new: new, dropped: dropped.map(\.slotID), isUnsynced: unsynced,
                    revoked: device),
                secret: present.joined(with: given))
        } else {
            new.keepsSecret = true
            outcome = try conversation.perform(
                PrepareRotation(
                    kind: present.kind, new: new, dropped: dropped.map(\.slotID), isUnsynced: unsynced,
                    revoked: device),
                secret: present.secret.duplicate())
        }
        try Session.require(outcome)
        guard let recoveryKey = conversation.received.take() else {
            return try watched(try conversation.perform(BeginRotation(revoked: device), secret: SecretBytes(zeroes: 0)))
        }
        return try watched(
            try RecoveryKey.hand(
                recoveryKey, to: key.recoveryFile, BeginRotation(revoked: device), keepsFile: true, &conversation,
                context))
    }

    /// Asks before keys stop working: somebody else's password must not go without a word.
    private func agree(_ dropped: [KeyRow], _ context: Context) throws(ClientFailure) {
        guard !dropped.isEmpty, !dropOthers else { return }
        for row in dropped {
            Streams.say(
                "vault: the key \(VisibleText.escaped(row.name)) will stop working, because its password was not given")
        }
        try Confirmation.require(
            "Continue without \(dropped.count == 1 ? "it" : "them")?", refused: "nothing was changed",
            hint: "vault rotate --drop-others", context)
    }

    /// Says after Ctrl-C that the agent goes on by itself once the new key is in place.
    private func watched(_ outcome: Outcome) throws(ClientFailure) -> Outcome {
        guard outcome.code == .interrupted else { return outcome }
        return Outcome(
            .interrupted,
            "interrupted; if the new key was already in place, the rotation continues while the vault is open",
            hint: "vault status says so; vault rotate --resume waits until it ends")
    }
}
