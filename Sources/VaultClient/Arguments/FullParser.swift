// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ArgumentParser

/// Reads with ArgumentParser what the option tables leave to it: all other commands, and every mistake.
enum FullParser {
    static func run(_ shape: CommandLineShape) -> Int32 {
        do throws(ClientFailure) {
            if let words = HelpRequest.words(shape) {
                return show(try HelpRequest.text(words, columns: HelpRequest.columns))
            }
            return try run(shape, in: try node(shape))
        } catch {
            let isJSON = shape.rest.prefix { $0 != "--" }.contains("--json")
            return Reporter(json: isJSON).finish(error.outcome)
        }
    }

    private static func run(_ shape: CommandLineShape, in node: CommandNode) throws(ClientFailure) -> Int32 {
        do {
            var command = try RootCommand.parseAsRoot(shape.arguments)
            if let ours = command as? any ClientCommand { return Client.execute(ours.global.options, ours.execute) }
            try command.run()
            return 0
        } catch {
            return show(try answer(error, shape, node))
        }
    }

    /// ArgumentParser throws for help as well as for mistakes.
    private static func answer(
        _ error: any Error, _ shape: CommandLineShape, _ node: CommandNode
    ) throws(ClientFailure) -> String {
        if RootCommand.exitCode(for: error) == .success {
            let text = RootCommand.fullMessage(for: error)
            guard text == RootCommand.helpMessage(for: node.type) else { return text + "\n" }
            return HelpPage(CommandPage(node), columns: HelpRequest.columns).text
        }
        let message = RootCommand.message(for: error)
        if let mistake = OptionMistake.find(shape, in: node, message: message) { throw mistake }
        let first = message.split(separator: "\n").first.map(String.init) ?? "the command line is not right"
        throw .usage(lowered(VisibleText.escaped(first)), hint: (["vault", "help"] + node.path).joined(separator: " "))
    }

    /// The command that the line names.
    private static func node(_ shape: CommandLineShape) throws(ClientFailure) -> CommandNode {
        switch CommandNode.find(shape.names) {
        case .found(let node): return node
        case .unknown(let names):
            let next = names.count == shape.names.count ? shape.rest.first : nil
            throw HelpRequest.unknownCommand(names, next: next, hint: "vault help")
        }
    }

    private static func show(_ text: String) -> Int32 {
        do throws(ClientFailure) {
            try Streams.write(text)
            return 0
        } catch {
            return Reporter().finish(error.outcome)
        }
    }

    private static func lowered(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}
