// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ProseSegments` finds the parts of a Markdown text that are no code: what stands in fenced and indented blocks and
/// between backquotes is left out.
///
/// Source: CommonMark 0.31, fenced code blocks, indented code blocks, code spans. A code span may go over several lines
/// of one paragraph. Inside of lists nothing is taken for an indented block: there it is more often the text of an
/// item.
struct ProseSegments {
    private let text: [UInt8]
    private var segments: [Range<Int>] = []
    private var fence: (mark: UInt8, count: Int)?
    private var isAfterBlank = true
    private var isInList = false
    /// The lines of the paragraph so far, which stand in a row.
    private var paragraph: Range<Int>?

    static func of(_ text: [UInt8]) -> [Range<Int>] {
        var finder = ProseSegments(text)
        var begin = 0
        while begin < text.count {
            let end = text[begin...].firstIndex(of: 0x0A) ?? text.count
            finder.line(begin..<end)
            begin = end + 1
        }
        finder.endParagraph()
        return finder.segments
    }

    private init(_ text: [UInt8]) { self.text = text }

    private mutating func line(_ line: Range<Int>) {
        let indent = text[line].prefix { $0 == 0x20 || $0 == 0x09 }.reduce(0) { $0 + ($1 == 0x09 ? 4 : 1) }
        let begin = text[line].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? line.upperBound
        if let open = fence {
            let run = text[begin..<line.upperBound].prefix { $0 == open.mark }
            if indent < 4 || isInList, run.count >= open.count,
                text[run.endIndex..<line.upperBound].allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D })
            {
                fence = nil
            }
            return
        }
        if begin == line.upperBound || text[begin] == 0x0D {
            isAfterBlank = true
            return endParagraph()
        }
        // The text of an item is indented, and its fences with it.
        if indent < 4 || isInList, let opened = opening(begin..<line.upperBound) {
            fence = opened
            if indent == 0 { isInList = false }
            isAfterBlank = true
            return endParagraph()
        }
        // Text below a list's item is indented as well.
        if indent >= 4 && isAfterBlank && !isInList { return }
        isAfterBlank = false
        let isItem = isListItem(begin..<line.upperBound)
        if indent == 0 { isInList = isItem }
        // Code spans end with the item or heading that they are in.
        let isHeading = text[begin] == UInt8(ascii: "#")
        if isItem || isHeading { endParagraph() }
        paragraph = (paragraph?.lowerBound ?? line.lowerBound)..<line.upperBound
        if isHeading { endParagraph() }
    }

    private mutating func endParagraph() {
        if let lines = paragraph { prose(lines) }
        paragraph = nil
    }

    private func opening(_ line: Range<Int>) -> (mark: UInt8, count: Int)? {
        let mark = text[line.lowerBound]
        guard mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") else { return nil }
        let count = text[line].prefix { $0 == mark }.count
        guard count >= 3 else { return nil }
        // What stands behind backquotes may have none: else it is a code span.
        if mark == UInt8(ascii: "`"), text[(line.lowerBound + count)..<line.upperBound].contains(mark) { return nil }
        return (mark, count)
    }

    private func isListItem(_ line: Range<Int>) -> Bool {
        let first = text[line.lowerBound]
        if [UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+")].contains(first) {
            return line.count > 1 && text[line.lowerBound + 1] == 0x20
        }
        let digits = text[line].prefix { (0x30...0x39).contains($0) }
        guard (1...9).contains(digits.count), digits.endIndex < line.upperBound else { return false }
        guard text[digits.endIndex] == UInt8(ascii: ".") || text[digits.endIndex] == UInt8(ascii: ")") else {
            return false
        }
        return digits.endIndex + 1 == line.upperBound || text[digits.endIndex + 1] <= 0x20
    }

    /// Adds a paragraph without its code spans: a run of backquotes, and the next run of the same length.
    private mutating func prose(_ lines: Range<Int>) {
        let runs = backquotes(in: lines)
        guard !runs.isEmpty else { return segments.append(lines) }
        // From the end, for each length where its next run is, so that nothing but backquotes takes no longer than
        // another text.
        var next: [Int: Int] = [:]
        var closing = [Int?](repeating: nil, count: runs.count)
        for index in runs.indices.reversed() {
            closing[index] = next[runs[index].count - (isEscaped(runs[index].lowerBound, lines) ? 1 : 0)]
            next[runs[index].count] = index
        }
        var begin = lines.lowerBound
        var index = 0
        while index < runs.count {
            guard let end = closing[index] else {
                index += 1
                continue
            }
            segments.append(begin..<runs[index].lowerBound)
            begin = runs[end].upperBound
            index = end + 1
        }
        segments.append(begin..<lines.upperBound)
    }

    private func backquotes(in lines: Range<Int>) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var at = lines.lowerBound
        while let begin = text[at..<lines.upperBound].firstIndex(of: UInt8(ascii: "`")) {
            at = text[begin..<lines.upperBound].firstIndex { $0 != UInt8(ascii: "`") } ?? lines.upperBound
            runs.append(begin..<at)
        }
        return runs
    }

    /// Returns whether an odd number of backslashes stands before it: the first backquote is itself.
    private func isEscaped(_ begin: Int, _ lines: Range<Int>) -> Bool {
        var at = begin
        while at > lines.lowerBound, text[at - 1] == UInt8(ascii: "\\") { at -= 1 }
        return (begin - at) % 2 == 1
    }
}
