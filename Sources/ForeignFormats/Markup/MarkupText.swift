// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `MarkupText` writes Markdown: lines with their indentation, marks that open and close on one line, and signs that
/// would mean something escaped.
struct MarkupText {
    private static let indentationMax = 16

    struct List {
        let isOrdered: Bool
        let isTodo: Bool
        var number = 1
    }

    private(set) var bytes: [UInt8] = []
    var lists: [List] = []
    var quotationDepth = 0
    /// Whether the text is in a cell: in a table a line feed would end the row.
    var isInCell = false
    private var pendingBreaks = 0
    private var pendingItem: String?
    private var pendingSpace = false
    private var marks: [(sign: String, isWritten: Bool)] = []
    private var isAtLineStart = true

    var isInCode: Bool { marks.contains { $0.sign == "`" } }
    /// Tells where the next character will stand, once what is pending is written.
    mutating func beginInline() -> Int {
        writeSpace()
        flush()
        escapeExclamation()
        return bytes.count
    }

    mutating func breakLine(_ count: Int) {
        if isInCell {
            pendingSpace = true
            return
        }
        closeMarks()
        pendingSpace = false
        if !bytes.isEmpty || pendingItem != nil { pendingBreaks = max(pendingBreaks, count) }
    }

    mutating func beginItem(_ sign: String) {
        endItem()
        breakLine(1)
        pendingItem = sign
    }

    /// Ends an item; one without text still is one.
    mutating func endItem() {
        if pendingItem != nil { flush() }
    }

    /// Ends a cell with its own blank; nothing that began in it goes on in the next.
    mutating func endCell() {
        closeMarks()
        pendingSpace = false
        isInCell = false
    }

    mutating func openMark(_ sign: String) { marks.append((sign, false)) }

    mutating func closeMark() {
        guard let mark = marks.popLast(), mark.isWritten else { return }
        append(mark.sign)
    }

    private mutating func closeMarks() {
        for at in marks.indices.reversed() where marks[at].isWritten {
            append(marks[at].sign)
            marks[at].isWritten = false
        }
    }

    /// Adds text of the source: blanks become one, signs of Markdown are escaped.
    mutating func add(text: [UInt8]) {
        let isInCode = isInCode
        for byte in text {
            switch byte {
            case 0x20, 9, 10, 13: pendingSpace = true
            case 0..<0x20, 0x7F: break
            default:
                writeSpace()
                flush()
                escape(byte, isInCode: isInCode)
                bytes.append(byte)
                isAtLineStart = false
            }
        }
    }

    private mutating func escape(_ byte: UInt8, isInCode: Bool) {
        guard !isInCode else { return }
        let backslash = UInt8(ascii: "\\")
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: "`"), UInt8(ascii: "<"):
            bytes.append(backslash)
        case UInt8(ascii: "|") where isInCell: bytes.append(backslash)
        case UInt8(ascii: "#"), UInt8(ascii: ">"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "~"),
            UInt8(ascii: "="):
            if isAtLineStart { bytes.append(backslash) }
        default: break
        }
    }

    /// Adds Markdown that was made here.
    mutating func add(markdown: String) {
        writeSpace()
        flush()
        if markdown.hasPrefix("[") { escapeExclamation() }
        bytes += Array(markdown.utf8)
        isAtLineStart = false
    }

    /// Adds lines that stand as they are, each behind the indentation of where they are.
    mutating func add(lines: [ArraySlice<UInt8>]) {
        for (number, line) in lines.enumerated() {
            if number > 0 { breakLine(1) }
            flush()
            bytes += line
            isAtLineStart = false
        }
    }

    /// Replaces what was written since a place.
    mutating func replace(from start: Int, _ text: (ArraySlice<UInt8>) -> String?) {
        closeMarks()
        // The words are copied: while a slice lives, a change copies all that was written.
        guard start <= bytes.count, let new = text(Array(bytes[start...])[...]) else { return }
        bytes.removeSubrange(start...)
        bytes += Array(new.utf8)
    }

    private mutating func writeSpace() {
        if pendingSpace, !isAtLineStart, pendingBreaks == 0, bytes.last != 0x20 { bytes.append(0x20) }
        pendingSpace = false
    }

    /// Escapes a "!" at the end of the text, which would make a picture of the link after it.
    private mutating func escapeExclamation() {
        let backslash = UInt8(ascii: "\\")
        guard bytes.last == UInt8(ascii: "!"),
            bytes.dropLast().reversed().prefix(while: { $0 == backslash }).count.isMultiple(of: 2)
        else { return }
        bytes.insert(backslash, at: bytes.count - 1)
    }

    private mutating func flush() {
        if pendingBreaks > 0 || bytes.isEmpty || pendingItem != nil {
            beginLine()
        }
        for at in marks.indices where !marks[at].isWritten {
            bytes += Array(marks[at].sign.utf8)
            marks[at].isWritten = true
            isAtLineStart = false
        }
    }

    private mutating func beginLine() {
        let quotation = String(repeating: "> ", count: min(quotationDepth, Self.indentationMax))
        if !bytes.isEmpty {
            for number in 0..<max(pendingBreaks, 1) {
                bytes.append(UInt8(ascii: "\n"))
                if number > 0 || pendingBreaks > 1, number + 1 < pendingBreaks {
                    bytes += Array(quotation.utf8.dropLast())
                }
            }
        }
        pendingBreaks = 0
        bytes += Array(quotation.utf8)
        let outer = pendingItem == nil ? lists : lists.dropLast()
        for list in outer.prefix(Self.indentationMax) { bytes += Array((list.isOrdered ? "   " : "  ").utf8) }
        if let item = pendingItem { bytes += Array(item.utf8) }
        pendingItem = nil
        isAtLineStart = true
    }

    /// Adds a mark. It cannot end right after a blank, so the blank is put after the mark.
    private mutating func append(_ sign: String) {
        var blanks = 0
        while bytes.last == 0x20 {
            bytes.removeLast()
            blanks += 1
        }
        bytes += Array(sign.utf8)
        if blanks > 0 { pendingSpace = true }
    }

    /// Returns all of it, with one line feed at the end.
    func finished() -> [UInt8] {
        var result = bytes
        while let last = result.last, last == 0x20 || last == UInt8(ascii: "\n") { result.removeLast() }
        return result.isEmpty ? [] : result + [UInt8(ascii: "\n")]
    }
}
