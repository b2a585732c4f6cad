// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol

/// `CommandNode` is one command or heading with its place in the tree.
struct CommandNode: Sendable {
    enum Kind: Sendable {
        case program
        case group(any CommandGroup.Type)
        case command(MadeCommand)
    }

    /// Names from below `vault`; empty for the program itself.
    let path: [String]
    let kind: Kind

    static var root: CommandNode { CommandNode(path: [], kind: .program) }
    /// The commands that help speaks of, in the order of the tree, each before those below it.
    static var all: [CommandNode] { root.children.flatMap { [$0] + $0.children } }

    var spec: Spec {
        switch kind {
        case .program: CommandTree.spec
        case .group(let group): group.spec
        case .command(let command): command.spec
        }
    }

    /// What is typed to run it.
    var line: String { (["vault"] + path).joined(separator: " ") }

    /// Whether it is a heading for other commands; it does nothing itself, or what one of them does.
    var isGroup: Bool {
        switch kind {
        case .program, .group: true
        case .command: false
        }
    }

    /// The command that a line with this path runs; nil for a heading that runs none.
    var command: MadeCommand? {
        switch kind {
        case .program: nil
        case .group(let group): group.standard.map { MadeCommand($0) }
        case .command(let command): command
        }
    }

    var children: [CommandNode] {
        switch kind {
        case .program: CommandTree.sections.flatMap(\.entries).map { CommandNode(path: [$0.name], kind: $0.kind) }
        case .group(let group): group.commands.all.map { CommandNode(path: path + [$0.name], kind: .command($0)) }
        case .command: []
        }
    }

    /// Returns the command below this one that has a name. No other one is made.
    func child(named name: String) -> CommandNode? {
        switch kind {
        case .program: CommandTree.entry(named: name).map { CommandNode(path: [name], kind: $0.kind) }
        case .group(let group):
            group.commands.all.first { $0.name == name }.map { CommandNode(path: path + [name], kind: .command($0)) }
        case .command: nil
        }
    }

    /// Follows names down from the root. Below a heading that stands for a command any word may be an argument.
    ///
    /// - Returns: the command, or the first names that lead nowhere.
    static func find(_ names: [String]) -> Search {
        var node = root
        for (index, name) in names.enumerated() {
            guard let next = node.child(named: name) else {
                if case .group(let group) = node.kind, group.standard != nil { return .found(node) }
                return .unknown(Array(names[...index]))
            }
            node = next
        }
        return .found(node)
    }

    enum Search {
        case found(CommandNode)
        case unknown([String])
    }
}

/// `CommandTree` holds all commands, in the order and under the headings in which `vault help` shows them.
enum CommandTree {
    /// `Entry` is a command or a group.
    enum Entry: Sendable {
        case command(any Command.Type)
        case group(any CommandGroup.Type)

        var name: String {
            switch self {
            case .command(let command): command.name
            case .group(let group): group.name
            }
        }

        var kind: CommandNode.Kind {
            switch self {
            case .command(let command): .command(MadeCommand(command))
            case .group(let group): .group(group)
            }
        }
    }

    struct Section: Sendable {
        let title: String
        let entries: [Entry]
    }

    static let version = "vault \(Frame.programVersion)"

    static var spec: Spec {
        Spec(
            "Private notes, encrypted on this machine.",
            discussion: """
                ID is a note: a number of the last list on this terminal, the beginning of its identifier or of its \
                title, a part of its title, or - for the one that was read or written last here. The letters n, a, e, \
                s, c and d stand for new, append, edit, search, copy and daily; a number or - alone shows that note, \
                and vault alone lists. Exit codes: vault help exit-codes.
                """,
            examples: [
                "vault init": "Create a vault, once.",
                "vault unlock": "Open it until it locks.",
                "vault new \"buy milk\"": "Write a note.",
                "vault search milk": "Find it again.",
            ])
    }

    /// The sections of the list of commands. Each stands in the file of the noun that most of its commands are about.
    static let sections = [vault, keys, notes, organizing, history, devices, maintenance]

    static func entry(named name: String) -> Entry? {
        for section in sections {
            for entry in section.entries where entry.name == name { return entry }
        }
        return nil
    }

    static func group(named name: String) -> (any CommandGroup.Type)? {
        if case .group(let group) = entry(named: name) { group } else { nil }
    }
}
