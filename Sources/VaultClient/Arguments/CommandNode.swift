// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ArgumentParser

/// One command with its place in the tree.
struct CommandNode {
    /// Names from below `vault`; empty for the root.
    let path: [String]
    let type: any ParsableCommand.Type

    static var root: CommandNode { CommandNode(path: [], type: RootCommand.self) }

    /// The commands that help speaks of, in the order of the tree, each before those below it.
    static var all: [CommandNode] { root.visibleDescendants }

    /// What is typed to run it.
    var line: String { (["vault"] + path).joined(separator: " ") }
    var isVisible: Bool { type.configuration.shouldDisplay }
    /// A heading for other commands; it does nothing itself, or what one of them does.
    var isGroup: Bool { !type.configuration.subcommands.isEmpty }

    /// The command that a heading stands for.
    var standard: CommandNode? { type.configuration.defaultSubcommand.map(child) }

    var children: [CommandNode] { type.configuration.subcommands.map(child) }

    func child(_ type: any ParsableCommand.Type) -> CommandNode { CommandNode(path: path + [type._commandName], type: type) }

    /// The command below this one that goes by a name or an alias.
    func child(named name: String) -> CommandNode? {
        children.first { $0.path.last == name || $0.type.configuration.aliases.contains(name) }
    }

    /// Follows names down from the root. Below a command that stands for one of its commands any word may be an argument.
    ///
    /// - Returns: the command, or the first names that lead nowhere.
    static func find(_ names: [String]) -> Search {
        var node = root
        for (index, name) in names.enumerated() {
            guard let next = node.child(named: name) else {
                return node.type.configuration.defaultSubcommand != nil ? .found(node) : .unknown(Array(names[...index]))
            }
            node = next
        }
        return .found(node)
    }

    enum Search {
        case found(CommandNode)
        case unknown([String])
    }

    /// Everything that can be typed for this command, without `vault`: its names and its aliases.
    var spellings: [String] {
        let last = path.suffix(1) + type.configuration.aliases
        return last.map { (path.dropLast() + [$0]).joined(separator: " ") }
    }

    private var visibleDescendants: [CommandNode] {
        children.filter(\.isVisible).flatMap { [$0] + $0.visibleDescendants }
    }
}
