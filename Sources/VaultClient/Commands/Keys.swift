// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import SecretMemory
internal import VaultFormat

extension CommandTree {
    static let keys = Section(
        title: "Passwords and keys",
        entries: [
            .command(PasswordCommand.self), .group(KeyGroup.self), .group(RecoveryGroup.self),
            .command(RotateCommand.self),
        ])
}

struct PasswordCommand: Command {
    static let name = "passwd"
    static var spec: Spec {
        Spec(
            "Change the vault's password.",
            discussion: """
                An old copy of the vault still opens with the old password. 'vault rotate' makes a new key and \
                re-encrypts everything.
                """,
            examples: [
                "vault passwd": "Change the password; the old one is asked for.",
                "vault passwd --upgrade": "Keep it, and make it as costly to guess as a new one.",
            ])
    }
    var upgrade = false
    var key: String?
    var options = KeyOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.flag(&upgrade, "upgrade", "Keep the password, and make it as costly to guess as a new one.")
        list.option(&key, "key", value: "name", "Change this key instead of the one whose password is given.")
        options.declare(&list)
        options.declareKeyFile(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try KeyCommands.changePassword(upgrade: upgrade, key: key, options, context)
    }
}

/// `KeyGroup` is the heading `vault key`.
enum KeyGroup: CommandGroup {
    static let name = "key"
    static var spec: Spec {
        Spec(
            "Manage the passwords and key files that open the vault.",
            examples: [
                "vault key ls": "See what opens the vault.",
                "vault key add --name laptop": "Add a second password.",
            ])
    }
    static var commands: CommandList {
        [KeyListCommand.self, KeyAddCommand.self, KeyRemoveCommand.self, KeyVerifyCommand.self]
    }
}

struct KeyListCommand: Command {
    static let name = "ls"
    static var spec: Spec {
        Spec(
            "List the keys that open the vault.",
            examples: ["vault key ls": "Names, dates and costs of all keys."])
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try KeyCommands.list(context) }
}

struct KeyAddCommand: Command {
    static let name = "add"
    static var spec: Spec {
        Spec(
            "Add a password, with or without a key file.",
            discussion: """
                With a key file, both are needed: the password, which is typed, and the file, which is kept \
                elsewhere.
                """,
            examples: [
                "vault key add --name laptop": "Add another password.",
                "vault key add --name stick --new-key-file /media/stick/vault.key":
                    "Add one that also needs a file on a stick.",
            ])
    }
    var name = ""
    var options = KeyOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.required(&name, "name", value: "name", "The key's name.")
        options.declare(&list)
        options.declareKeyFile(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try KeyCommands.add(name: name, options, context)
    }
}

struct KeyRemoveCommand: Command {
    static let name = "rm"
    static var spec: Spec {
        Spec(
            "Remove a key.",
            discussion: "The last password cannot be removed. An old copy of the vault still opens with a removed key.",
            examples: ["vault key rm laptop": "Remove the key called laptop."])
    }
    var key = ""
    var yes = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&key, "key", "Its name, or the beginning of its identifier.")
        list.flag(&yes, "yes", "Do not ask.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try KeyCommands.remove(key, yes: yes, context) }
}

struct KeyVerifyCommand: Command {
    static let name = "verify"
    static var spec: Spec {
        Spec(
            "Show which key a password belongs to.",
            discussion: "Nothing is changed. Use it to find out whether you still know a password.",
            examples: ["vault key verify": "Find out whether you still know a password, and which one it is."])
    }
    var recovery = false

    mutating func declare(_ list: inout ArgumentList) {
        list.flag(&recovery, "recovery", "Verify the recovery key instead of a password.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try KeyCommands.verify(isRecovery: recovery, context)
    }
}

/// `KeyOptions` holds what commands about keys are told of a new one.
struct KeyOptions: Sendable, Equatable, ArgumentGroup {
    /// Where a new password comes from; without either it is asked for on the terminal.
    var newPasswordFile: String?
    var newPasswordDescriptor: Int32?
    /// A key file that the new password needs beside it; it is made when it is not there.
    var newKeyFile: String?
    var kdfTargetMilliseconds = PasswordCost.targetMilliseconds
    /// Where a new recovery key is written to instead of the terminal.
    var recoveryFile: String?
    /// Where its page for the drawer is written to.
    var page: String?

