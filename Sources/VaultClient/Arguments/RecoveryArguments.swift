// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

struct RecoveryArguments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery", abstract: "Recovery key for a forgotten password.",
        subcommands: [RecoveryNewArguments.self, RecoveryTestArguments.self, RecoveryUseArguments.self, RecoveryPrintArguments.self])
}

struct RecoveryNewArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Make a new recovery key; the old one stops working.",
        discussion: "It is shown once, and you type it back. An old copy of the vault still opens with the old key.")
    @Option(help: ArgumentHelp("Write the recovery key to a new file instead of showing it.", valueName: "file"), completion: .file())
    var recoveryFile: String?
    @Option(help: ArgumentHelp("Also write a printable recovery sheet, as PDF.", valueName: "file"), completion: .file()) var page: String?
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        var options = KeyOptions()
        options.recoveryFile = recoveryFile
        options.page = page
        return try RecoveryCommands.new(options, context)
    }
}

struct RecoveryTestArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Prove that a recovery key opens the vault.", discussion: "Nothing is changed. Do it once a year.")
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try RecoveryCommands.test(context) }
}

struct RecoveryUseArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "use", abstract: "Set a new password with the recovery key.", discussion: "The recovery key is not changed.")
    @Option(help: ArgumentHelp("Replace this key, if there is more than one password.", valueName: "name")) var key: String?
    @OptionGroup var new: NewKeyFields
    @OptionGroup var file: NewKeyFileField
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        var options = new.options
        options.newKeyFile = file.newKeyFile
        return try RecoveryCommands.use(key: key, options, context)
    }
}

struct RecoveryPrintArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "print", abstract: "Make a printable page with the recovery key, as PDF.",
        discussion: "The vault does not keep the key, so it is asked for. '-o -' writes to standard output, for a printer's program.")
    @Option(name: .shortAndLong, help: ArgumentHelp("The new file.", valueName: "file"), completion: .file()) var output: String
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try RecoveryCommands.print(output, context) }
}

struct RotateArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Make a new key, and re-encrypt everything under it.",
        discussion:
            "The vault stays open for reading and writing. If interrupted, it continues at the next unlock. Old copies still open with the old key."
    )
    @Flag(help: "Only show what there is to do, and whether there is room.") var dryRun = false
    @Flag(help: "Wait for a running rotation to finish.") var resume = false
    @Flag(help: "Set a new password too.") var newPassword = false
    @Flag(help: "Drop the keys whose passwords are not given.") var dropOthers = false
    @OptionGroup var new: NewKeyFields
    @Option(help: ArgumentHelp("Write the new recovery key to a new file instead of showing it.", valueName: "file"), completion: .file())
    var recoveryFile: String?
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        var options = RotateOptions()
        options.dryRun = dryRun
        options.resume = resume
        options.newPassword = newPassword || new.newPasswordFile != nil || new.newPasswordDescriptor != nil
        options.dropOthers = dropOthers
        options.key = new.options
        options.key.recoveryFile = recoveryFile
        return try RotateCommand.run(options, context)
    }
}
