// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `OptionNames` holds the options that a command has, by their names: all that is needed to tell an option from a
/// word.
///
/// A list, since a line has few options: a dictionary costs more to make than it saves.
struct OptionNames: Sendable {
    private struct Entry {
        let name: String
        let letter: Character?
        let takesValue: Bool
    }

    private var entries = [
        Entry(name: "help", letter: "h", takesValue: false), Entry(name: "version", letter: nil, takesValue: false),
    ]
    /// The command takes words and filters, of which one that begins with a dash must not be there.
    var takesTerms = false

    mutating func add(_ name: String, letter: Character?, takesValue: Bool) {
        entries.append(Entry(name: name, letter: letter, takesValue: takesValue))
    }

    /// Returns whether the option of this long name takes a value; nil when there is none.
    func takesValue(_ name: String) -> Bool? { entries.first { $0.name == name }?.takesValue }

    /// Returns the long name of a letter's option, and whether it takes a value.
    func option(_ letter: Character) -> (name: String, takesValue: Bool)? {
        entries.first { $0.letter == letter }.map { ($0.name, $0.takesValue) }
    }
}

/// `CommandLineWords` tells options from words, for every command in the same way. Spec: docs/cli.md §1.
///
/// ```
/// --name  --name VALUE  --name=VALUE        a value in a word of its own does not begin with a dash, unless it is "-"
/// -a  -abc  -n VALUE  -nVALUE  -n=VALUE     letters one after another; the first that takes a value takes the rest
/// -word                                     where words are looked for, and no letter is an option: must not occur
/// -tag:work                                 there too, with the name of a filter
/// "- text"                                  a dash and a blank begin a text
/// --                                        everything behind it is a word
/// ```
enum CommandLineWords {
    enum Token: Equatable {
        /// By its long name, without dashes.
        case option(String, value: String?)
        case word(String)
    }

    /// `Mistake` names what no reading of a word fits.
    enum Mistake: Error, Equatable {
        case unknown(String)
        /// A word of which some letters are options and some are not: the first that is not.
        case mixed(String, letter: Character)
        case noValue(String)
        case needlessValue(String)
    }

    static func read(_ arguments: [String], _ names: OptionNames) throws(Mistake) -> [Token] {
        var tokens: [Token] = []
        var index = 0
        while index < arguments.count {
            let word = arguments[index]
            if word == "--" {
                tokens += arguments[(index + 1)...].map { .word($0) }
                break
            }
            tokens += try read(arguments, at: &index, names)
        }
        return tokens
    }

    /// Reads the word at `index`, and its value if that is the next one; moves `index` behind them.
    static func read(_ arguments: [String], at index: inout Int, _ names: OptionNames) throws(Mistake) -> [Token] {
        let word = arguments[index]
        // No letter is a blank: "- [ ] call Ada" is what somebody writes.
        guard word.hasPrefix("-"), word != "-", !word.hasPrefix("- ") else {
            index += 1
            return [.word(word)]
        }
        if word.hasPrefix("--") { return [try long(word, arguments, &index, names)] }
        if names.takesTerms, isTerm(word, names) {
            index += 1
            return [.word(word)]
        }
        return try cluster(word, arguments, &index, names)
    }

    private static func long(
        _ word: String, _ arguments: [String], _ index: inout Int, _ names: OptionNames
    ) throws(Mistake) -> Token {
        let mark = word.firstIndex(of: "=")
        let name = String(word[..<(mark ?? word.endIndex)].dropFirst(2))
        guard let takesValue = names.takesValue(name) else { throw .unknown("--" + name) }
        index += 1
        guard takesValue else {
            guard mark == nil else { throw .needlessValue("--" + name) }
            return .option(name, value: nil)
        }
        if let mark { return .option(name, value: String(word[word.index(after: mark)...])) }
        return .option(name, value: try next(arguments, &index, for: "--" + name))
    }

    private static func cluster(
        _ word: String, _ arguments: [String], _ index: inout Int, _ names: OptionNames
    ) throws(Mistake) -> [Token] {
        var tokens: [Token] = []
        var rest = word.dropFirst()
        while let letter = rest.popFirst() {
            guard let (name, takesValue) = names.option(letter) else {
                // What is neither is named whole when nothing of it is ours, and by its letter otherwise.
                let isMixed = word.dropFirst().contains { names.option($0) != nil }
                throw isMixed ? Mistake.mixed(word, letter: letter) : Mistake.unknown(word)
            }
            guard takesValue else {
                if rest.first == "=" { throw .needlessValue("-\(letter)") }
                tokens.append(.option(name, value: nil))
                continue
            }
            index += 1
            guard rest.isEmpty else {
                // `-tag red` is `--tag red` with a dash that was forgotten, and hardly the tag "ag".
                let whole = word.dropFirst().prefix { $0 != "=" }
                guard names.takesValue(String(whole)) == nil || whole.count == 1 else { throw .unknown("-" + whole) }
                return tokens + [.option(name, value: String(rest.first == "=" ? rest.dropFirst() : rest))]
            }
            return tokens + [.option(name, value: try next(arguments, &index, for: "-\(letter)"))]
        }
        index += 1
        return tokens
    }

    /// Returns the value after an option; one that looks like an option is one that was forgotten.
    private static func next(_ arguments: [String], _ index: inout Int, for option: String) throws(Mistake) -> String {
        guard index < arguments.count, !arguments[index].hasPrefix("-") || arguments[index] == "-" else {
            throw .noValue(option)
        }
        defer { index += 1 }
        return arguments[index]
    }

    /// The fields of docs/cli.md §4.
    private static let fields = ["tag", "notebook", "title", "created", "modified", "has", "state"]

    /// Returns whether a word that begins with one dash is one that must not be there. Its letters are those up to the
    /// first character that is not one.
    private static func isTerm(_ word: String, _ names: OptionNames) -> Bool {
        let text = word.dropFirst()
        if fields.contains(where: { text.hasPrefix($0 + ":") }) { return true }
        let letters = text.prefix { $0.isASCII && $0.isLetter }
        return text.count > 1 && !letters.contains { names.option($0) != nil }
    }
}
