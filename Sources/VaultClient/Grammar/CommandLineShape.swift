// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `CommandLineShape` puts a command line into one order: the command's name first, then everything else.
public struct CommandLineShape: Sendable, Equatable {
    /// Names of the command, e.g. `["trash", "ls"]`; empty when none was found.
    public var names: [String] = []
    /// All other words, global options first.
    public var rest: [String] = []

    /// Finds the command's name, and moves global options that stand before it after it.
    ///
    /// A word that is no global option ends the search, so that a note's text is never taken for an option.
    public init(_ arguments: [String]) {
        var index = 0
        var moved: [String] = []
        var known: OptionNames?
        while index < arguments.count {
            let word = arguments[index]
            if !word.hasPrefix("-") {
                names.append(word)
                index += 1
                // Below a heading the next word is a command's name; below one that stands for a command it may be
                // that command's first word.
                guard names.count == 1, let group = CommandTree.group(named: word) else { break }
                guard
                    group.standard == nil
                        || arguments[index...].first.map({ next in group.commands.all.contains { $0.name == next } })
                            == true
                else { break }
                continue
            }
            var next = index
            let global = known ?? GlobalOptions.names
            known = global
            guard word != "--", (try? CommandLineWords.read(arguments, at: &next, global)) != nil else { break }
            moved += arguments[index..<next]
            index = next
        }
        rest = moved + arguments[index...]
    }

    /// The whole line.
    public var arguments: [String] { names + rest }

    /// Returns whether a password was put on the command line, where `ps` and the shell's history show it.
    public static func holdsPassword(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains { $0 == "--password" || $0.hasPrefix("--password=") }
    }
}
