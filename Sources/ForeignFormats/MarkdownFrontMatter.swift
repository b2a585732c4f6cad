// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Finds the properties that stand between "---" lines at the very start of a Markdown file.
enum MarkdownFrontMatter {
    /// Largest front matter that is read, in bytes.
    static let byteCountMax = 64 << 10

    enum Split: Equatable {
        /// No "---" in the first line, or nothing closes it: then it is a rule across the page.
        case absent
        /// It closes after more than `byteCountMax` bytes.
        case tooLong
        /// The lines between, with their last LF, and where the text begins after them.
        case found(yaml: Range<Int>, bodyStart: Int)
    }

    static func split(_ bytes: [UInt8]) -> Split {
        let first = line(at: 0, in: bytes)
        guard isFence(bytes[first], "---"), first.upperBound < bytes.count else { return .absent }
        let start = first.upperBound + 1
        var at = start
        while at < bytes.count {
            let line = line(at: at, in: bytes)
            if isFence(bytes[line], "---") || isFence(bytes[line], "...") {
                guard at - start <= byteCountMax else { return .tooLong }
                return .found(yaml: start..<at, bodyStart: bodyStart(after: line.upperBound, in: bytes))
            }
            at = line.upperBound + 1
        }
        return .absent
    }

    /// One empty line after the front matter is its margin, not text.
    private static func bodyStart(after end: Int, in bytes: [UInt8]) -> Int {
        var start = min(end + 1, bytes.count)
        if start < bytes.count, bytes[start] == UInt8(ascii: "\n") { start += 1 }
        return start
    }

    /// The line that begins at `start`, without its LF.
    private static func line(at start: Int, in bytes: [UInt8]) -> Range<Int> {
        start..<(bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count)
    }

    private static func isFence(_ line: ArraySlice<UInt8>, _ mark: StaticString) -> Bool {
        let mark = mark.description.utf8
        guard line.starts(with: mark) else { return false }
        return line.dropFirst(mark.count).allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}
