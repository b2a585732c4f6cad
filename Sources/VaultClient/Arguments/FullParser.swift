// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import ArgumentParser
internal import Presentation

/// Reads with ArgumentParser what the option tables leave to it: all other commands, and every mistake.
enum FullParser {
    static func run(_ shape: CommandLineShape) -> Int32 {
        do throws(ClientFailure) {
            if let words = HelpRequest.words(shape) {
                return show(try HelpRequest.text(words, columns: HelpRequest.columns), shape)
            }
            return try run(shape, in: try node(shape))
        } catch {
            return Reporter(json: isJSON(shape)).finish(error.outcome)
        }
    }

    private static func isJSON(_ shape: CommandLineShape) -> Bool { shape.rest.prefix { $0 != "--" }.contains("--json") }

    private static func run(_ shape: CommandLineShape, in node: CommandNode) throws(ClientFailure) -> Int32 {
        // ArgumentParser's own, for whoever makes something of the commands' definitions.
        if node.path.isEmpty, shape.arguments == ["--experimental-dump-help"] { return show(RootCommand._dumpHelp() + "\n", shape) }
        let page = CommandPage(node.isGroup ? node.standard ?? node : node)
        let tokens = try read(shape, page)
        if tokens.contains(.option("version", value: nil)) { return show(RootCommand.configuration.version + "\n", shape) }
        // A heading does nothing itself.
        if tokens.contains(.option("help", value: nil)) || (node.isGroup && node.standard == nil) {
            return show(HelpPage(CommandPage(node), columns: HelpRequest.columns).text, shape)
        }
        do {
            var command = try RootCommand.parseAsRoot(page.path + arguments(tokens))
            if let ours = command as? any ClientCommand { return Client.execute(ours.global.options, ours.execute) }
            try command.run()
            return 0
        } catch {
            let message = RootCommand.message(for: error)
            throw refusal(message, page)
        }
    }

    /// Options and words, as the fast path tells them apart.
    static func read(_ shape: CommandLineShape, _ page: CommandPage) throws(ClientFailure) -> [CommandLineWords.Token] {
        do { return try CommandLineWords.read(shape.rest, page.names) } catch {
            throw OptionMistake.failure(
                error, page.line, known: page.arguments.flatMap(\.spellings) + page.commonOptions.flatMap(\.spellings),
                hint: (["vault", "help"] + page.path).joined(separator: " "))
        }
    }

    /// The same line in the one form that ArgumentParser cannot read otherwise.
    static func arguments(_ tokens: [CommandLineWords.Token]) -> [String] {
        var options: [String] = []
        var words: [String] = []
        for token in tokens {
            switch token {
            case .word(let word): words.append(word)
            case .option(let name, nil): options.append("--" + name)
            case .option(let name, .some("")): options += ["--" + name, ""]
            case .option(let name, .some(let value)): options.append("--\(name)=\(value)")
            }
        }
        return words.isEmpty ? options : options + ["--"] + words
    }

    private static func refusal(_ message: String, _ page: CommandPage) -> ClientFailure {
        let first = message.split(separator: "\n").first.map(String.init) ?? "invalid command line"
        return .usage(lowered(VisibleText.escaped(first)), hint: (["vault", "help"] + page.path).joined(separator: " "))
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

    private static func show(_ text: String, _ shape: CommandLineShape) -> Int32 {
        do throws(ClientFailure) {
            try Streams.write(isJSON(shape) ? object(text) + "\n" : text)
            return 0
        } catch {
            return Reporter().finish(error.outcome)
        }
    }

    /// Help, or the version.
    private static func object(_ text: String) -> String {
        guard text != RootCommand.configuration.version + "\n" else { return "{\"schema\":1,\"version\":\"\(Frame.programVersion)\"}" }
        return "{\"schema\":1,\"help\":\(JSONText.quoted(text))}"
    }

    private static func lowered(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}
