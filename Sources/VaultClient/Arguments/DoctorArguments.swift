// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

struct DoctorArguments: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check this machine and the vault for security problems.",
        discussion: "It changes nothing. It exits with 1 if there is a problem, and with 0 if there are only warnings.")
    @Flag(help: "Look more closely at permissions, memory, and the cost of the password.") var security = false
    @OptionGroup(title: "Global options") var global: GlobalArguments
    func execute(_ context: Context) throws(ClientFailure) -> Outcome { try DoctorCommand.run(security: security, context) }
}
