// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CMarkdown
public import ParserProtocol

/// `MarkdownRows` renders Markdown as text of a terminal: headings, lists, tables, code and quotations as somebody
/// reads them. A line feed in a paragraph stays one; raw HTML is text; an address follows its words.
public struct MarkdownRows {
    /// Deeper blocks are shown as the text that they hold.
    private static let depthMax = 24

    /// Returns nil when the library has no memory for a parser.
    public static func rows(_ question: ReadingQuestion) -> [ReadingRow]? {
        guard isFaithful(question.text) else { return plain(question) }
        guard let parser = unsafe MarkdownHTML.parser() else { return nil }
        defer { unsafe cmark_parser_free(parser) }
        guard let root = unsafe MarkdownHTML.document(question.text, parser) else { return nil }
        defer { unsafe cmark_node_free(root) }
        unsafe cmark_consolidate_text_nodes(root)
        let lines = question.text.split(separator: "\n", omittingEmptySubsequences: false).map(\.utf8)
        return unsafe MarkdownRows(lines: lines).blocks(in: root, columns: question.columns, depth: 0, isTight: false)
    }

    private let lines: [Substring.UTF8View]

    /// A text of which Markdown would take signs away is shown as it is: what a backslash or an entity stands for, and
    /// names that are given to addresses. Somebody may have meant each of them, in a password above all.
    private static func isFaithful(_ text: String) -> Bool {
        var before: UInt8 = 0x0A
        var isEntity = false
        for byte in text.utf8 {
            if before == UInt8(ascii: "\\"), byte != 0x0A, byte != 0x20 { return false }
            if before == UInt8(ascii: "&") { isEntity = byte == UInt8(ascii: "#") || (byte | 0x20) &- 0x61 < 26 }
            if isEntity, byte == UInt8(ascii: ";") { return false }
            if byte <= 0x20 { isEntity = false }
            if before == UInt8(ascii: "]"), byte == UInt8(ascii: ":") { return false }
            before = byte
        }
        return true
    }

    private static func plain(_ question: ReadingQuestion) -> [ReadingRow] {
        question.text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
            .flatMap { RowWrapper.rows(of: [.init(String($0))], columns: question.columns) }
    }

    /// Returns the blocks that a node holds, with an empty row between two unless they are those of a tight list.
    private func blocks(in node: OpaquePointer, columns: Int, depth: Int, isTight: Bool) -> [ReadingRow] {
        var rows: [ReadingRow] = []
        var next = unsafe cmark_node_first_child(node)
        while let child = unsafe next {
            let block = unsafe self.block(child, columns: columns, depth: depth)
            if !rows.isEmpty, !block.isEmpty, !isTight { rows.append(ReadingRow()) }
            rows += block
            unsafe next = cmark_node_next(child)
        }
        return rows
    }

    private func block(_ node: OpaquePointer, columns: Int, depth: Int) -> [ReadingRow] {
        let type = unsafe String(cString: cmark_node_get_type_string(node))
        guard depth < Self.depthMax else {
            return unsafe RowWrapper.rows(of: InlinePieces.of(node, lines), columns: columns)
        }
        switch type {
        case "heading":
            let style: ReadingRow.Style = unsafe cmark_node_get_heading_level(node) == 1 ? [.bold, .underline] : .bold
            return unsafe RowWrapper.rows(of: InlinePieces.of(node, lines, style), columns: columns)
        case "thematic_break":
            return [ReadingRow([.init(String(repeating: "─", count: min(columns, 40)), .dim)])]
        case "code_block":
            return unsafe Self.code(Self.literal(node), columns: columns)
        case "html_block":
            return unsafe RowWrapper.rows(of: [.init(Self.trimmed(Self.literal(node)))], columns: columns)
        case "block_quote", "footnote_definition":
            let inner = unsafe blocks(in: node, columns: max(columns - 2, 8), depth: depth + 1, isTight: false)
            return inner.map { ReadingRow([.init("│ ", .dim)] + $0.pieces) }
        case "list": return unsafe list(node, columns: columns, depth: depth)
        case "table": return unsafe MarkdownTable.rows(node, lines, columns: columns)
        default: return unsafe RowWrapper.rows(of: InlinePieces.of(node, lines), columns: columns)
        }
    }

    private static func code(_ text: String, columns: Int) -> [ReadingRow] {
        // A long line is the terminal's to break: a break of ours would be copied with it.
        trimmed(text).split(separator: "\n", omittingEmptySubsequences: false).map { line in
            ReadingRow([.init("    "), .init(String(line), .code)])
        }
    }

    private static func trimmed(_ text: String) -> String {
        text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    private func list(_ node: OpaquePointer, columns: Int, depth: Int) -> [ReadingRow] {
        let isOrdered = unsafe cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
        let isTight = unsafe cmark_node_get_list_tight(node) != 0
        var number = Int(unsafe cmark_node_get_list_start(node))
        var rows: [ReadingRow] = []
        var next = unsafe cmark_node_first_child(node)
        while let item = unsafe next {
            var mark = isOrdered ? unsafe self.number(of: item) ?? "\(number). " : "• "
            if unsafe String(cString: cmark_node_get_type_string(item)) == "tasklist" {
                mark = unsafe cmark_gfm_extensions_get_tasklist_item_checked(item) ? "[x] " : "[ ] "
            }
            let indent = mark.count
            let inner = unsafe blocks(in: item, columns: max(columns - indent, 8), depth: depth + 1, isTight: isTight)
            if !rows.isEmpty, !isTight { rows.append(ReadingRow()) }
            let blank = String(repeating: " ", count: indent)
            let lines = inner.isEmpty ? [ReadingRow()] : inner
            rows += lines.enumerated().map { ReadingRow([.init($0.offset == 0 ? mark : blank)] + $0.element.pieces) }
            number += 1
            unsafe next = cmark_node_next(item)
        }
        return rows
    }

    /// Returns the number of an item as it was written: Markdown counts from the first.
    private func number(of item: OpaquePointer) -> String? {
        let (line, column) = unsafe (Int(cmark_node_get_start_line(item)), Int(cmark_node_get_start_column(item)))
        guard lines.indices.contains(line - 1), column > 0 else { return nil }
        let rest = lines[line - 1].dropFirst(column - 1)
        let digits = rest.prefix { $0 &- 0x30 < 10 }
        guard !digits.isEmpty, let sign = rest.dropFirst(digits.count).first, ".)".utf8.contains(sign) else {
            return nil
        }
        return String(decoding: Array(digits) + [sign, 0x20], as: UTF8.self)
    }

    static func literal(_ node: OpaquePointer) -> String {
        unsafe cmark_node_get_literal(node).map { text in unsafe String(cString: text) } ?? ""
    }
}
