// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation
internal import SecretMemory

struct ExportVaultCommand: Command {
    static let name = "vault"
    static var spec: Spec {
        Spec(
            "Write everything, history included, into one encrypted file.",
            discussion: """
                The file has its own password or recovery key, and nothing of the vault's key. 'vault backup restore \
                FILE' restores it.
                """,
            examples: [
                "vault export vault -o notes.vault": "Everything in one file, under a password that is asked for.",
                "vault export vault -o notes.vault --recovery": "The same, under a recovery key instead of a password.",
                "vault export vault -o - | ssh host 'cat > notes.vault'": "Straight to another machine.",
            ])
    }
    var options = ArchiveOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.required(
            &options.export.output, "output", letter: "o", value: "file", "The new file; '-' is standard output.",
            completion: .file)
        list.flag(
            &options.withRecoveryKey, "recovery",
            "Protect it with a recovery key, which is shown once, instead of a password.")
        list.option(
            &options.recoveryFile, "recovery-file", value: "file",
            "Write the recovery key to a new file instead of showing it.", completion: .file)
        options.key.declare(&list)
        options.export.declareEncryption(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try ArchiveWriting.run(options, context)
    }
}

/// `ArchiveWriting` runs `vault export vault`: everything in one sealed file, under a password or a recovery key of its
/// own.
struct ArchiveWriting {
    private let options: ArchiveOptions
    private let context: Context

    static func run(_ options: ArchiveOptions, _ context: Context) throws(ClientFailure) -> Outcome {
        try options.check(json: context.options.json)
        let plan = try ExportPlan(archiveAt: options.export.output, isSealed: options.export.isSealed)
        try plan.check(of: context.location())
        if options.withRecoveryKey { try RecoveryKey.checkHandover(options.recoveryFile, context) }
        let parity = try context.settings().parityPercent
        if case .file(let path) = plan.place, parity != nil { try NewFile.checkIsNew(path + ".parity") }
        let command = ArchiveWriting(options: options, context: context)
        return try Session.with(context) { conversation throws(ClientFailure) in
            try Session.require(try command.prepare(&conversation))
            let isHeldHere = Interrupts.hold()
            defer { if isHeldHere { Interrupts.release() } }
            guard case .file(let path) = plan.place else {
                if parity != nil {
                    context.reporter.talk("vault: note: there is no parity for what goes to standard output")
                }
                return try command.writeToOutput(&conversation)
            }
            let target = try TargetFile(path)
            let (outcome, replies) = try command.write(to: target.descriptor, &conversation)
            guard outcome.code == .ok else { return outcome }
            try target.keep()
            try conversation.show(replies, of: WriteArchive())
            context.reporter.talk("written to \(VisibleText.escaped(path)); 'vault backup restore' restores it")
            guard let parity else { return outcome }
            return try ArchiveCovering.run(target, percent: parity, &conversation, context)
        }
    }

    /// Writes the archive to standard output, so what is said of it goes to standard error.
    private func writeToOutput(_ conversation: inout Conversation) throws(ClientFailure) -> Outcome {
        let output = try OutputPipe(to: Streams.output)
        let (outcome, replies) = try write(to: output.descriptor, &conversation)
        try output.finish()
        guard outcome.code == .ok else { return outcome }
        var page = Page(conversation.style)
        for reply in replies { WriteArchive().present(reply, on: &page) }
        for piece in page.pieces {
            switch piece {
            case .output(let lines), .talk(let lines):
                context.reporter.talk(String(decoding: lines.dropLast(), as: UTF8.self))
            }
        }
        return outcome
    }

    /// Prepares the archive's key. A recovery key is shown and typed back with `write`.
    private func prepare(_ conversation: inout Conversation) throws(ClientFailure) -> Outcome {
        var archive = PrepareArchive()
        archive.withRecoveryKey = options.withRecoveryKey
        archive.kdfTargetMilliseconds = options.key.kdfTargetMilliseconds
        archive.sealing = try options.export.sealing()
        archive.isArmored = options.export.isArmored
        let password = options.withRecoveryKey ? SecretBytes(zeroes: 0) : try password()
        let passphrase =
            archive.sealing == .passphrase ? try options.export.passphrase(context) : SecretBytes(zeroes: 0)
        return try conversation.perform(archive, secret: PasswordPair.joined(password, passphrase))
    }

    private func password() throws(ClientFailure) -> SecretBytes {
        try NewPassword.get(try GivenKey.newSource(options.key, context), prompt: "Password of the archive: ")
    }

    private func write(
        to target: Int32, _ conversation: inout Conversation
    ) throws(ClientFailure) -> (outcome: Outcome, replies: [WrittenArchive]) {
        guard options.withRecoveryKey else {
            return try conversation.ask(WriteArchive(), Enclosure(secret: SecretBytes(zeroes: 0), descriptor: target))
        }
        guard let key = conversation.received.take() else {
            throw ClientFailure(.other, "the agent sent no recovery key")
        }
        var replies: [WrittenArchive] = []
        let outcome = try RecoveryKey.hand(key, to: options.recoveryFile, ofArchive: true, context) {
            typed throws(ClientFailure) in
            let answer = try conversation.ask(WriteArchive(), Enclosure(secret: typed, descriptor: target))
            replies = answer.replies
            return answer.outcome
        }
        return (outcome, replies)
    }
}

/// `ArchiveOptions` holds what `export vault` is told.
struct ArchiveOptions {
    /// Where it goes, and the age file around it.
    var export = ExportOptions()
    var key = KeyOptions()
    /// A recovery key opens it, and no password.
    var withRecoveryKey = false
    var recoveryFile: String?

    func check(json: Bool) throws(ClientFailure) {
        try export.check(json: json)
        guard withRecoveryKey || recoveryFile == nil else {
            throw .usage("--recovery-file needs --recovery", hint: "vault export vault --help")
        }
        guard !withRecoveryKey || key.newPasswordFile == nil && key.newPasswordDescriptor == nil else {
            throw .usage("an archive has a password or a recovery key, not both", hint: "leave one of them out")
        }
    }
}
