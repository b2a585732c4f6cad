// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

/// `CommandRunner` runs what a command line asks for.
enum CommandRunner {
    static func run(_ shape: CommandLineShape) -> Int32 {
        do throws(ClientFailure) {
            if let words = HelpRequest.words(shape) {
                return show(try HelpRequest.text(words, columns: HelpRequest.columns), shape)
            }
            let node = try node(shape)
            guard let command = node.command else { return try showHeading(shape, node) }
            return try run(command.make(), command, node, shape)
        } catch {
            return Reporter(json: isJSON(shape)).finish(error.outcome)
        }
    }

    private static func run<C: Command>(
        _ empty: C, _ made: MadeCommand, _ node: CommandNode, _ shape: CommandLineShape
    ) throws(ClientFailure) -> Int32 {
        // A heading that stands for one of its commands: mistakes are that command's.
        let path = node.isGroup ? node.path + [made.name] : node.path
        var (command, global) = (empty, GlobalOptions())
        switch try CommandReader.read(shape.rest, into: &command, &global, made, path: path) {
        case .version: return show(CommandTree.version + "\n", shape)
        case .help: return show(HelpPage(CommandPage(node), columns: HelpRequest.columns).text, shape)
        case .run: return Client.execute(global, command.run)
        }
    }

    /// Shows the help page of a heading, which does nothing itself.
    private static func showHeading(_ shape: CommandLineShape, _ node: CommandNode) throws(ClientFailure) -> Int32 {
        // For programs that make something of the list of commands.
        if node.path.isEmpty, shape.arguments == ["--experimental-dump-help"] { return show(CommandDump.text, shape) }
        let page = CommandPage(node)
        let tokens = try CommandReader.readGlobal(shape.rest, page)
        if tokens.contains(.option("version", value: nil)) { return show(CommandTree.version + "\n", shape) }
        return show(HelpPage(page, columns: HelpRequest.columns).text, shape)
    }

    /// Returns the command that the line names.
    private static func node(_ shape: CommandLineShape) throws(ClientFailure) -> CommandNode {
        switch CommandNode.find(shape.names) {
        case .found(let node): return node
        case .unknown(let names):
            let next = names.count == shape.names.count ? shape.rest.first : nil
            throw HelpRequest.unknownCommand(names, next: next, hint: "vault help")
        }
    }

    private static func isJSON(_ shape: CommandLineShape) -> Bool {
        shape.rest.prefix { $0 != "--" }.contains("--json")
    }

    private static func show(_ text: String, _ shape: CommandLineShape) -> Int32 {
        do throws(ClientFailure) {
            try Streams.write(isJSON(shape) ? object(text) + "\n" : text)
            return 0
        } catch {
            return Reporter().finish(error.outcome)
        }
    }

    /// Returns help, or the version.
    private static func object(_ text: String) -> String {
        guard text != CommandTree.version + "\n" else {
            return "{\"schema\":1,\"version\":\"\(Frame.programVersion)\"}"
        }
        return "{\"schema\":1,\"help\":\(JSONText.quoted(text))}"
    }
}

/// `CommandDump` writes the tree of commands as JSON.
enum CommandDump {
    static var text: String { "{\"command\":\(object("vault", CommandNode.root))}\n" }

    private static func object(_ name: String, _ node: CommandNode) -> String {
        let below = node.children.map { object($0.path.last ?? "", $0) }
        let commands = below.isEmpty ? "" : ",\"subcommands\":[\(below.joined(separator: ","))]"
        return
            "{\"commandName\":\(JSONText.quoted(name)),\"abstract\":\(JSONText.quoted(node.spec.abstract))\(commands)}"
    }
}
