// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient

/// Says what is wrong with a word of a command line, and what was probably meant.
enum OptionMistake {
    /// - Parameter page: of the command whose line it is.
    static func failure(_ mistake: CommandLineWords.Mistake, _ page: CommandPage) -> ClientFailure {
        let hint = (["vault", "help"] + page.path).joined(separator: " ")
        let known = page.spellings
        switch mistake {
        case .unknown(let word):
            let meant = known.contains("-" + word) ? "-" + word : Suggestion.option(for: word, among: known.sorted())
            return .usage(
                "unknown option '\(VisibleText.escaped(word))'", hint: meant.map { page.line + " " + $0 } ?? hint)
        case .mixed(let word, let letter):
            return .usage(
                "unknown option '-\(VisibleText.escaped(String(letter)))' in '\(VisibleText.escaped(word))'",
                hint: "\(page.line) -- \(ShellWord.quoted(word))")
        case .noValue(let option): return .usage("\(option) needs a value", hint: hint)
        case .needlessValue(let option): return .usage("\(option) takes no value", hint: hint)
        }
    }
}
