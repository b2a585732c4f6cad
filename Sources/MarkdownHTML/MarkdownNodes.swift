// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CMarkdown
internal import TerminalText
internal import TextReading

/// `MarkdownNodes` renders Markdown as a tree that a page is built of without any HTML text: JSON, in which a text is a
/// string and an element `[tag, children]` or `[tag, children, attributes]`.
///
/// The tags are a closed list, the attributes four: `href` of a link to the web or a mail program, `att` of a reference
/// to an attachment, `start` of a list, `checked` of a task. Raw HTML is text. Spec: docs/web-protocol.md §6.
public enum MarkdownNodes {
    /// Deeper elements are left out, and what they hold is not: a page's own functions have limits.
    static let depthMax = 64
    /// Longer texts are shown as they are: a tree of one may have a node for each byte, and a hundred bytes for each.
    static let byteCountMax = 2 << 20

    /// Renders a text.
    ///
    /// - Returns: nil when the library has no memory for a parser.
    public static func json(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= byteCountMax else {
            var bytes = Array("[[\"pre\",[".utf8)
            JSONString.write(text, to: &bytes)
            return bytes + Array("]]]".utf8)
        }
        guard let parser = unsafe MarkdownHTML.parser() else { return nil }
        defer { unsafe cmark_parser_free(parser) }
        guard let root = unsafe MarkdownHTML.document(text, parser) else { return nil }
        defer { unsafe cmark_node_free(root) }
        unsafe cmark_consolidate_text_nodes(root)
        var writer = NodeWriter()
        guard let iterator = unsafe cmark_iter_new(root) else { return nil }
        defer { unsafe cmark_iter_free(iterator) }
        while true {
            let event = unsafe cmark_iter_next(iterator)
            guard event != CMARK_EVENT_DONE, let node = unsafe cmark_iter_get_node(iterator) else { break }
            unsafe event == CMARK_EVENT_ENTER ? writer.enter(node) : writer.leave(node)
        }
        return writer.finished
    }
}

/// `NodeWriter` writes elements as a walk enters and leaves them.
private struct NodeWriter {
    private var bytes: [UInt8] = [UInt8(ascii: "[")]
    /// Of each node that is open: its attributes, or nil where it has no element of its own.
    private var open: [String?] = []
    private var needsComma = false

    var finished: [UInt8] { bytes + [UInt8(ascii: "]")] }

    mutating func enter(_ node: OpaquePointer) {
        let type = unsafe String(cString: cmark_node_get_type_string(node))
        switch type {
        case "text", "html_inline": unsafe text(literal(node))
        case "code": unsafe element("code", holding: literal(node))
        case "html_block", "code_block": unsafe element("pre", holding: literal(node))
        case "softbreak", "linebreak": element("br", holding: nil)
        case "thematic_break": element("hr", holding: nil)
        case "footnote_reference": unsafe element("sup", holding: literal(node))
        default: unsafe begin(tag(type, node), attributes(type, node))
        }
    }

    mutating func leave(_ node: OpaquePointer) {
        guard let attributes = open.popLast(), let attributes else { return }
        bytes.append(UInt8(ascii: "]"))
        bytes += (attributes.isEmpty ? "" : ",{\(attributes)}").utf8
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    private mutating func begin(_ tag: String?, _ attributes: String) {
        guard let tag, open.count < MarkdownNodes.depthMax else {
            open.append(nil)
            return
        }
        comma()
        bytes += "[\"\(tag)\",[".utf8
        open.append(attributes)
        needsComma = false
    }

    private mutating func element(_ tag: String, holding text: String?) {
        comma()
        bytes += "[\"\(tag)\",[".utf8
        if let text { JSONString.write(text, to: &bytes) }
        bytes += "]]".utf8
        needsComma = true
    }

    private mutating func text(_ text: String) {
        guard !text.isEmpty else { return }
        comma()
        JSONString.write(text, to: &bytes)
        needsComma = true
    }

    private mutating func comma() { if needsComma { bytes.append(UInt8(ascii: ",")) } }

    /// Returns the element of a node; nil for one that only holds others.
    private func tag(_ type: String, _ node: OpaquePointer) -> String? {
        switch type {
        case "paragraph": unsafe isInTightList(node) ? nil : "p"
        case "heading": unsafe "h\(max(1, min(6, cmark_node_get_heading_level(node))))"
        case "block_quote": "blockquote"
        case "list": unsafe cmark_node_get_list_type(node) == CMARK_ORDERED_LIST ? "ol" : "ul"
        case "item", "tasklist": "li"
        case "emph": "em"
        case "strong": "strong"
        case "strikethrough": "del"
        case "link": unsafe leads(node) ? "a" : nil
        case "image": unsafe name(node) == nil ? (leads(node) ? "a" : nil) : "img"
        case "table": "table"
        case "table_header", "table_row": "tr"
        case "table_cell": unsafe isInHeader(node) ? "th" : "td"
        case "footnote_definition": "aside"
        default: nil
        }
    }

    private func attributes(_ type: String, _ node: OpaquePointer) -> String {
        switch type {
        case "list":
            let start = unsafe cmark_node_get_list_start(node)
            return unsafe cmark_node_get_list_type(node) == CMARK_ORDERED_LIST && start != 1 ? "\"start\":\(start)" : ""
        case "tasklist":
            return unsafe "\"checked\":\(cmark_gfm_extensions_get_tasklist_item_checked(node))"
        case "link", "image":
            if let name = unsafe name(node) { return "\"att\":" + Self.quoted(name) }
            if let note = unsafe note(node) { return "\"note\":" + Self.quoted(note) }
            return unsafe leads(node) ? "\"href\":" + Self.quoted(url(node)) : ""
        default: return ""
        }
    }

    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONString.write(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func leads(_ node: OpaquePointer) -> Bool {
        unsafe name(node) != nil || note(node) != nil || LinkTarget.isAllowed(url(node))
    }

    /// Returns the identifier of the note that a link leads to: `vault://note/ID`.
    private func note(_ node: OpaquePointer) -> String? {
        let scheme = "vault://note/"
        let url = unsafe url(node)
        guard url.hasPrefix(scheme) else { return nil }
        let name = url.dropFirst(scheme.count)
        let isPlain = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x32...0x37).contains($0) }
        return isPlain && (1...64).contains(name.utf8.count) ? String(name) : nil
    }

    /// Returns the name of the attachment that a link or picture refers to.
    private func name(_ node: OpaquePointer) -> String? {
        let url = unsafe url(node)
        guard url.hasPrefix("att:"), url.utf8.count <= 1024 else { return nil }
        return PercentCoding.decoded(url.dropFirst(4))
    }

    private func isInTightList(_ node: OpaquePointer) -> Bool {
        guard let parent = unsafe cmark_node_parent(node), let list = unsafe cmark_node_parent(parent) else {
            return false
        }
        return unsafe cmark_node_get_type(list) == CMARK_NODE_LIST && cmark_node_get_list_tight(list) != 0
    }

    private func isInHeader(_ node: OpaquePointer) -> Bool {
        guard let row = unsafe cmark_node_parent(node) else { return false }
        return unsafe String(cString: cmark_node_get_type_string(row)) == "table_header"
    }

    private func literal(_ node: OpaquePointer) -> String {
        unsafe cmark_node_get_literal(node).map { text in unsafe String(cString: text) } ?? ""
    }
    private func url(_ node: OpaquePointer) -> String {
        unsafe cmark_node_get_url(node).map { text in unsafe String(cString: text) } ?? ""
    }
}
