// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ArgumentParser

/// Says which option of a refused command line does not exist, and which one was probably meant.
enum OptionMistake {
    /// - Parameter message: ArgumentParser's; it must name the word, since it may have refused the line for another reason.
    /// - Returns: nil when every option is one of the command's.
    static func find(_ shape: CommandLineShape, in node: CommandNode, message: String) -> ClientFailure? {
        let arguments = CommandPage(node).arguments
        let known = Set(arguments.flatMap(\.spellings) + globalNames)
        for word in shape.rest.prefix(while: { $0 != "--" }) where word.hasPrefix("-") && word != "-" {
            let name = String(word.prefix { $0 != "=" })
            guard !known.contains(name), message.contains("'\(name)'") else { continue }
            let text = "unknown option '\(VisibleText.escaped(name))'"
            if let apart = apart(name, arguments) { return .usage(text, hint: node.line + " " + apart) }
            guard let meant = Suggestion.option(for: name, among: known.sorted()) else {
                return .usage(text, hint: (["vault", "help"] + node.path).joined(separator: " "))
            }
            return .usage(text, hint: node.line + " " + meant)
        }
        return nil
    }

    private static var globalNames: [String] {
        OptionTable<GlobalOptions>.global.entries.flatMap { ["--" + $0.name] + ($0.short.map { ["-" + $0] } ?? []) }
    }

    /// `-n5` as `-n 5`: a short option's value stands apart.
    private static func apart(_ word: String, _ arguments: [CommandDescription.Argument]) -> String? {
        guard !word.hasPrefix("--"), word.utf8.count > 2,
            arguments.contains(where: { $0.kind == .option && $0.spellings.contains(String(word.prefix(2))) })
        else { return nil }
        return "\(word.prefix(2)) \(ShellWord.quoted(String(word.dropFirst(2))))"
    }
}
