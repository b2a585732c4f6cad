// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

struct InitArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "init", abstract: "Create a vault.")
    @Option(
        name: .customLong("kdf-target"),
        help: ArgumentHelp("Target time for one password attempt: 1s, 500ms, or 0 for the minimum.", valueName: "time"),
        transform: { text in
            guard let value = TimeSpan.kdfTarget(text) else {
                throw ValidationError("'\(text)' is not a time such as 1s or 500ms")
            }
            return value
        })
    var kdfTarget: UInt32 = 1000
    @Flag(help: "Do not make a recovery key.")
    var noRecovery = false
    @Option(help: ArgumentHelp("Write the recovery key to a new file instead of showing it.", valueName: "file"), completion: .file())
    var recoveryFile: String?
    @OptionGroup(title: "Global options") var global: GlobalArguments

    var options: InitOptions {
        var options = InitOptions()
        options.kdfTargetMilliseconds = kdfTarget
        options.noRecovery = noRecovery
        options.recoveryFile = recoveryFile
        return options
    }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try InitCommand.run(options, context) }
}

struct UnlockArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "unlock", abstract: "Open the vault until it locks again.")
    @Flag(help: "Use the recovery key instead of the password.")
    var recovery = false
    @Option(
        help: ArgumentHelp("Lock after this time without a command: 90s, 15m, 8h (15 minutes, or lock.idle).", valueName: "time"),
        transform: UnlockArguments.time)
    var idle: UInt32?
    @Option(help: ArgumentHelp("Lock after this time in any case (8 hours, or lock.max).", valueName: "time"), transform: UnlockArguments.time)
    var max: UInt32?
    @OptionGroup(title: "Global options") var global: GlobalArguments

    @Sendable static func time(_ text: String) throws -> UInt32 {
        guard let value = TimeSpan.seconds(text) else { throw ValidationError("'\(text)' is not a time such as 90s, 15m or 8h") }
        return value
    }

    func execute(_ context: Context) throws(ClientFailure) -> Outcome {
        // A settings file that is wrong must not keep anybody from the notes.
        let settings = context.settingsOrDefaults
        var options = UnlockCommandOptions()
        options.recovery = recovery
        options.idleSeconds = idle ?? settings.lockIdleSeconds
        options.maxSeconds = max ?? settings.lockMaxSeconds
        return try UnlockCommand.run(options, context)
    }
}

struct LockArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "lock", abstract: "Lock the vault now.")
    @Flag(help: "Lock every vault of this user.")
    var all = false
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try LockCommand.run(all: all, context) }
}

struct StatusArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "status", abstract: "Show whether the vault is unlocked.")
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try StatusCommand.run(context) }
}

struct AboutArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "about", abstract: "About vault: version, licence, support.")
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try AboutCommand.about(context) }
}

struct VersionArguments: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the version.")
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try AboutCommand.version(context) }
}