    /// Declares where a new password comes from, and what one try of it is to cost.
    mutating func declare(_ list: inout ArgumentList) {
        list.option(
            &newPasswordFile, "new-password-file", value: "file", "Read the new password from a file.",
            completion: .file)
        list.option(
            &newPasswordDescriptor, "new-password-fd", value: "n", "Read the new password from an open descriptor.")
        list.time(
            &kdfTargetMilliseconds, "kdf-target",
            "Target time for one attempt at the new password: 1s, 500ms, or 0 for the minimum.",
            like: "1s or 500ms", read: TimeSpan.kdfTarget)
    }

    /// Declares a file that the new password needs beside it.
    mutating func declareKeyFile(_ list: inout ArgumentList) {
        list.option(
            &newKeyFile, "new-key-file", value: "file",
            "A key file that is needed with the new password; created if missing.",
            completion: .file)
    }
}

/// `KeyCommands` runs `vault passwd` and `vault key …`: who may open the vault.
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

    /// Changes the password of a key, or only the cost of the one that is given.
    ///
    /// - Parameters:
    ///   - key: the key to change; nil for the one that is given.
    ///   - upgrade: the password stays, its cost is raised.
    static func changePassword(upgrade: Bool, key name: String?, _ options: KeyOptions, _ context: Context)
        throws(ClientFailure) -> Outcome
    {
        try Session.with(context) { conversation throws(ClientFailure) in
            let present = try GivenKey.present(context)
            var new = NewCredential(present.kind, kdfTargetMilliseconds: options.kdfTargetMilliseconds)
            if upgrade {
                new.keepsSecret = true
                return try conversation.perform(
                    ChangeKey(kind: present.kind, ref: "", new: new), secret: present.secret.duplicate())
            }
            // The present one first: nobody makes up a new password to hear that the old one was wrong.
            try check(present, &conversation)
            let keyFile = options.newKeyFile ?? (present.kind == .passwordAndKeyFile ? context.options.keyFile : nil)
            if let made = options.newKeyFile {
                try KeyFileOnDisk.make(made, context.location(), &conversation, context)
            }
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
            if let made = options.newKeyFile {
                try KeyFileOnDisk.make(made, context.location(), &conversation, context)
            }
            let given = try GivenKey.new(options, keyFile: options.newKeyFile, context)
            let new = NewCredential(given.kind, kdfTargetMilliseconds: options.kdfTargetMilliseconds)
            return try conversation.perform(
                AddKey(kind: present.kind, name: name, new: new), secret: present.joined(with: given))
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
            return try conversation.perform(
                RemoveKey(kind: present.kind, ref: name), secret: present.secret.duplicate())
        }
    }

    /// Asks the agent whether a credential opens the vault, without telling anybody.
    static func check(_ key: borrowing Credential, _ conversation: inout Conversation) throws(ClientFailure) {
        try Session.require(try conversation.ask(VerifyKey(kind: key.kind), secret: key.secret.duplicate()).outcome)
    }

    /// Runs a command again after a wrong password. A person at a terminal may try three times; a script's file does
    /// not change by being read again.
    private static func retried(_ context: Context, isRecovery: Bool, _ body: () throws(ClientFailure) -> Outcome)
        throws(ClientFailure) -> Outcome
    {
        let tries = try GivenKey.source(context).asksSomebody ? 3 : 1
        for attempt in 1..<tries {
            let outcome = try body()
            guard outcome.code == .wrongPassword else { return outcome }
            Streams.say(
                "vault: wrong \(GivenKey.words(context, isRecovery: isRecovery)); attempt \(attempt) of \(tries)")
        }
        return try body()
    }
}
