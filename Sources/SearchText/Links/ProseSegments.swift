// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The parts of a Markdown text that are no code: what stands in fenced and indented blocks and between backquotes is left out.
///
/// Source: CommonMark 0.31, fenced code blocks, indented code blocks, code spans. A span is looked for within its line.
struct ProseSegments {
    private let text: [UInt8]
    private var segments: [Range<Int>] = []
    private var fence: (mark: UInt8, count: Int)?
    private var isAfterBlank = true
    private var isInList = false

    static func of(_ text: [UInt8]) -> [Range<Int>] {
        var finder = ProseSegments(text)
        var begin = 0
        while begin < text.count {
            let end = text[begin...].firstIndex(of: 0x0A) ?? text.count
            finder.line(begin..<end)
            begin = end + 1
        }
        return finder.segments
    }

    private init(_ text: [UInt8]) { self.text = text }

    private mutating func line(_ line: Range<Int>) {
        let indent = text[line].prefix { $0 == 0x20 || $0 == 0x09 }.reduce(0) { $0 + ($1 == 0x09 ? 4 : 1) }
        let begin = text[line].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? line.upperBound
        if let open = fence {
            let run = text[begin..<line.upperBound].prefix { $0 == open.mark }
            if indent < 4, run.count >= open.count, text[run.endIndex..<line.upperBound].allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
                fence = nil
            }
            return
        }
        if begin == line.upperBound || text[begin] == 0x0D {
            isAfterBlank = true
            return
        }
        if indent < 4, let opened = opening(begin..<line.upperBound) {
            fence = opened
            return
        }
        // Text below a list's item is indented as well.
        if indent >= 4 && isAfterBlank && !isInList { return }
        isAfterBlank = false
        if indent == 0 { isInList = isListItem(begin..<line.upperBound) }
        prose(line)
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
        return text[digits.endIndex] == UInt8(ascii: ".") || text[digits.endIndex] == UInt8(ascii: ")")
    }

    /// A line without its code spans: a run of backquotes, and the next run of the same length.
    private mutating func prose(_ line: Range<Int>) {
        let quote = UInt8(ascii: "`")
        guard text[line].contains(quote) else { return segments.append(line) }
        var runs: [Range<Int>] = []
        var at = line.lowerBound
        while let begin = text[at..<line.upperBound].firstIndex(of: quote) {
            at = text[begin..<line.upperBound].firstIndex { $0 != quote } ?? line.upperBound
            runs.append(begin..<at)
        }
        // For each length where its runs are, so that a line of nothing but backquotes takes no longer than another.
        var last: [Int: Int] = [:]
        for run in runs { last[run.count] = run.lowerBound }
        var begin = line.lowerBound
        var index = 0
        while index < runs.count {
            let run = runs[index]
            index += 1
            guard let end = last[run.count], end > run.lowerBound else { continue }
            segments.append(begin..<run.lowerBound)
            while runs[index].count != run.count { index += 1 }
            begin = runs[index].upperBound
            index += 1
        }
        segments.append(begin..<line.upperBound)
    }
}
