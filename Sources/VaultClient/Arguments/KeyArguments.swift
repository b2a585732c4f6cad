// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

/// Where a new password comes from, and what one try of it is to cost.
struct NewKeyFields: ParsableArguments {
    @Option(help: ArgumentHelp("Read the new password from a file.", valueName: "file"), completion: .file())
    var newPasswordFile: String?
    @Option(name: .customLong("new-password-fd"), help: ArgumentHelp("Read the new password from an open descriptor.", valueName: "n"))
    var newPasswordDescriptor: Int32?
    @Option(
        name: .customLong("kdf-target"),
        help: ArgumentHelp("Target time for one attempt at the new password: 1s, 500ms, or 0 for the minimum.", valueName: "time"),
        transform: { text in
            guard let value = TimeSpan.kdfTarget(text) else { throw ValidationError("'\(text)' is not a time such as 1s or 500ms") }
            return value
        })
    var kdfTarget: UInt32 = 1000

    var options: KeyOptions {
        var options = KeyOptions()
        options.newPasswordFile = newPasswordFile
        options.newPasswordDescriptor = newPasswordDescriptor
        options.kdfTargetMilliseconds = kdfTarget
        return options
    }
}

/// A file that the new password needs beside it.
struct NewKeyFileField: ParsableArguments {
    @Option(help: ArgumentHelp("A key file that is needed with the new password; created if missing.", valueName: "file"), completion: .file())
    var newKeyFile: String?
}

struct PasswordArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "passwd", abstract: "Change the vault's password.",
        discussion: "An old copy of the vault still opens with the old password. 'vault rotate' makes a new key and re-encrypts everything.")
    @Flag(help: "Keep the password, and make it as costly to guess as a new one.") var upgrade = false
    @Option(help: ArgumentHelp("Change this key instead of the one whose password is given.", valueName: "name")) var key: String?
    @OptionGroup var new: NewKeyFields
    @OptionGroup var file: NewKeyFileField
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        var options = new.options
        options.newKeyFile = file.newKeyFile
        return try KeyCommands.changePassword(upgrade: upgrade, key: key, options, context)
    }
}

struct KeyArguments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Manage the passwords and key files that open the vault.",
        subcommands: [KeyListArguments.self, KeyAddArguments.self, KeyRemoveArguments.self, KeyVerifyArguments.self])
}

struct KeyListArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the keys that open the vault.")
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try KeyCommands.list(context) }
}

struct KeyAddArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a password, with or without a key file.",
        discussion: "With a key file, both are needed: the password, which is typed, and the file, which is kept elsewhere.")
    @Option(help: ArgumentHelp("The key's name.", valueName: "name")) var name: String
    @OptionGroup var new: NewKeyFields
    @OptionGroup var file: NewKeyFileField
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        var options = new.options
        options.newKeyFile = file.newKeyFile
        return try KeyCommands.add(name: name, options, context)
    }
}

struct KeyRemoveArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Remove a key.",
        discussion: "The last password cannot be removed. An old copy of the vault still opens with a removed key.")
    @Argument(help: "Its name, or the beginning of its identifier.") var key: String
    @Flag(help: "Do not ask.") var yes = false
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try KeyCommands.remove(key, yes: yes, context) }
}

struct KeyVerifyArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Show which key a password belongs to.",
        discussion: "Nothing is changed. Use it to find out whether you still know a password.")
    @Flag(help: "Verify the recovery key instead of a password.") var recovery = false
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try KeyCommands.verify(isRecovery: recovery, context) }
}
