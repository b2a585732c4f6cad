// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc
internal import SecretMemory

/// `vault init`: a new vault. Nothing is written before the recovery key was typed back.
enum InitCommand {
    static func run(_ options: InitOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        let location = try context.location()
        guard !location.hasHeader else {
            throw ClientFailure(
                .conflict, "there is already a vault at \(location.name)", hint: "vault unlock, or vault --vault DIR init")
        }
        try checkRecovery(options, context)
        let password = try NewPassword.get(context)
        let outcome = try Session.withNewAgent(context) { conversation throws(ClientFailure) in
            try create(location, options, password, &conversation, context)
        }
        try Session.require(outcome)
        let vault = JSONText.quoted(String(decoding: location.directory, as: UTF8.self))
        let next = context.options.vault.map { "vault --vault " + ShellWord.quoted($0) } ?? "vault"
        try context.print(
            json: "{\"schema\":1,\"created\":true,\"vault\":\(vault)}",
            text: "vault created in \(location.name)\nnext: \(next) unlock\n      \(next) new \"my first note\"")
        return Outcome(.ok)
    }

    /// A script has nobody to show the key to: it says where the key goes, or that there shall be none.
    private static func checkRecovery(_ options: InitOptions, _ context: Context) throws(ClientFailure) {
        if options.noRecovery && options.recoveryFile != nil {
            throw .usage("--no-recovery and --recovery-file cannot both be given")
        }
        if let file = options.recoveryFile { return try RecoveryKey.checkIsNew(file) }
        if options.noRecovery { return }
        guard !context.options.noInput, Terminal.canAsk else {
            throw ClientFailure(
                .locked, "the recovery key must be shown and typed back, and there is nobody to ask",
                hint: "--recovery-file FILE, or --no-recovery")
        }
    }

    private static func create(
        _ location: VaultLocation, _ options: InitOptions, _ password: borrowing SecretBytes,
        _ conversation: inout Conversation, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        var request = CreateOptions(directory: location.directory)
        request.kdfTargetMilliseconds = options.kdfTargetMilliseconds
        request.withRecoveryKey = !options.noRecovery
        try Session.require(try conversation.perform(.create(request), secret: password.duplicate()))
        guard request.withRecoveryKey else {
            return try conversation.perform(.commitCreation, secret: SecretBytes(zeroes: 0))
        }
        guard let key = conversation.received.take() else {
            throw ClientFailure(.other, "the agent sent no recovery key")
        }
        if let file = options.recoveryFile { return try commit(key, to: file, &conversation, context) }
        return try commitTyped(key, &conversation)
    }

    private static func commitTyped(
        _ key: borrowing SecretBytes, _ conversation: inout Conversation
    ) throws(ClientFailure) -> Outcome {
        try RecoveryKey.show(key)
        for _ in 0..<2 {
            let outcome = try conversation.perform(.commitCreation, secret: try RecoveryKey.askBack())
            guard outcome.code == .aborted else { return outcome }
            Streams.say("vault: that is not the recovery key; look again")
        }
        return try conversation.perform(.commitCreation, secret: try RecoveryKey.askBack())
    }

    private static func commit(
        _ key: borrowing SecretBytes, to file: String, _ conversation: inout Conversation, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        try RecoveryKey.save(key, to: file)
        let outcome: Outcome
        do throws(ClientFailure) {
            outcome = try conversation.perform(.commitCreation, secret: key.duplicate())
        } catch {
            unsafe unlink(file)
            throw error
        }
        if outcome.code != .ok { unsafe unlink(file) }
        if outcome.code == .ok {
            context.reporter.talk("recovery key written to \(VisibleText.escaped(file)); keep it apart from the vault")
        }
        return outcome
    }
}
