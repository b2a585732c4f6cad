// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import SecretMemory

/// `vault passwd` and `vault key …`: who may open the vault.
enum KeyCommands {
    static func list(_ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in try conversation.perform(ListKeys()) }
    }

    static func verify(isRecovery: Bool, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            try retried(context, isRecovery: isRecovery) { () throws(ClientFailure) in
                let key = try GivenKey.present(context, isRecovery: isRecovery)
                return try conversation.perform(VerifyKey(kind: key.kind), secret: key.secret.duplicate())
            }
        }
    }

    /// - Parameters:
    ///   - key: the key to change; nil for the one that is given.
    ///   - upgrade: the password stays, its cost is raised.
    static func changePassword(upgrade: Bool, key name: String?, _ options: KeyOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            let present = try GivenKey.present(context)
            var new = NewCredential(present.kind, kdfTargetMilliseconds: options.kdfTargetMilliseconds)
            if upgrade {
                new.keepsSecret = true
                return try conversation.perform(ChangeKey(kind: present.kind, ref: "", new: new), secret: present.secret.duplicate())
            }
            // The present one first: nobody makes up a new password to hear that the old one was wrong.
            try check(present, &conversation)
            let keyFile = options.newKeyFile ?? (present.kind == .passwordAndKeyFile ? context.options.keyFile : nil)
            if let made = options.newKeyFile { try KeyFileOnDisk.make(made, context.location(), &conversation, context) }
            let given = try GivenKey.new(options, keyFile: keyFile, context)
            new.kind = given.kind
            return try conversation.perform(
                ChangeKey(kind: present.kind, ref: name ?? "", new: new), secret: present.joined(with: given))
        }
    }

    static func add(name: String, _ options: KeyOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            let present = try GivenKey.present(context)
            try check(present, &conversation)
            if let made = options.newKeyFile { try KeyFileOnDisk.make(made, context.location(), &conversation, context) }
            let given = try GivenKey.new(options, keyFile: options.newKeyFile, context)
            let new = NewCredential(given.kind, kdfTargetMilliseconds: options.kdfTargetMilliseconds)
            return try conversation.perform(AddKey(kind: present.kind, name: name, new: new), secret: present.joined(with: given))
        }
    }

    static func remove(_ name: String, yes: Bool, _ context: Context) throws(ClientFailure) -> Outcome {
        try Session.with(context) { conversation throws(ClientFailure) in
            if !yes {
                try Confirmation.require(
                    "Remove the key \(VisibleText.escaped(name))? Anyone who has only this key will lose access.",
                    refused: "nothing was removed", hint: "vault key rm NAME --yes", context)
            }
            let present = try GivenKey.present(context)
            return try conversation.perform(RemoveKey(kind: present.kind, ref: name), secret: present.secret.duplicate())
        }
    }

    /// Asks the agent whether a credential opens the vault, without telling anybody.
    static func check(_ key: borrowing GivenKey, _ conversation: inout Conversation) throws(ClientFailure) {
        try Session.require(try conversation.ask(VerifyKey(kind: key.kind), secret: key.secret.duplicate()).outcome)
    }

    /// A person at a terminal may try three times; a script's file does not change by being read again.
    private static func retried(_ context: Context, isRecovery: Bool, _ body: () throws(ClientFailure) -> Outcome) throws(ClientFailure) -> Outcome {
        let tries = try GivenKey.source(context) == .terminal ? 3 : 1
        for attempt in 1..<tries {
            let outcome = try body()
            guard outcome.code == .wrongPassword else { return outcome }
            Streams.say("vault: wrong \(GivenKey.words(context, isRecovery: isRecovery)); attempt \(attempt) of \(tries)")
        }
        return try body()
    }
}
