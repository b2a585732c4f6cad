// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ArgumentParser

struct DoctorArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look whether this machine and the vault's files are as they should be.",
        discussion: "It changes nothing. It ends with 1 when something is bad; warnings alone are 0.")
    @Flag(help: "Look closer at permissions, memory, and the cost of the password.") var security = false
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try DoctorCommand.run(security: security, context) }
}
