// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import ArgumentParser

/// Global options for ArgumentParser; OptionTable has the same.
struct GlobalArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp("The vault's directory (else NOTEVAULT_DIR, else the XDG data directory).", valueName: "dir"),
        completion: .directory)
    var vault: String?
    @Flag(help: "Answer in JSON, for scripts.")
    var json = false
    @Option(help: ArgumentHelp("Read the password from a file.", valueName: "file"), completion: .file())
    var passwordFile: String?
    @Option(name: .customLong("password-fd"), help: ArgumentHelp("Read the password from an open descriptor.", valueName: "n"))
    var passwordDescriptor: Int32?
    @Option(help: ArgumentHelp("The key file that is needed with the password.", valueName: "file"), completion: .file())
    var keyFile: String?
    @Flag(help: "Never ask anything.")
    var noInput = false
    @Flag(help: "Open a copy of the vault that is older than the one last seen.")
    var acceptRollback = false
    @Option(help: "Dates in lists.")
    var dateStyle: DateStyleChoice?
    @Option(help: "When to use colour.")
    var color: ColorChoice?
    @Flag(name: .shortAndLong, help: "Print only warnings and errors.")
    var quiet = false

    var options: GlobalOptions {
        var options = GlobalOptions()
        options.vault = vault
        options.json = json
        options.passwordFile = passwordFile
        options.passwordDescriptor = passwordDescriptor
        options.keyFile = keyFile
        options.noInput = noInput
        options.acceptRollback = acceptRollback
        options.dateStyle = dateStyle
        options.color = color
        options.quiet = quiet
        return options
    }
}

extension DateStyleChoice: ExpressibleByArgument {}
extension ColorChoice: ExpressibleByArgument {}
