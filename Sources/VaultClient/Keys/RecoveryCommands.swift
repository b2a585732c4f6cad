// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation
internal import SecretMemory

/// `vault recovery …`: the key on paper that opens the vault when its password is forgotten.
enum RecoveryCommands {
    static func new(_ options: KeyOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        try RecoveryKey.checkHandover(options.recoveryFile, context)
        if let page = options.page { try NewFile.checkIsNew(page) }
        let location = try context.location()
        let outcome = try Session.with(context) { conversation throws(ClientFailure) in
            let present = try GivenKey.present(context)
            try Session.require(try conversation.perform(PrepareRecoveryKey(kind: present.kind), secret: present.secret.duplicate()))
            guard let key = conversation.received.take() else { throw ClientFailure(.other, "the agent sent no recovery key") }
            let outcome = try RecoveryKey.hand(key, to: options.recoveryFile, CommitRecoveryKey(), &conversation, context)
            if outcome.code == .ok, let page = options.page { try RecoveryPageFile.write(key, to: page, location, context) }
            return outcome
        }
        try Session.require(outcome)
        try context.print(json: "{\"schema\":1,\"created\":true}", text: "new recovery key; the old one no longer works")
        return Outcome(.ok)
    }

    /// Proves that a recovery key opens the vault, and changes nothing.
    static func test(_ context: Context) throws(ClientFailure) -> Outcome {
        let key = try GivenKey.recovery(context)
        try prove(key, context)
        try context.print(json: "{\"schema\":1,\"opens\":true}", text: "this recovery key opens the vault")
        return Outcome(.ok)
    }

    /// A new password instead of the one that was forgotten.
    static func use(key name: String?, _ options: KeyOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        let recovery = try GivenKey.recovery(context)
        try prove(recovery, context)
        if let made = options.newKeyFile, !KeyFileOnDisk.exists(made) {
            throw .usage("there is no key file \(VisibleText.escaped(made))", hint: "vault key add --new-key-file NEWFILE makes one later")
        }
        let given = try GivenKey.new(options, keyFile: options.newKeyFile, context)
        let new = NewCredential(given.kind, kdfTargetMilliseconds: options.kdfTargetMilliseconds)
        return try with(recovery, context) { conversation throws(ClientFailure) in
            try conversation.perform(ChangeKey(kind: recovery.kind, ref: name ?? "", new: new), secret: recovery.joined(with: given))
        }
    }

    /// A page for the drawer, of a key that opens the vault.
    static func print(_ path: String, _ context: Context) throws(ClientFailure) -> Outcome {
        if path != "-" { try NewFile.checkIsNew(path) } else { try Terminal.refuseOutput(of: "a page") }
        let key = try GivenKey.recovery(context)
        try prove(key, context)
        try RecoveryPageFile.write(key.secret, to: path, context.location(), context)
        if path != "-" { try context.print(json: "{\"schema\":1,\"written\":\(JSONText.quoted(path))}", text: "") }
        return Outcome(.ok)
    }

    private static func prove(_ key: borrowing GivenKey, _ context: Context) throws(ClientFailure) {
        try with(key, context) { conversation throws(ClientFailure) in try KeyCommands.check(key, &conversation) }
    }

    /// With the agent that has the vault open, or one for this command that the recovery key itself opens.
    private static func with<R>(
        _ key: borrowing GivenKey, _ context: Context, _ body: (inout Conversation) throws(ClientFailure) -> R
    ) throws(ClientFailure) -> R {
        let location = try context.location()
        if let channel = try Session.connect(try location.vaultID()) {
            var conversation = try Conversation(
                channel, client: context.client, style: context.style, quiet: context.options.quiet, directory: location.identity)
            return try body(&conversation)
        }
        let secret = key.secret.duplicate()
        return try Session.withNewAgent(context) { conversation throws(ClientFailure) in
            try Session.probe(location, context, &conversation)
            var request = UnlockVault()
            request.credential = .recoveryKey
            var turn = VaultHolder.Turn(whenLong: VaultHolder.sayItWaits)
            try turn.wait(location)
            var outcome = try conversation.perform(request, secret: secret.duplicate())
            while try turn.comesAgain(after: outcome, location) {
                outcome = try conversation.perform(request, secret: secret.duplicate())
            }
            try Session.require(outcome)
            return try body(&conversation)
        }
    }
}
