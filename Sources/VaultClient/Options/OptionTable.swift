// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A command's options as a table, and the parser that reads a command line by it: fast, for the commands that are run most.
///
/// Options and words are told apart by `CommandLineWords`, as for all commands. Whatever is wrong with a line, it answers nil, and the full parser
/// says what.
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

    /// Sets the option of this name.
    ///
    /// - Returns: whether the value was understood; nil when there is no such option here.
    func set(_ name: String, _ value: String?, in options: inout Options) -> Bool? {
        entries.first { $0.name == name }.map { $0.set(&options, value ?? "") }
    }

    func add(to names: inout OptionNames) {
        for entry in entries { names.add(entry.name, letter: entry.short?.first, takesValue: entry.takesValue) }
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
        var names = OptionNames()
        add(to: &names)
        globalTable.add(to: &names)
        names.takesTerms = takesTerms
        guard let tokens = try? CommandLineWords.read(arguments, names) else { return nil }
        var own = options
        var global = GlobalOptions()
        for token in tokens {
            switch token {
            case .word(let word): argument(&own, word)
            case .option(let name, let value):
                // Help is neither's.
                guard set(name, value, in: &own) ?? globalTable.set(name, value, in: &global) ?? false else { return nil }
            }
        }
        return (own, global)
    }
}

extension OptionTable<GlobalOptions> {
    static var names: OptionNames {
        var names = OptionNames()
        global.add(to: &names)
        return names
    }
}
