// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol

@testable import VaultClient

/// A command line, as `vault` reads it.
struct ReadLine {
    let path: [String]
    /// Nil when the line asks for help or the version.
    let command: (any Command)?
    let global: GlobalOptions

    init(_ arguments: [String]) throws(ClientFailure) {
        let shape = CommandLineShape(arguments)
        guard case .found(let node) = CommandNode.find(shape.names), let made = node.command else {
            throw HelpRequest.unknownCommand(shape.names, next: nil, hint: "vault help")
        }
        path = node.isGroup ? node.path + [made.name] : node.path
        (command, global) = try Self.read(made.make(), made, shape.rest, path)
    }

    private static func read<C: Command>(
        _ empty: C, _ made: MadeCommand, _ words: [String], _ path: [String]
    ) throws(ClientFailure) -> ((any Command)?, GlobalOptions) {
        var (command, global) = (empty, GlobalOptions())
        return try CommandReader.read(words, into: &command, &global, made, path: path) == .run
            ? (command, global) : (nil, global)
    }
}
