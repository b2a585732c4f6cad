// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `CommandPage` holds all that help and the manual say of one command.
package struct CommandPage: Sendable {
    /// `Section` holds commands under one heading.
    package struct Section: Sendable {
        package let title: String
        package let commands: [(name: String, abstract: String)]
    }

    /// Names from below `vault`; empty for the program itself.
    package let path: [String]
    package let abstract: String
    package let discussion: String
    package let examples: [CommandExample]
    package let sections: [Section]
    /// What its help shows, in the order of the command's declaration.
    package let arguments: [ArgumentDescription]
    /// Options of every command. A heading has none of its own, but takes those of its commands before their names.
    package let commonOptions: [ArgumentDescription]

    package var line: String { (["vault"] + path).joined(separator: " ") }
    package var positionals: [ArgumentDescription] { arguments.filter { $0.kind == .positional } }
    package var ownOptions: [ArgumentDescription] { arguments.filter { $0.kind != .positional && !$0.isGlobal } }
    var globalOptions: [ArgumentDescription] { arguments.filter(\.isGlobal) }
    /// Everything that may be typed for an option here.
    var spellings: [String] { (arguments + commonOptions).flatMap(\.spellings) }

    init(_ node: CommandNode) {
        let spec = node.spec
        path = node.path
        abstract = spec.abstract
        discussion = spec.discussion
        examples = spec.examples
        sections = Self.sections(node)
        commonOptions = GlobalOptions.descriptions + (node.path.isEmpty ? [.version] : [])
        switch node.kind {
        case .program, .group: arguments = commonOptions.filter { $0 == .help || $0 == .version }
        case .command(let command): arguments = Self.arguments(of: command) + commonOptions
        }
    }

    /// Makes the page of a command.
    init(_ command: MadeCommand, _ path: [String]) { self.init(CommandNode(path: path, kind: .command(command))) }

    /// Pages of the program and of all its commands.
    package static var all: [CommandPage] { ([.root] + CommandNode.all).map(CommandPage.init) }

    private static func arguments(of made: MadeCommand) -> [ArgumentDescription] {
        var command = made.make()
        var list = ArgumentList.describing
        command.declare(&list)
        return list.descriptions
    }

    private static func sections(_ node: CommandNode) -> [Section] {
        func row(_ name: String, _ spec: Spec) -> (name: String, abstract: String) { (name, spec.abstract) }
        switch node.kind {
        case .program:
            return CommandTree.sections.map { section in
                Section(
                    title: section.title,
                    commands: section.entries.map { row($0.name, CommandNode(path: [$0.name], kind: $0.kind).spec) })
            }
        case .group(let group):
            return [Section(title: "Subcommands", commands: group.commands.all.map { row($0.name, $0.spec) })]
        case .command: return []
        }
    }
}
