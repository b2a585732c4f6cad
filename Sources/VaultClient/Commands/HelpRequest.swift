// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `HelpRequest` reads `vault help …`, and the help that a command's `--help` shows.
enum HelpRequest {
    /// Returns the words of a request for help; nil when the line asks for something else.
    static func words(_ shape: CommandLineShape) -> [String]? {
        guard let index = shape.names.firstIndex(of: "help") else { return nil }
        return shape.names[..<index] + shape.names[(index + 1)...] + shape.rest
    }

    /// Returns what to print for these words.
    ///
    /// - Throws: `.usage`, with what was probably meant, for a command or an option that does not exist.
    static func text(_ words: [String], columns: Int) throws(ClientFailure) -> String {
        let names = try withoutOptions(words).filter { $0 != "help" }
        if names == ["exit-codes"] { return HelpCommand.exitCodes }
        switch CommandNode.find(names) {
        case .found(let node): return HelpPage(CommandPage(node), columns: columns).text
        case .unknown(let unknown): throw unknownCommand(unknown, next: nil, hint: "vault help")
        }
    }

    /// Returns the failure for names of which the last is no command.
    static func unknownCommand(_ names: [String], next: String?, hint: String) -> ClientFailure {
        let typed = VisibleText.escaped(names.joined(separator: " "))
        let next = next.flatMap { $0.hasPrefix("-") ? nil : $0 }
        return .usage("there is no command '\(typed)'", hint: Suggestion.command(for: names, next: next) ?? hint)
    }

    /// `COLUMNS`, else the terminal's width, else 80.
    static var columns: Int {
        if let named = Environment.text("COLUMNS").flatMap({ Int($0) }), named > 0 { return named }
        let width = Int(Terminal.columns(of: Streams.output))
        return width > 0 ? width : 80
    }

    /// Returns the words without global options, which may stand in every line and change nothing here.
    private static func withoutOptions(_ words: [String]) throws(ClientFailure) -> [String] {
        let tokens: [CommandLineWords.Token]
        do { tokens = try CommandLineWords.read(words, GlobalOptions.names) } catch {
            throw OptionMistake.failure(error, CommandPage(.root))
        }
        return tokens.compactMap { token in if case .word(let word) = token { word } else { nil } }
    }
}

/// `HelpCommand` prints help that no command's page has.
enum HelpCommand {
    /// `vault` alone: the way to a first note.
    static let start = """
        vault keeps private notes, encrypted on this machine.

          vault init                  make a vault (once)
          vault unlock                open it
          vault new "buy milk"        write a note
          vault ls                    see your notes
          vault show ID               read one
          vault search milk           find one
          vault lock                  close it

        All commands: vault help     One of them: vault help new     Exit codes: vault help exit-codes

        """

    static var exitCodes: String {
        ExitCode.allCases.map { code in
            let number = String(code.rawValue)
            return String(repeating: " ", count: 4 - number.count) + number + "  " + code.meaning + "\n"
        }.joined()
    }
}
