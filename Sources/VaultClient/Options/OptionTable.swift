// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What a table says to one word of a command line.
enum OptionStep {
    /// An option, with its value if it has one; `next` is the index behind it.
    case taken(next: Int)
    /// No option of this table.
    case unknown
    /// An option, but not with this value.
    case notUnderstood
}

/// A command's options as a table, and the parser that reads a command line by it.
///
/// It knows only the plain forms (`--name`, `--name VALUE`, `--name=VALUE`, `-n`, `-n VALUE`, `--`, arguments). Whatever else it
/// meets, it answers nil, and ArgumentParser takes over with its full messages: so it is fast, and never has to be clever.
struct OptionTable<Options> {
    /// One option. `set` answers false for a value that it does not understand.
    struct Entry {
        let name: String
        let short: String?
        let takesValue: Bool
        let set: (inout Options, String) -> Bool

        static func flag(_ name: String, short: String? = nil, _ set: @escaping (inout Options) -> Void) -> Entry {
            Entry(name: name, short: short, takesValue: false) { options, _ in
                set(&options)
                return true
            }
        }
        static func value(
            _ name: String, short: String? = nil, _ set: @escaping (inout Options, String) -> Bool
        ) -> Entry {
            Entry(name: name, short: short, takesValue: true, set: set)
        }
        /// An option whose text is taken as it is.
        static func text(_ name: String, short: String? = nil, _ set: @escaping (inout Options, String) -> Void) -> Entry {
            value(name, short: short) { options, value in
                set(&options, value)
                return true
            }
        }
    }

    let entries: [Entry]

    /// Tries the option at `index`.
    func take(_ arguments: [String], at index: Int, into options: inout Options) -> OptionStep {
        let word = arguments[index]
        let (name, joined) = Self.split(word)
        guard let entry = entries.first(where: { "--" + $0.name == name || ($0.short.map { "-" + $0 } == word) }) else {
            return .unknown
        }
        guard entry.takesValue else {
            return joined == nil && entry.set(&options, "") ? .taken(next: index + 1) : .notUnderstood
        }
        // ArgumentParser takes the next word when nothing stands behind the mark; such a line is left to it.
        if joined == "" { return .notUnderstood }
        if let joined { return entry.set(&options, joined) ? .taken(next: index + 1) : .notUnderstood }
        // A value that looks like an option is left to ArgumentParser, which refuses it.
        guard index + 1 < arguments.count, !arguments[index + 1].hasPrefix("-") else { return .notUnderstood }
        return entry.set(&options, arguments[index + 1]) ? .taken(next: index + 2) : .notUnderstood
    }

    /// `--name=VALUE` in two parts.
    private static func split(_ word: String) -> (name: String, value: String?) {
        guard word.hasPrefix("--"), let mark = word.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<mark]), String(word[word.index(after: mark)...]))
    }
}

extension OptionTable {
    /// Reads all arguments after a command's name.
    ///
    /// - Parameters:
    ///   - takesTerms: `-word` is a term of a query, which must not be there, and no option.
    ///   - argument: takes one argument that is no option.
    /// - Returns: nil for anything that the two tables do not understand.
    func parse(
        _ arguments: [String], into options: Options, takesTerms: Bool = false, argument: (inout Options, String) -> Void
    ) -> (own: Options, global: GlobalOptions)? {
        let globalTable = OptionTable<GlobalOptions>.global
        var own = options
        var global = GlobalOptions()
        var index = 0
        var onlyArguments = false
        while index < arguments.count {
            let word = arguments[index]
            if onlyArguments || !word.hasPrefix("-") || word == "-" {
                argument(&own, word)
                index += 1
                continue
            }
            if word == "--" {
                onlyArguments = true
                index += 1
                continue
            }
            var step = take(arguments, at: index, into: &own)
            if case .unknown = step { step = globalTable.take(arguments, at: index, into: &global) }
            if case .unknown = step, takesTerms, Self.isTerm(word) {
                argument(&own, word)
                index += 1
                continue
            }
            guard case .taken(let next) = step else { return nil }
            index = next
        }
        return (own, global)
    }

    /// A minus, then at least two characters that are not an option's letter and a number: `-coffee`, `-tag:work`, not `-n5`.
    private static func isTerm(_ word: String) -> Bool {
        guard word.hasPrefix("-"), !word.hasPrefix("--"), word.count > 2 else { return false }
        return !word.dropFirst(2).allSatisfy { $0.isNumber || $0 == "=" }
    }
}
