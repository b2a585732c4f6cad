// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `HelpPage` is the help of one command as text.
///
/// The explanations go below the names when there is no room beside them, a command's own options come before those of
/// all commands, and examples follow.
struct HelpPage {
    let page: CommandPage
    let columns: Int

    /// Widths that text is still read at with ease; below and above them it is not made narrower or wider.
    static let columnsRange = 30...100

    init(_ page: CommandPage, columns: Int) {
        self.page = page
        self.columns = min(max(columns, Self.columnsRange.lowerBound), Self.columnsRange.upperBound)
    }

    var text: String {
        var blocks = [WrappedText.lines(page.abstract, columns: columns)]
        if !page.discussion.isEmpty { blocks.append(WrappedText.lines(page.discussion, columns: columns)) }
        blocks.append(usage)
        blocks.append(block("Arguments", page.positionals.map { ($0.valueName, $0.explanation) }))
        blocks.append(block("Options", page.ownOptions.map { (Self.label($0), $0.explanation) }))
        let widest = page.sections.flatMap(\.commands).map(\.name.count).max()
        for section in page.sections {
            blocks.append(block(section.title, section.commands.map { ($0.name, $0.abstract) }, widest))
        }
        blocks.append(block("Global options", page.globalOptions.map { (Self.label($0), $0.explanation) }))
        blocks.append(examples)
        if !page.sections.isEmpty {
            let line = (["vault", "help"] + page.path).joined(separator: " ")
            blocks.append(WrappedText.lines("More about one of them: \(line) NAME", columns: columns))
        }
        return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    /// Returns `vault append [options] <id> [<text> ...]`.
    static func usageWords(_ page: CommandPage) -> String {
        var words = page.line
        if !page.sections.isEmpty { words += " <command>" }
        if !page.ownOptions.isEmpty { words += " [options]" }
        for argument in page.positionals {
            let name = "<\(argument.valueName)>" + (argument.isRepeating ? " ..." : "")
            words += argument.isOptional ? " [\(name)]" : " " + name
        }
        return words
    }

    private var usage: [String] {
        let lines = WrappedText.indented(Self.usageWords(page), by: 7, columns: columns)
        return [lines.first.map { "USAGE:" + $0.dropFirst(6) } ?? ""] + lines.dropFirst()
    }

    private var examples: [String] {
        guard !page.examples.isEmpty else { return [] }
        return ["EXAMPLES:"]
            + page.examples.flatMap { example in
                ShellLine.broken(example.line, to: columns - 2).map { "  " + $0 }
                    + WrappedText.indented(example.meaning, by: 6, columns: columns)
            }
    }

    /// Writes names with what they mean, beside them or below.
    ///
    /// - Parameter widest: the longest name of the blocks that shall stand in line; nil for this block's own.
    private func block(_ title: String, _ rows: [(label: String, meaning: String)], _ widest: Int? = nil) -> [String] {
        guard !rows.isEmpty else { return [] }
        let room = min((widest ?? rows.map(\.label.count).max() ?? 0) + 4, 26)
        let isStacked = columns - room < 24
        let indent = isStacked ? 6 : room
        return [title.uppercased() + ":"]
            + rows.flatMap { label, meaning -> [String] in
                let lines = WrappedText.indented(meaning, by: indent, columns: columns)
                guard !isStacked, label.count + 4 <= indent, let first = lines.first else {
                    return ["  " + label] + lines
                }
                let gap = String(repeating: " ", count: indent - label.count - 2)
                return ["  " + label + gap + first.dropFirst(indent)] + lines.dropFirst()
            }
    }

    /// Returns `-t, --tag <tag>`.
    private static func label(_ argument: ArgumentDescription) -> String {
        let names = argument.spellings.joined(separator: ", ")
        return argument.kind == .option ? names + " <\(argument.valueName)>" : names
    }
}

/// `WrappedText` breaks prose into lines of a terminal's width.
enum WrappedText {
    /// Returns lines of at most `columns` characters, each paragraph begun anew; blanks at its beginning are kept
    /// before all of its lines. A longer word has a line of its own, so that it can be copied whole.
    static func lines(_ text: String, columns: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { lines(paragraph: $0, columns) }
    }

    private static func lines(paragraph: Substring, _ columns: Int) -> [String] {
        let words = paragraph.split(separator: " ")
        guard let first = words.first else { return [""] }
        let indent = String(paragraph.prefix { $0 == " " }.prefix(columns / 3))
        var lines = [indent + first]
        var width = indent.count + first.count
        for word in words.dropFirst() {
            let count = word.count
            if width + 1 + count > columns {
                lines.append(indent + word)
                width = indent.count + count
            } else {
                lines[lines.count - 1] += " " + word
                width += 1 + count
            }
        }
        return lines
    }

    /// Returns the same with `indent` blanks before each line.
    static func indented(_ text: String, by indent: Int, columns: Int) -> [String] {
        lines(text, columns: max(columns - indent, 12)).map {
            $0.isEmpty ? "" : String(repeating: " ", count: indent) + $0
        }
    }
}
