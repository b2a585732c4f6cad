// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Renders a note's Markdown: headings, paragraphs, lists, quotations, rules and blocks of code. Tables, HTML and all else stay text.
struct HTMLBlocks {
    private static let listDepthMax = 16

    private enum Paragraph: Equatable {
        case plain, quoted, item
    }

    private let bytes: [UInt8]
    private let attachments: HTMLAttachments
    private let output: ByteOutput
    private var at = 0
    private var lists: [(isOrdered: Bool, indentation: Int)] = []
    private var words: [UInt8] = []
    private var paragraph: Paragraph?
    private var isAfterBlank = false

    init(_ body: String, _ attachments: HTMLAttachments, to output: ByteOutput) {
        bytes = Array(body.utf8)
        self.attachments = attachments
        self.output = output
    }

    mutating func render() throws {
        while at < bytes.count {
            let line = nextLine()
            let kind = HTMLLine(line, in: bytes)
            try render(kind, line)
            isAfterBlank = kind == .blank
        }
        try closeLists()
    }

    private mutating func nextLine() -> Range<Int> {
        let end = bytes[at...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        defer { at = end + 1 }
        return at..<(end > at && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end)
    }

    private mutating func render(_ kind: HTMLLine, _ line: Range<Int>) throws {
        switch kind {
        case .blank: try endParagraph()
        case .rule:
            try closeLists()
            try output.write("<hr>\n")
        case .heading(let level, let start):
            try closeLists()
            // The note's title is the page's second level.
            let tag = "h\(min(6, level + 2))"
            try output.write("<\(tag)>")
            try renderInline(Array(bytes[start..<line.upperBound]))
            try output.write("</\(tag)>\n")
        case .fence(let mark, let count):
            try endParagraph()
            try renderCode(mark, count)
        case .quote(let start):
            if paragraph != .quoted { try closeLists() }
            add(bytes[start..<line.upperBound], to: .quoted)
        case .item(let isOrdered, let indentation, let start):
            try endParagraph()
            try openItem(isOrdered, indentation)
            add(bytes[start..<line.upperBound], to: .item)
        case .text(let indentation):
            if isAfterBlank, indentation < 2 { try closeLists() }
            add(bytes[line], to: paragraph ?? .plain)
        }
    }

    private mutating func add(_ line: ArraySlice<UInt8>, to kind: Paragraph) {
        if paragraph != nil { words.append(UInt8(ascii: "\n")) }
        paragraph = kind
        words += line
    }

    private mutating func endParagraph() throws {
        guard let kind = paragraph else { return }
        let content = words
        (paragraph, words) = (nil, [])
        switch kind {
        case .plain: try output.write("<p>")
        case .quoted: try output.write("<blockquote><p>")
        case .item: break
        }
        try renderInline(kind == .item ? withBox(content) : content)
        switch kind {
        case .plain: try output.write("</p>\n")
        case .quoted: try output.write("</p></blockquote>\n")
        case .item: break
        }
    }

    private func renderInline(_ content: [UInt8]) throws {
        var inline = HTMLInline(content, attachments)
        try inline.render(to: output)
    }

    /// "[ ] " and "[x] " at the start of an item are boxes to tick.
    private func withBox(_ content: [UInt8]) -> [UInt8] {
        for (sign, box) in [("[ ] ", "\u{2610} "), ("[x] ", "\u{2611} "), ("[X] ", "\u{2611} ")] where content.starts(with: sign.utf8) {
            return Array(box.utf8) + content.dropFirst(4)
        }
        return content
    }

    private mutating func openItem(_ isOrdered: Bool, _ indentation: Int) throws {
        while let last = lists.last, last.indentation > indentation { try closeList() }
        if let last = lists.last, last.indentation == indentation || lists.count == Self.listDepthMax {
            try output.write("</li>\n<li>")
        } else {
            lists.append((isOrdered, indentation))
            try output.write(isOrdered ? "<ol><li>" : "<ul><li>")
        }
    }

    private mutating func closeLists() throws {
        try endParagraph()
        while !lists.isEmpty { try closeList() }
    }

    private mutating func closeList() throws {
        guard let list = lists.popLast() else { return }
        try output.write(list.isOrdered ? "</li></ol>\n" : "</li></ul>\n")
    }

    private mutating func renderCode(_ mark: UInt8, _ count: Int) throws {
        try output.write("<pre><code>")
        while at < bytes.count {
            let line = nextLine()
            if case .fence(mark, let closing) = HTMLLine(line, in: bytes), closing >= count { break }
            var text: [UInt8] = []
            HTMLText.append(bytes[line], to: &text)
            try output.write(text + [UInt8(ascii: "\n")])
        }
        try output.write("</code></pre>\n")
    }
}
