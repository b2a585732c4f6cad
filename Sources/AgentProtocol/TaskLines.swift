// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `TaskLines` finds the tasks of a text: items of a list that begin with `[ ]` or `[x]`, as GitHub Flavored Markdown
/// has them (task list items, §5.3). Lines in a fenced code block are not tasks.
public enum TaskLines {
    /// `Task` is one of them.
    public struct Task: Equatable, Sendable {
        /// The text after the box.
        public let text: String
        /// The offset of the mark in its box, in bytes of the text.
        public let offset: Int
        public let isDone: Bool
    }

    /// Returns the tasks, in their order: the number of one stays when another is ticked.
    public static func all(in text: String) -> [Task] {
        var tasks: [Task] = []
        var isFenced = false
        var offset = 0
        for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
            defer { offset += line.count + 1 }
            let body = line.drop { $0 == 0x20 || $0 == 0x09 }
            if body.starts(with: "```".utf8) || body.starts(with: "~~~".utf8) {
                isFenced.toggle()
                continue
            }
            guard !isFenced, let box = box(in: body) else { continue }
            let words = body[body.index(box, offsetBy: 2)...].drop { $0 == 0x20 }
            let shown = String(decoding: words, as: UTF8.self).filter { $0 != "\r" }
            tasks.append(
                Task(
                    text: shown, offset: offset + text.utf8.distance(from: line.startIndex, to: box),
                    isDone: body[box] != 0x20))
        }
        return tasks
    }

    /// Returns where the sign between the brackets stands.
    private static func box(in line: Substring.UTF8View) -> String.Index? {
        var rest = line
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        if digits.isEmpty {
            guard let mark = rest.first, "-*+".utf8.contains(mark) else { return nil }
            rest = rest.dropFirst()
        } else {
            rest = rest.dropFirst(digits.count)
            guard digits.count <= 9, let mark = rest.first, ".)".utf8.contains(mark) else { return nil }
            rest = rest.dropFirst()
        }
        let blanks = rest.prefix { $0 == 0x20 }
        rest = rest.dropFirst(blanks.count)
        guard (1...4).contains(blanks.count), ["[ ]", "[x]", "[X]"].contains(where: { rest.starts(with: $0.utf8) })
        else {
            return nil
        }
        let behind = rest.dropFirst(3).first
        guard behind == nil || behind == 0x20 || behind == 0x0D else { return nil }
        return rest.index(after: rest.startIndex)
    }
}
