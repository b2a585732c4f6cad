// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CMarkdown
internal import ParserProtocol

/// `InlinePieces` are the words of a block, each in its style, as a walk through it finds them: a text may be nested as
/// deep as it likes.
struct InlinePieces {
    private var pieces: [ReadingRow.Piece] = []
    private var styles: [ReadingRow.Style]
    /// Where the words of each link that is open begin.
    private var links: [Int] = []

    static func of(_ block: OpaquePointer, _ style: ReadingRow.Style = []) -> [ReadingRow.Piece] {
        var found = InlinePieces(styles: [style])
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

    private init(styles: [ReadingRow.Style]) { self.styles = styles }

    private var style: ReadingRow.Style { styles.last ?? [] }

    private mutating func enter(_ node: OpaquePointer) {
        switch unsafe String(cString: cmark_node_get_type_string(node)) {
        case "text", "html_inline", "html_block": unsafe add(MarkdownRows.literal(node), style)
        case "code", "code_block": unsafe add(MarkdownRows.literal(node), style.union(.code))
        case "softbreak", "linebreak": add("\n", style)
        case "footnote_reference": unsafe add("[\(MarkdownRows.literal(node))]", style.union(.dim))
        case "emph": styles.append(style.union(.italic))
        case "strong": styles.append(style.union(.bold))
        case "strikethrough": styles.append(style.union(.struck))
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
        case "emph", "strong", "strikethrough": styles.removeLast()
        case "link", "image":
            styles.removeLast()
            let words = pieces[(links.popLast() ?? pieces.count)...].map(\.text).joined()
            let address = unsafe cmark_node_get_url(node).map { unsafe String(cString: $0) } ?? ""
            // An address that was written as such stands there already.
            let isShown = address == words || address == "mailto:" + words || address == "http://" + words
            if !address.isEmpty, !isShown { add(" (\(address))", style.union(.dim)) }
        default: break
        }
    }

    private mutating func add(_ text: String, _ style: ReadingRow.Style) {
        guard !text.isEmpty else { return }
        pieces.append(.init(text, style))
    }
}
