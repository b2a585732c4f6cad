// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CMarkdown
internal import ParserProtocol

/// `InlinePieces` are the words of a block, each in its style, as a walk through it finds them: a text may be nested as
/// deep as it likes. The signs of emphasis stay, dimmed: one in a password is none, and is copied as it was written.
struct InlinePieces {
    private var pieces: [ReadingRow.Piece] = []
    private var styles: [ReadingRow.Style]
    /// Of each emphasis that is open, as it was written.
    private var signs: [String] = []
    /// The lines that the text was written in.
    private let lines: [Substring.UTF8View]
    /// Where the words of each link that is open begin.
    private var links: [Int] = []

    static func of(
        _ block: OpaquePointer, _ lines: [Substring.UTF8View], _ style: ReadingRow.Style = []
    ) -> [ReadingRow.Piece] {
        var found = InlinePieces(styles: [style], lines)
        guard let iterator = unsafe cmark_iter_new(block) else { return [] }
        defer { unsafe cmark_iter_free(iterator) }
        while true {
            let event = unsafe cmark_iter_next(iterator)
            guard event != CMARK_EVENT_DONE, let node = unsafe cmark_iter_get_node(iterator) else { break }
            if node == block { continue }
            unsafe event == CMARK_EVENT_ENTER ? found.enter(node) : found.leave(node)
        }
        return found.pieces
    }

    private init(styles: [ReadingRow.Style], _ lines: [Substring.UTF8View]) {
        (self.styles, self.lines) = (styles, lines)
    }

    private var style: ReadingRow.Style { styles.last ?? [] }

    private mutating func enter(_ node: OpaquePointer) {
        switch unsafe String(cString: cmark_node_get_type_string(node)) {
        case "text", "html_inline", "html_block": unsafe add(MarkdownRows.literal(node), style)
        case "code": unsafe add("`" + MarkdownRows.literal(node) + "`", style.union(.code))
        case "code_block": unsafe add(MarkdownRows.literal(node), style.union(.code))
        case "softbreak", "linebreak": add("\n", style)
        case "footnote_reference": unsafe add("[\(MarkdownRows.literal(node))]", style.union(.dim))
        case "emph": unsafe open(node, "*", .italic)
        case "strong": unsafe open(node, "**", .bold)
        case "strikethrough": unsafe open(node, "~~", .struck)
        case "link":
            links.append(pieces.count)
            styles.append(style.union(.underline))
        case "image":
            links.append(pieces.count)
            styles.append(style.union(.dim))
        default: break
        }
    }

    private mutating func leave(_ node: OpaquePointer) {
        switch unsafe String(cString: cmark_node_get_type_string(node)) {
        case "emph", "strong", "strikethrough":
            styles.removeLast()
            add(signs.popLast() ?? "", style.union(.dim))
        case "link", "image":
            styles.removeLast()
            let begin = links.popLast() ?? pieces.count
            let address = unsafe cmark_node_get_url(node).map { unsafe String(cString: $0) } ?? ""
            // Words that are longer than the address are no address: no more of them is looked at.
            var words = ""
            for piece in pieces[min(begin, pieces.count)...] where words.utf8.count <= address.utf8.count {
                words += piece.text
            }
            // An address that was written as such stands there already.
            let isShown = address == words || address == "mailto:" + words || address == "http://" + words
            if !address.isEmpty, !isShown { add(" (\(address))", style.union(.dim)) }
        default: break
        }
    }

    /// Begins an emphasis with the sign that it was written with: a star or an underscore, one tilde or two.
    private mutating func open(_ node: OpaquePointer, _ sign: String, _ style: ReadingRow.Style) {
        let (line, column) = unsafe (Int(cmark_node_get_start_line(node)), Int(cmark_node_get_start_column(node)))
        var written = sign
        if lines.indices.contains(line - 1), column > 0 {
            let rest = lines[line - 1].dropFirst(column - 1)
            if rest.first == UInt8(ascii: "_") { written = String(repeating: "_", count: sign.utf8.count) }
            if sign == "~~", rest.first == UInt8(ascii: "~"), rest.dropFirst().first != UInt8(ascii: "~") {
                written = "~"
            }
        }
        add(written, self.style.union(.dim))
        signs.append(written)
        styles.append(self.style.union(style))
    }

    private mutating func add(_ text: String, _ style: ReadingRow.Style) {
        guard !text.isEmpty else { return }
        pieces.append(.init(text, style))
    }
}
