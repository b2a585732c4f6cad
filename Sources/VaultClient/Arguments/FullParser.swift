// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ArgumentParser

/// Reads with ArgumentParser what the option tables leave to it: all other commands, help, and every mistake.
enum FullParser {
    static func run(_ shape: CommandLineShape) -> Int32 {
        if shape.names == ["help"], shape.rest == ["exit-codes"] { return show(HelpCommand.exitCodes) }
        if let name = unknownCommand(shape) {
            let message = "there is no command '\(VisibleText.escaped(name))'"
            return Reporter(json: shape.rest.contains("--json")).finish(Outcome(.usage, message, hint: hint(shape)))
        }
        do {
            var command = try RootCommand.parseAsRoot(shape.arguments)
            if let ours = command as? any ClientCommand { return Client.execute(ours.global.options, ours.execute) }
            try command.run()
            return 0
        } catch {
            return report(error, shape)
        }
    }

    /// ArgumentParser throws for help as well as for mistakes.
    private static func report(_ error: any Error, _ shape: CommandLineShape) -> Int32 {
        if RootCommand.exitCode(for: error) == .success { return show(RootCommand.fullMessage(for: error) + "\n") }
        let message =
            RootCommand.message(for: error).split(separator: "\n").first.map(String.init) ?? "the command line is not right"
        return Reporter(json: shape.rest.contains("--json"))
            .finish(Outcome(.usage, lowered(VisibleText.escaped(message)), hint: hint(shape)))
    }

    /// A name that is no command of ours; nil when all names are.
    private static func unknownCommand(_ shape: CommandLineShape) -> String? {
        var commands: [any ParsableCommand.Type] = [RootCommand.self]
        for name in shape.names where name != "help" {
            guard let command = commands.last?.configuration.subcommands.first(where: { $0._commandName == name }) else {
                return name
            }
            commands.append(command)
        }
        return nil
    }

    private static func hint(_ shape: CommandLineShape) -> String {
        (["vault help"] + (unknownCommand(shape) == nil ? shape.names : [])).joined(separator: " ")
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
