// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ArgumentParser

/// The tree of all commands.
struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract: "Private notes, encrypted on this machine.",
        discussion: "ID is the beginning of a note's identifier, or its title. Exit codes: vault help exit-codes.",
        version: "vault \(Frame.programVersion)",
        subcommands: [
            InitArguments.self, UnlockArguments.self, LockArguments.self, StatusArguments.self,
            NewArguments.self, AppendArguments.self, ReplaceArguments.self, ShowArguments.self, CatArguments.self,
            ListArguments.self, SearchArguments.self, RemoveArguments.self, RestoreArguments.self, TrashArguments.self,
            ImportArguments.self, CheckArguments.self, AboutArguments.self, VersionArguments.self,
        ])
}
