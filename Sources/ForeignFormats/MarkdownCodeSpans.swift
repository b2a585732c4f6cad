// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Finds where code within a line ends: a run of "`" is closed by the next run of the same length in its paragraph.
///
/// A search that fails remembers every run that it saw, so that no byte is searched in vain twice: many runs that
/// nothing closes cost no more than their length. Source: CommonMark 0.31.2, "Code spans".
struct MarkdownCodeSpans {
    /// A search without success went this far.
    private var searchedEnd = 0
    /// The last run of each length that a search has seen.
    private var lastRun: [Int: Int] = [:]

    /// - Parameter start: the first "`" of a run.
    /// - Returns: the byte after the closing run; after the opening one if nothing closes it.
    mutating func end(ofSpanAt start: Int, in bytes: [UInt8]) -> Int {
        let mark = UInt8(ascii: "`")
        let count = MarkdownFence.runLength(of: mark, at: start, in: bytes)
        let contentStart = start + count
        if contentStart < searchedEnd, lastRun[count, default: -1] <= start { return contentStart }
        var at = contentStart
        while at < bytes.count {
            switch bytes[at] {
            case mark:
                let run = MarkdownFence.runLength(of: mark, at: at, in: bytes)
                if run == count { return at + run }
                lastRun[run] = max(at, lastRun[run, default: -1])
                at += run
            case UInt8(ascii: "\n"):
                at += 1
                if endsParagraph(at, in: bytes) { return fail(at, contentStart) }
            default: at += 1
            }
        }
        return fail(at, contentStart)
    }

    private mutating func fail(_ end: Int, _ contentStart: Int) -> Int {
        searchedEnd = end
        return contentStart
    }

    /// A blank line or a block of code.
    private func endsParagraph(_ start: Int, in bytes: [UInt8]) -> Bool {
        var at = start
        while at < bytes.count, bytes[at] == UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "\t") { at += 1 }
        return at == bytes.count || bytes[at] == UInt8(ascii: "\n") || MarkdownFence(at: start, in: bytes) != nil
    }
}
