// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation
internal import SecretMemory

/// `vault init`: a new vault. Nothing is written before the recovery key was typed back.
enum InitCommand {
    static func run(_ options: InitOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        let location = try context.location()
        guard !location.hasHeader else {
            throw ClientFailure(
                .conflict, "there is already a vault at \(location.name)", hint: "vault unlock, or vault --vault DIR init")
        }
        try VaultFolders.refuseInside(String(decoding: location.directory, as: UTF8.self))
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
        if options.noRecovery { return }
        try RecoveryKey.checkHandover(options.recoveryFile, context, without: ", or --no-recovery")
    }

    private static func create(
        _ location: VaultLocation, _ options: InitOptions, _ password: borrowing SecretBytes,
        _ conversation: inout Conversation, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        var request = CreateVault(directory: location.directory)
        request.kdfTargetMilliseconds = options.kdfTargetMilliseconds
        request.withRecoveryKey = !options.noRecovery
        try Session.require(try conversation.perform(request, secret: password.duplicate()))
        guard request.withRecoveryKey else {
            return try conversation.perform(CommitCreation(), secret: SecretBytes(zeroes: 0))
        }
        guard let key = conversation.received.take() else {
            throw ClientFailure(.other, "the agent sent no recovery key")
        }
        return try RecoveryKey.hand(key, to: options.recoveryFile, CommitCreation(), &conversation, context)
    }
}
