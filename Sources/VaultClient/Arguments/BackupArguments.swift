// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

struct ExportVaultArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault", abstract: "Write everything, history included, into one encrypted file.",
        discussion:
            "The file has its own password or recovery key, and nothing of the vault's key. 'vault backup restore FILE' restores it.")
    @Option(name: .shortAndLong, help: ArgumentHelp("The new file; '-' is standard output.", valueName: "file"), completion: .file())
    var output: String
    @Flag(help: "Protect it with a recovery key, which is shown once, instead of a password.") var recovery = false
    @Option(help: ArgumentHelp("Write the recovery key to a new file instead of showing it.", valueName: "file"), completion: .file())
    var recoveryFile: String?
    @OptionGroup var new: NewKeyFields
    @OptionGroup var age: AgeFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        var options = ArchiveOptions()
        options.export = age.options
        options.export.output = output
        options.key = new.options
        options.withRecoveryKey = recovery
        options.recoveryFile = recoveryFile
        return try ArchiveCommand.run(options, context)
    }
}

struct BackupArguments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up the vault to a folder, and restore it.",
        discussion: "Only encrypted files are copied, each once. A snapshot opens with the passwords that were valid when it was made.",
        subcommands: [BackupCreateArguments.self, BackupVerifyArguments.self, BackupRestoreArguments.self, BackupListArguments.self])
}

struct BackupCreateArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a snapshot; only what is new since the last one is copied.",
        discussion: "The first snapshot, and the first one after 'vault rotate', is full.")
    @Argument(help: "A folder of yours; created if missing.", completion: .directory) var folder: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try BackupCommands.create(folder, context) }
}

struct BackupVerifyArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Restore a snapshot into memory, and compare it with what was written.",
        discussion: "Every page, revision and attachment is opened.")
    @Argument(help: "The backup's folder.", completion: .directory) var folder: String
    @Argument(help: "A snapshot; the newest by default.") var snapshot: String?
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try BackupCommands.verify(folder, snapshot: snapshot, context) }
}

struct BackupRestoreArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore a vault from a backup or an archive to a new place.",
        discussion: """
            The vault appears under its name only when all of it is there. '--vault DIR' says where. If this account knows the vault, the restored \
            one is a copy with its own identity: both can be used side by side.
            """)
    @Argument(help: "The backup's folder, or the archive; '-' reads an archive from standard input.", completion: .file()) var source: String
    @Argument(help: "A snapshot of the backup; the newest by default.") var snapshot: String?
    @Flag(help: "Open it with the recovery key instead of the password.") var recovery = false
    @Flag(help: "Give it its own identity, even if this account does not know the vault.") var asCopy = false
    @Flag(help: "Let it replace the vault: once it is unlocked, the other is refused as older.") var replace = false
    @OptionGroup var new: NewKeyFields
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        guard !asCopy || !replace else {
            throw .usage("'--as-copy' and '--replace' exclude each other", hint: "give one of them, or none: see vault help backup restore")
        }
        return try BackupRestoring.run(
            source, snapshot: snapshot, recovery: recovery, as: asCopy ? .copy : replace ? .original : .automatic, new.options, context)
    }
}

struct BackupListArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "List the snapshots of a backup.", discussion: "No password is needed.")
    @Argument(help: "The backup's folder.", completion: .directory) var folder: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try BackupCommands.list(folder, context) }
}
