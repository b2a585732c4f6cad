// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser

/// A command that only fills option structs; the work is in `Commands/`.
protocol ClientCommand: ParsableCommand {
    var global: GlobalArguments { get }
    func execute(_ context: Context) throws(ClientFailure) -> Outcome
}
