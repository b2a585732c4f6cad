// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ArgumentParser

/// All that help and the manual say of one command.
package struct CommandPage: Sendable {
    /// Commands under one heading.
    package struct Section: Sendable {
        package let title: String
        package let commands: [(name: String, abstract: String)]
    }

    /// Names from below `vault`; empty for the program itself.
    package let path: [String]
    package let abstract: String
    package let discussion: String
    package let aliases: [String]
    package let examples: [CommandExample]
    package let sections: [Section]
    /// What its help shows, in the order of the command's definition.
    package let arguments: [CommandDescription.Argument]
    /// Options of every command. A heading has none of its own, but takes those of its commands before their names.
    package let commonOptions: [CommandDescription.Argument]

    /// How options are told from words here.
    let names: OptionNames

    package var line: String { (["vault"] + path).joined(separator: " ") }
    package var positionals: [CommandDescription.Argument] { arguments.filter { $0.kind == .positional } }
    package var ownOptions: [CommandDescription.Argument] { arguments.filter { $0.kind != .positional && !$0.isGlobal } }
    var globalOptions: [CommandDescription.Argument] { arguments.filter(\.isGlobal) }

    init(_ node: CommandNode) {
        let configuration = node.type.configuration
        path = node.path
        abstract = configuration.abstract
        discussion = configuration.discussion
        aliases = configuration.aliases
        examples = CommandExamples.of(node.path)
        sections = Self.sections(node)
        let own = node.isGroup ? [] : CommandDescription.arguments(of: node.type)
        let common = node.isGroup ? Self.argumentsOfAll : own.filter(\.isGlobal)
        commonOptions = common + (node.path.isEmpty ? [CommandDescription.version] : [])
        let shown = commonOptions.filter { $0.spellings.contains("--help") || $0.spellings.contains("--version") }
        arguments = node.isGroup ? shown : own
        names = CommandDescription.names(of: (node.isGroup ? [] : own) + commonOptions)
    }

    /// Pages of the program and of all its commands.
    package static var all: [CommandPage] { ([.root] + CommandNode.all).map(CommandPage.init) }

    /// A heading's description in ArgumentParser holds the whole tree below it, so a plain command is asked.
    private static var argumentsOfAll: [CommandDescription.Argument] {
        let plain = CommandNode.all.first { !$0.isGroup }
        return plain.map { CommandDescription.arguments(of: $0.type).filter(\.isGlobal) } ?? []
    }

    private static func sections(_ node: CommandNode) -> [Section] {
        let configuration = node.type.configuration
        let groups =
            [("Subcommands", configuration.ungroupedSubcommands)]
            + configuration.groupedSubcommands.map { (String($0.name.prefix { $0 != ":" }), $0.subcommands) }
        return groups.compactMap { title, types in
            let commands = types.map(node.child).filter(\.isVisible).map { command in
                let names = [command.path.last ?? ""] + command.type.configuration.aliases
                return (name: names.joined(separator: ", "), abstract: command.type.configuration.abstract)
            }
            return commands.isEmpty ? nil : Section(title: title, commands: commands)
        }
    }
}
