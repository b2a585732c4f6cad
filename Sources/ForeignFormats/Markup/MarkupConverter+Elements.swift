// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension MarkupConverter {
    /// Begins what an element means; what its end has to undo is returned.
    mutating func begin(_ name: String, _ attributes: [String: String]) -> [MarkupElement.Ending] {
        if MarkupKind.hidden.contains(name) {
            hiddenDepth += 1
            return [.hidden]
        }
        let style = (attributes["style"] ?? "").lowercased()
        if code != nil {
            if MarkupKind.blocks.contains(name) || name == "p", code?.isEmpty == false, code?.last != UInt8(ascii: "\n")
            {
                code?.append(10)
            }
            return []
        }
        if MarkupKind.lost.contains(name) { lost.insert(name) }
        if name == "pre" || style.contains("-en-codeblock:") { return beginCode() }
        if let sign = MarkupKind.marks[name] {
            text.openMark(sign)
            return [.mark]
        }
        switch name {
        case "h1", "h2", "h3", "h4", "h5", "h6":
            text.breakLine(2)
            text.add(markdown: String(repeating: "#", count: Int(name.suffix(1)) ?? 1) + " ")
            return [.paragraph]
        case "ul", "ol":
            text.breakLine(text.lists.isEmpty ? 2 : 1)
            text.lists.append(MarkupText.List(isOrdered: name == "ol", isTodo: style.contains("--en-todo:true")))
            return [.list]
        case "li": return beginItem(style)
        case "blockquote":
            text.breakLine(2)
            text.quotationDepth += 1
            return [.quotation]
        case "a": return beginLink(attributes)
        case "table", "tr", "td", "th": return beginTable(name, attributes)
        case "en-crypt":
            hasEncryption = true
            text.add(text: Array("[encrypted]".utf8))
            hiddenDepth += 1
            return [.hidden]
        default: return beginPlain(name, style)
        }
    }

    private mutating func beginPlain(_ name: String, _ style: String) -> [MarkupElement.Ending] {
        if MarkupKind.paragraphs.contains(name) {
            text.breakLine(2)
            return [.paragraph]
        }
        if MarkupKind.blocks.contains(name) {
            text.breakLine(1)
            return [.block]
        }
        // Editors write emphasis as looks.
        var endings: [MarkupElement.Ending] = []
        for (looks, sign) in [
            ("font-weight: bold", "**"), ("font-weight:bold", "**"), ("italic", "*"), ("line-through", "~~"),
        ]
        where style.contains(looks) {
            text.openMark(sign)
            endings.append(.mark)
        }
        return endings
    }

    private mutating func beginCode() -> [MarkupElement.Ending] {
        text.breakLine(2)
        code = []
        return [.code]
    }

    mutating func beginItem(_ style: String) -> [MarkupElement.Ending] {
        guard var list = text.lists.popLast() else {
            text.beginItem("- ")
            return [.item]
        }
        let box = list.isTodo ? (style.contains("--en-checked:true") ? "[x] " : "[ ] ") : ""
        let sign = list.isOrdered ? "\(list.number). " : "- "
        list.number += 1
        text.lists.append(list)
        text.beginItem(sign + box)
        return [.item]
    }

    private mutating func beginLink(_ attributes: [String: String]) -> [MarkupElement.Ending] {
        guard link == nil, let address = attributes["href"], !address.isEmpty else { return [] }
        link = (address, text.beginInline())
        return [.link]
    }

    private mutating func beginTable(_ name: String, _ attributes: [String: String]) -> [MarkupElement.Ending] {
        if attributes["colspan"] != nil && attributes["colspan"] != "1"
            || attributes["rowspan"] != nil && attributes["rowspan"] != "1"
        {
            lost.insert("table")
        }
        switch name {
        case "table":
            tableDepth += 1
            guard tableDepth == 1 else {
                lost.insert("table")
                return [.table]
            }
            text.breakLine(2)
            columns = (0, true)
            return [.table]
        case "tr" where tableDepth == 1:
            text.breakLine(1)
            if columns.isFirstRow { columns.count = 0 }
            return [.row]
        case "td" where tableDepth == 1, "th" where tableDepth == 1:
            if columns.isFirstRow { columns.count += 1 }
            text.add(markdown: "| ")
            text.isInCell = true
            return [.cell]
        default: return []
        }
    }
}

extension MarkupConverter {
    mutating func end(_ ending: MarkupElement.Ending) {
        switch ending {
        case .nothing: break
        case .block: text.breakLine(1)
        case .paragraph: text.breakLine(2)
        case .mark: text.closeMark()
        case .item:
            text.endItem()
            text.breakLine(1)
        case .list:
            _ = text.lists.popLast()
            text.breakLine(text.lists.isEmpty ? 2 : 1)
        case .quotation:
            text.breakLine(2)
            text.quotationDepth -= 1
        case .code: endCode()
        case .link: endLink()
        case .cell:
            text.endCell()
            text.add(markdown: " ")
        case .row: endRow()
        case .table:
            tableDepth -= 1
            if tableDepth == 0 { text.breakLine(2) }
        case .hidden: hiddenDepth -= 1
        }
    }

    private mutating func endRow() {
        text.add(markdown: "|")
        if columns.isFirstRow {
            columns.isFirstRow = false
            text.breakLine(1)
            text.add(markdown: String(repeating: "| --- ", count: min(columns.count, 1000)) + "|")
        }
        text.breakLine(1)
    }

    private mutating func endCode() {
        guard var content = code else { return }
        code = nil
        while content.last == UInt8(ascii: "\n") { content.removeLast() }
        var (run, longest) = (0, 2)
        for byte in content {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = [UInt8](repeating: UInt8(ascii: "`"), count: longest + 1)
        text.add(
            lines: [fence[...]] + content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) + [
                fence[...]
            ])
        text.breakLine(2)
    }

    private mutating func endLink() {
        guard let (address, start) = link else { return }
        link = nil
        let resolver = resolver
        text.replace(from: start) { content in
            let label = String(decoding: content, as: UTF8.self)
            if let known = resolver.link(address, label) { return known }
            guard let target = Self.address(address) else { return nil }
            return label.isEmpty || label == address ? "<\(target)>" : "[\(label)](\(target))"
        }
    }
}
