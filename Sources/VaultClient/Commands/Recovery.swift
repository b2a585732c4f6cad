// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation
internal import SecretMemory

/// `RecoveryGroup` is the heading `vault recovery`.
enum RecoveryGroup: CommandGroup {
    static let name = "recovery"
    static var spec: Spec {
        Spec(
            "Recovery key for a forgotten password.",
            examples: [
                "vault recovery test": "Prove that the key on paper still works.",
                "vault recovery use": "Set a new password with it.",
            ])
    }
    static var commands: CommandList {
        [RecoveryNewCommand.self, RecoveryTestCommand.self, RecoveryUseCommand.self, RecoveryPrintCommand.self]
    }
}

struct RecoveryNewCommand: Command {
    static let name = "new"
    static var spec: Spec {
        Spec(
            "Make a new recovery key; the old one stops working.",
            discussion: """
                It is shown once, and you type it back. An old copy of the vault still opens with the old key.
                """,
            examples: [
                "vault recovery new": "Replace the recovery key; the new one is shown once.",
                "vault recovery new --page page.pdf": "Also make a printable recovery sheet.",
            ])
    }
    var options = KeyOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.option(
            &options.recoveryFile, "recovery-file", value: "file",
            "Write the recovery key to a new file instead of showing it.", completion: .file)
        list.option(
            &options.page, "page", value: "file", "Also write a printable recovery sheet, as PDF.", completion: .file)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try RecoveryCommands.new(options, context)
    }
}

struct RecoveryTestCommand: Command {
    static let name = "test"
    static var spec: Spec {
        Spec(
            "Prove that a recovery key opens the vault.",
            discussion: "Nothing is changed. Do it once a year.",
            examples: ["vault recovery test": "Type the key from paper; nothing is changed."])
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try RecoveryCommands.test(context) }
}

struct RecoveryUseCommand: Command {
    static let name = "use"
    static var spec: Spec {
        Spec(
            "Set a new password with the recovery key.",
            discussion: "The recovery key is not changed.",
            examples: ["vault recovery use": "Set a new password for a forgotten one."])
    }
    var key: String?
    var options = KeyOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.option(&key, "key", value: "name", "Replace this key, if there is more than one password.")
        options.declare(&list)
        options.declareKeyFile(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try RecoveryCommands.use(key: key, options, context)
    }
}

struct RecoveryPrintCommand: Command {
    static let name = "print"
    static var spec: Spec {
        Spec(
            "Make a printable page with the recovery key, as PDF.",
            discussion: """
                The vault does not keep the key, so it is asked for. '-o -' writes to standard output, for a \
                printer's program.
                """,
            examples: [
                "vault recovery print -o page.pdf": "Make a page with the key and its QR code.",
                "vault recovery print -o - | lp": "Print it without writing a file.",
            ])
    }
    var output = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.required(&output, "output", letter: "o", value: "file", "The new file.", completion: .file)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try RecoveryCommands.print(output, context) }
}

/// `RecoveryCommands` runs `vault recovery …`: the key on paper that opens the vault when its password is forgotten.
enum RecoveryCommands {
    static func new(_ options: KeyOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        try RecoveryKey.checkHandover(options.recoveryFile, context)
        if let page = options.page { try NewFile.checkIsNew(page) }
        let location = try context.location()
        let outcome = try Session.with(context) { conversation throws(ClientFailure) in
            let present = try GivenKey.present(context)
            try Session.require(
                try conversation.perform(PrepareRecoveryKey(kind: present.kind), secret: present.secret.duplicate()))
            guard let key = conversation.received.take() else {
                throw ClientFailure(.other, "the agent sent no recovery key")
            }
            let outcome = try RecoveryKey.hand(
                key, to: options.recoveryFile, CommitRecoveryKey(), &conversation, context)
            if outcome.code == .ok, let page = options.page {
                try RecoveryPageFile.write(key, to: page, location, context)
            }
            return outcome
        }
        try Session.require(outcome)
        try context.print(
            json: "{\"schema\":1,\"created\":true}", text: "new recovery key; an older one no longer works")
        return Outcome(.ok)
    }

    /// Proves that a recovery key opens the vault, and changes nothing.
    static func test(_ context: Context) throws(ClientFailure) -> Outcome {
        let key = try GivenKey.recovery(context)
        try prove(key, context)
        try context.print(json: "{\"schema\":1,\"opens\":true}", text: "this recovery key opens the vault")
        return Outcome(.ok)
    }

    /// Sets a new password instead of the one that was forgotten.
    static func use(key name: String?, _ options: KeyOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        let recovery = try GivenKey.recovery(context)
        try prove(recovery, context)
        if let made = options.newKeyFile, !KeyFileOnDisk.exists(made) {
            throw .usage(
                "there is no key file \(VisibleText.escaped(made))",
                hint: "vault key add --new-key-file NEWFILE makes one later")
        }
        let given = try GivenKey.new(options, keyFile: options.newKeyFile, context)
        let new = NewCredential(given.kind, kdfTargetMilliseconds: options.kdfTargetMilliseconds)
        return try with(recovery, context) { conversation throws(ClientFailure) in
            try conversation.perform(
                ChangeKey(kind: recovery.kind, ref: name ?? "", new: new), secret: recovery.joined(with: given))
        }
    }

    /// Prints a page for the drawer, of a key that opens the vault.
    static func print(_ path: String, _ context: Context) throws(ClientFailure) -> Outcome {
        if path != "-" { try NewFile.checkIsNew(path) } else { try Terminal.refuseOutput(of: "a page") }
        let key = try GivenKey.recovery(context)
        try prove(key, context)
        try RecoveryPageFile.write(key.secret, to: path, context.location(), context)
        if path != "-" { try context.print(json: "{\"schema\":1,\"written\":\(JSONText.quoted(path))}", text: "") }
        return Outcome(.ok)
    }

    private static func prove(_ key: borrowing Credential, _ context: Context) throws(ClientFailure) {
        try with(key, context) { conversation throws(ClientFailure) in try KeyCommands.check(key, &conversation) }
    }

    /// Asks the agent that has the vault open, or one for this command that the recovery key itself opens.
    private static func with<R>(
        _ key: borrowing Credential, _ context: Context, _ body: (inout Conversation) throws(ClientFailure) -> R
    ) throws(ClientFailure) -> R {
        let location = try context.location()
        if var conversation = try Session.running(location, context) {
            return try body(&conversation)
        }
        return try Session.withUnlockedAgent(
            location, context,
            credential: { () throws(ClientFailure) in Credential(recoveryKey: key.secret.duplicate()) }, body)
    }
}
