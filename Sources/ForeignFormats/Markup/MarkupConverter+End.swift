// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

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

    mutating func endRow() {
        text.add(markdown: "|")
        if columns.isFirstRow {
            columns.isFirstRow = false
            text.breakLine(1)
            text.add(markdown: String(repeating: "| --- ", count: min(columns.count, 1000)) + "|")
        }
        text.breakLine(1)
    }

    mutating func endCode() {
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

    mutating func endLink() {
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
