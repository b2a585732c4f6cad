// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `CommandReader` reads a command line by the declaration of its command. It is the only reader: there is no faster
/// one beside it.
enum CommandReader {
    /// `Wish` is what a line asks for.
    enum Wish {
        case run, help, version
    }

    /// Fills a command, and the options that all have.
    ///
    /// - Parameters:
    ///   - made: the command, and `path` its names, for what is said of a mistake.
    static func read<C: Command>(
        _ words: [String], into command: inout C, _ global: inout GlobalOptions, _ made: MadeCommand, path: [String]
    ) throws(ClientFailure) -> Wish {
        var naming = ArgumentList.naming
        command.declare(&naming)
        global.declare(&naming)
        let tokens: [CommandLineWords.Token]
        do { tokens = try CommandLineWords.read(words, naming.names) } catch {
            throw OptionMistake.failure(error, CommandPage(made, path))
        }
        for case .option(let name, nil) in tokens {
            if name == "help" { return .help }
            if name == "version" { return .version }
        }
        var filling = ArgumentList(filling: tokens)
        command.declare(&filling)
        global.declare(&filling)
        if let complaint = filling.complaint ?? command.complaint { throw refusal(complaint, path) }
        return .run
    }

    /// Reads the options of a line that names no command, or only a heading.
    static func readGlobal(_ words: [String], _ page: CommandPage) throws(ClientFailure) -> [CommandLineWords.Token] {
        do { return try CommandLineWords.read(words, GlobalOptions.names) } catch {
            throw OptionMistake.failure(error, page)
        }
    }

    private static func refusal(_ complaint: String, _ path: [String]) -> ClientFailure {
        .usage(VisibleText.escaped(complaint), hint: (["vault", "help"] + path).joined(separator: " "))
    }
}
