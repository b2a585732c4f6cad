// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Puts a command line into the order that both parsers read: the command's name first, then everything else.
public struct CommandLineShape: Sendable, Equatable {
    /// Names of the command, e.g. `["trash", "ls"]`; empty when none was found.
    public var names: [String] = []
    /// All other words, global options first.
    public var rest: [String] = []

    /// Commands that are only a heading for others.
    static let groups: Set<String> = [
        "trash", "import", "notebook", "template", "draft", "config", "attach", "note", "sketch", "key", "recovery", "export", "backup",
    ]
    /// `tag` is a command too: only these words after it are another one's name.
    static let tagCommands: Set<String> = ["add", "ls", "rename", "merge"]

    /// Global options may stand before the command's name; they are moved behind it.
    ///
    /// A word that is no global option ends the search, so that a note's text is never taken for an option.
    public init(_ arguments: [String]) {
        var index = 0
        var moved: [String] = []
        let global = OptionTable<GlobalOptions>.names
        while index < arguments.count {
            let word = arguments[index]
            if !word.hasPrefix("-") {
                names.append(word)
                index += 1
                if names.count == 1 && Self.groups.contains(word) { continue }
                if names == ["tag"], index < arguments.count, Self.tagCommands.contains(arguments[index]) { continue }
                break
            }
            var next = index
            guard word != "--", (try? CommandLineWords.read(arguments, at: &next, global)) != nil else { break }
            moved += arguments[index..<next]
            index = next
        }
        rest = moved + arguments[index...]
    }

    /// The whole line as ArgumentParser wants it.
    public var arguments: [String] { names + rest }

    /// Whether a password was put on the command line, where `ps` and the shell's history show it.
    public static func holdsPassword(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains { $0 == "--password" || $0.hasPrefix("--password=") }
    }
}
