// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `RoffPage` is a manual page while it is written, line by line.
struct RoffPage {
    private var lines: [String] = []

    /// Begins a page with the line of its title.
    ///
    /// - Parameter version: stands in the footer; a date would change the page without a change of what it says.
    init(name: String, section: Int, version: String, manual: String) {
        lines.append(".\\\" SPDX-License-Identifier: Apache-2.0")
        lines.append(".\\\" SPDX-FileCopyrightText: The vault authors")
        lines.append(".\\\" Written by 'make man' from the definitions of the commands; changes belong there.")
        lines.append(
            ".TH \(Roff.quoted(name.uppercased())) \(section) \"\" \(Roff.quoted(version)) \(Roff.quoted(manual))")
        // Words of commands and files are not to be taken apart, and without that full lines cannot be filled evenly.
        lines += [".nh", ".ad l"]
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Begins a section.
    ///
    /// - Parameter title: in roff's form.
    mutating func section(_ title: String) { lines.append(".SH " + title) }

    /// Writes a line in roff's form.
    mutating func line(_ roff: String) {
        if !roff.isEmpty { lines.append(roff) }
    }

    /// Writes prose; paragraphs are parted by empty lines, and lines that begin with blanks are shown as they stand.
    mutating func prose(_ text: String) {
        var isFirst = true
        for paragraph in Self.paragraphs(text) {
            if !isFirst { lines.append(".PP") }
            isFirst = false
            if paragraph.contains(where: { $0.hasPrefix(" ") }) {
                lines.append(".EX")
                lines += paragraph.map { Roff.escaped(String($0)) }
                lines.append(".EE")
            } else {
                line(Roff.escaped(paragraph.joined(separator: " ")))
            }
        }
    }

    /// Writes a term with its explanation below and indented.
    mutating func item(_ term: String, _ explanation: String) {
        lines += [".TP", term]
        // A term without text below it would take the next paragraph for its own.
        lines.append(explanation.isEmpty ? "\\&" : Roff.escaped(explanation))
    }

    private static func paragraphs(_ text: String) -> [[Substring]] {
        var paragraphs: [[Substring]] = [[]]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                paragraphs.append([])
            } else {
                paragraphs[paragraphs.count - 1].append(line)
            }
        }
        return paragraphs.filter { !$0.isEmpty }
    }
}
