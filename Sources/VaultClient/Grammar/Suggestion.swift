// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient

/// `Suggestion` finds the probable meaning of an unknown word.
enum Suggestion {
    /// What the same act is called in tools that people come from.
    private static let elsewhere = [
        "add": "new", "create": "new", "insert": "new", "write": "new", "list": "ls", "dir": "ls", "find": "search",
        "grep": "search", "view": "show", "print": "show", "read": "show", "delete": "rm", "del": "rm", "remove": "rm",
        "undelete": "restore", "move": "mv", "rename": "title", "copy": "dup", "cp": "dup", "duplicate": "dup",
        "log": "history",
        "open": "unlock", "close": "lock", "settings": "config", "clip": "share", "verify": "check", "fsck": "check",
        "setup": "init", "today": "daily", "journal": "daily", "reset": "revert", "completions": "completion",
    ]

    /// Returns the command line that is nearest to names of which the last is unknown.
    ///
    /// - Parameter next: the word that follows them, since `tga ls` is one command in two words.
    /// - Returns: such as `vault tag ls`; nil when nothing is near enough.
    static func command(for names: [String], next: String? = nil) -> String? {
        let commands = CommandNode.all
        let typed = names.joined(separator: " ")
        if let name = elsewhere[typed], commands.contains(where: { $0.path == [name] }) { return "vault " + name }
        if names.count == 2, let name = elsewhere[names[1]], commands.contains(where: { $0.path == [names[0], name] }) {
            return "vault \(names[0]) \(name)"
        }
        let spellings = commands.map { ($0.path.joined(separator: " "), $0.line) }
        let pairs = next.flatMap { next in
            nearest(to: typed + " " + next, among: spellings.filter { $0.0.contains(" ") })
        }
        let single =
            begun(names, among: commands).map { (meant: $0.line, distance: 1) } ?? nearest(to: typed, among: spellings)
        // The longer match says more; it wins when it is no worse, and when it only goes on where the shorter one ends.
        guard let pairs else { return single?.meant }
        guard let single else { return pairs.meant }
        let goesOn = pairs.meant.hasPrefix(single.meant + " ")
        return goesOn || pairs.distance <= single.distance ? pairs.meant : single.meant
    }

    /// Returns the only command that begins as the last name does.
    private static func begun(_ names: [String], among commands: [CommandNode]) -> CommandNode? {
        guard let last = names.last, last.utf8.count > 1 else { return nil }
        let fitting = commands.filter { node in
            node.path.count == names.count && node.path.starts(with: names.dropLast())
                && node.path[names.count - 1].hasPrefix(last)
        }
        return fitting.count == 1 ? fitting[0] : nil
    }

    /// Returns the option that is nearest to a word that begins with two dashes.
    static func option(for typed: String, among options: [String]) -> String? {
        guard typed.hasPrefix("--") else { return nil }
        let long = options.filter { $0.hasPrefix("--") }
        // What was begun rightly and is one option's only beginning was an abbreviation.
        let begun = long.filter { $0.hasPrefix(typed) }
        if typed.utf8.count > 3, begun.count == 1 { return begun[0] }
        return nearest(to: String(typed.dropFirst(2)), among: long.map { (String($0.dropFirst(2)), $0) })?.meant
    }

    /// Returns the nearest of `words`; of equals the one with the same first letter, then the first in the alphabet.
    static func nearest(
        to typed: String, among words: [(word: String, meant: String)]
    ) -> (meant: String, distance: Int)? {
        let lowered = typed.utf8.count <= EditDistance.byteCountMax ? typed.lowercased() : typed
        return words.compactMap { word, meant -> (distance: Int, isElse: Int, word: String, meant: String)? in
            let limit = slips(max(lowered.utf8.count, word.utf8.count))
            guard let distance = EditDistance.between(lowered, word, limit: limit) else { return nil }
            // Two words that share no letter in its place are no slip: 'x' is not 'ls'.
            guard distance < min(lowered.utf8.count, word.utf8.count) else { return nil }
            return (distance, lowered.first == word.first ? 0 : 1, word, meant)
        }.min { ($0.distance, $0.isElse, $0.word) < ($1.distance, $1.isElse, $1.word) }
            .map { ($0.meant, $0.distance) }
    }

    /// Returns how many slips are likely in a word of this length.
    private static func slips(_ byteCount: Int) -> Int { byteCount <= 5 ? 1 : byteCount <= 9 ? 2 : 3 }
}

/// `EditDistance` tells how many slips of the hand lie between two words.
enum EditDistance {
    /// Longer words are never compared, since the time grows with the product of both lengths.
    static let byteCountMax = 48

    /// Counts the insertions, deletions, replacements and swaps of neighbours that make one word the other.
    ///
    /// This is the restricted Damerau-Levenshtein distance: no letter is changed twice. Bytes are compared, which is
    /// enough for names that are all ASCII.
    /// - Returns: nil for a word above `byteCountMax`, and when there are more than `limit`.
    static func between(_ left: String, _ right: String, limit: Int) -> Int? {
        let (a, b) = (Array(left.utf8.prefix(byteCountMax + 1)), Array(right.utf8.prefix(byteCountMax + 1)))
        guard a.count <= byteCountMax, b.count <= byteCountMax, abs(a.count - b.count) <= limit else { return nil }
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        let distance = last[b.count]
        return distance <= limit ? distance : nil
    }
}

/// `OptionMistake` says what is wrong with a word of a command line, and what was probably meant.
enum OptionMistake {
    /// Returns the error for a mistake, with a hint at what was probably meant.
    ///
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
