// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultClient

/// `CommandTable` writes the table of all commands in docs/cli.md, between two lines that say so.
public enum CommandTable {
    private static let begin = "<!-- commands -->\n"
    private static let end = "<!-- end of commands -->\n"

    /// Returns a page with the table of now in it.
    ///
    /// - Returns: nil for a page without the two lines.
    public static func written(into page: String) -> String? {
        guard let first = page.range(of: begin), let last = page.range(of: end, from: first.upperBound) else {
            return nil
        }
        return page[..<first.upperBound] + text + page[last.lowerBound...]
    }

    /// The table, with one row a command in the order of `vault help`; commands below a heading stand after it.
    static var text: String {
        let rows = CommandPage.all.filter { !$0.path.isEmpty && $0.sections.isEmpty }.map { page in
            "| `\(usage(page))` | \(page.abstract) |\n"
        }
        return "| command | what it does |\n|---|---|\n" + rows.joined()
    }

    /// Returns a command with its arguments and own options; a bar in a table's cell is written with a backslash.
    private static func usage(_ page: CommandPage) -> String {
        var words = [page.path.joined(separator: " ")]
        words += page.positionals.map { argument in
            let name = argument.valueName.uppercased() + (argument.isRepeating ? "…" : "")
            return argument.isOptional ? "[\(name)]" : name
        }
        words += page.ownOptions.map { option in
            let spellings = option.spellings.joined(separator: "\\|")
            return "[\(spellings)\(option.valueName.isEmpty ? "" : " " + option.valueName.uppercased())]"
        }
        return words.joined(separator: " ")
    }
}

extension String {
    /// Returns the first place of a text in this one.
    fileprivate func range(of text: String, from start: Index? = nil) -> Range<Index>? {
        var at = start ?? startIndex
        while at < endIndex {
            if self[at...].hasPrefix(text) { return at..<index(at, offsetBy: text.count) }
            at = index(after: at)
        }
        return nil
    }
}
