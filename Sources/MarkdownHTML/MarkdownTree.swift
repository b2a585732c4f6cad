// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CMarkdown
internal import ParserProtocol

/// `MarkdownTree` changes a parsed document so that cmark-gfm's own renderer writes what a page of notes may hold.
@unsafe
struct MarkdownTree {
    typealias Node = OpaquePointer
    /// A `Reference` is a reference to an attachment, in the order of the text.
    typealias Reference = (number: Int, isPicture: Bool, label: String)

    private let root: Node
    private let page: MarkdownPage
    private(set) var found: [Reference] = []

    init(_ root: Node, _ page: MarkdownPage) {
        unsafe self.root = root
        unsafe self.page = page
    }

    mutating func prepareForHTML() {
        unsafe cmark_consolidate_text_nodes(root)
        unsafe nodes().forEach { node in unsafe change(node) }
    }

    /// Returns the nodes to change, outer ones first; nothing within a picture or within a reference, which lose what
    /// they hold.
    private func nodes() -> [Node] {
        var nodes: [Node] = unsafe []
        // How many pictures and references this is inside of.
        var inner = 0
        unsafe walk(root) { node, isEntered in
            let type = unsafe cmark_node_get_type(node)
            let isWhole = unsafe losesItsContent(node, type)
            if isWhole { inner += isEntered ? 1 : -1 }
            guard inner == 0 || isWhole && inner == 1 else { return }
            if isEntered { unsafe nodes.append(node) }
        }
        return unsafe nodes
    }

    /// Returns whether what a node holds becomes words: that of a reference, and of a picture that becomes a link.
    private func losesItsContent(_ node: Node, _ type: cmark_node_type) -> Bool {
        guard type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE else { return false }
        let url = unsafe url(of: node)
        return unsafe number(in: url) != nil || type == CMARK_NODE_IMAGE && LinkTarget.isAllowed(url)
    }

    private func walk(_ start: Node, _ visit: (Node, Bool) -> Void) {
        guard let iterator = unsafe cmark_iter_new(start) else { return }
        defer { unsafe cmark_iter_free(iterator) }
        while true {
            let event = unsafe cmark_iter_next(iterator)
            guard event != CMARK_EVENT_DONE, let node = unsafe cmark_iter_get_node(iterator) else { return }
            unsafe visit(node, event == CMARK_EVENT_ENTER)
        }
    }

    private mutating func change(_ node: Node) {
        switch unsafe cmark_node_get_type(node) {
        case CMARK_NODE_HEADING:
            // The note's title is the page's second level.
            unsafe cmark_node_set_heading_level(node, min(6, cmark_node_get_heading_level(node) + 2))
        case CMARK_NODE_HTML_INLINE: unsafe replace(node, by: CMARK_NODE_TEXT)
        case CMARK_NODE_HTML_BLOCK: unsafe replace(node, by: CMARK_NODE_CODE_BLOCK)
        case CMARK_NODE_LINK: unsafe changeLink(node, isPicture: false)
        case CMARK_NODE_IMAGE: unsafe changeLink(node, isPicture: true)
        default: break
        }
    }

    private func replace(_ node: Node, by type: cmark_node_type) {
        guard let text = unsafe cmark_node_new(type) else { return }
        unsafe cmark_node_set_literal(text, literal(of: node))
        unsafe put(text, inPlaceOf: node)
    }

    private func put(_ new: Node, inPlaceOf node: Node) {
        // What is not approved must not stay, whether or not the other one can stand there.
        if unsafe cmark_node_replace(node, new) == 0 {
            unsafe cmark_node_unlink(node)
            unsafe cmark_node_free(new)
        }
        unsafe cmark_node_free(node)
    }

    private mutating func changeLink(_ node: Node, isPicture: Bool) {
        let url = unsafe url(of: node)
        if let number = unsafe number(in: url) {
            // As text: that may stand wherever a link may, in cells of tables too.
            guard let mark = unsafe cmark_node_new(CMARK_NODE_TEXT) else { return }
            unsafe cmark_node_set_literal(mark, RenderedHTML.mark(of: found.count, page.nonce))
            unsafe found.append((number, isPicture, label(of: node)))
            return unsafe put(mark, inPlaceOf: node)
        }
        guard LinkTarget.isAllowed(url) else {
            return unsafe writeOut(node, (isPicture ? "![" : "[", "](\(url)\(title(of: node)))"))
        }
        if !isPicture, unsafe cmark_node_first_child(node) == nil, let words = unsafe cmark_node_new(CMARK_NODE_TEXT) {
            unsafe cmark_node_set_literal(words, url)
            unsafe cmark_node_append_child(node, words)
        }
        guard isPicture, let link = unsafe cmark_node_new(CMARK_NODE_LINK),
            let words = unsafe cmark_node_new(CMARK_NODE_TEXT)
        else { return }
        // No page fetches anything: a picture of the web is a link to it.
        let label = unsafe label(of: node)
        unsafe cmark_node_set_url(link, url)
        unsafe cmark_node_set_literal(words, label.isEmpty ? url : label)
        unsafe cmark_node_set_title(link, cmark_node_get_title(node))
        unsafe cmark_node_append_child(link, words)
        unsafe put(link, inPlaceOf: node)
    }

    /// Puts what a link holds between the signs that it was written with.
    private func writeOut(_ node: Node, _ signs: (String, String)) {
        for (sign, isBefore) in [(signs.0, true), (signs.1, false)] {
            guard let text = unsafe cmark_node_new(CMARK_NODE_TEXT) else { return }
            unsafe cmark_node_set_literal(text, sign)
            let isPlaced = unsafe isBefore ? cmark_node_insert_before(node, text) : cmark_node_insert_after(node, text)
            if isPlaced == 0 { unsafe cmark_node_free(text) }
        }
        while let child = unsafe cmark_node_first_child(node) {
            guard unsafe cmark_node_insert_before(node, child) != 0 else { break }
        }
        unsafe cmark_node_free(node)
    }

    /// Returns the words of a link or a picture without their signs.
    private func label(of node: Node) -> String {
        var words = ""
        unsafe walk(node) { inner, isEntered in
            guard isEntered else { return }
            switch unsafe cmark_node_get_type(inner) {
            case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: words += " "
            default: words += unsafe literal(of: inner)
            }
        }
        return words
    }

    private func literal(of node: Node) -> String {
        unsafe cmark_node_get_literal(node).map { text in unsafe String(cString: text) } ?? ""
    }
    private func url(of node: Node) -> String {
        unsafe cmark_node_get_url(node).map { text in unsafe String(cString: text) } ?? ""
    }

    private func title(of node: Node) -> String {
        let title = unsafe cmark_node_get_title(node).map { text in unsafe String(cString: text) } ?? ""
        return title.isEmpty ? "" : " \"\(title)\""
    }

    /// Returns the number of the reference that a destination stands for.
    private func number(in url: String) -> Int? {
        guard unsafe url.hasPrefix(page.nonce), let number = Int(url.dropFirst(unsafe page.nonce.count + 1).dropLast())
        else { return nil }
        return unsafe page.references.indices.contains(number) ? number : nil
    }
}
