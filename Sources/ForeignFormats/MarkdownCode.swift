// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `MarkdownFence` is a line that opens a block of code: three or more "`" or "~", perhaps in a list or a quotation.
///
/// Source: CommonMark 0.31.2, "Fenced code blocks". Unlike there, any indentation may stand before it, so that blocks
/// in lists are found without a parser of lists.
struct MarkdownFence {
    private let mark: UInt8
    private let markCount: Int
    private let isQuoted: Bool
    private let contentStart: Int

    /// Makes a fence if the line opens a block of code.
    ///
    /// - Parameter start: the first byte of a line.
    init?(at start: Int, in bytes: [UInt8]) {
        var at = start
        var isQuoted = false
        Self.skipIndentation(&at, in: bytes, &isQuoted)
        if let afterBullet = Self.afterBullet(at, in: bytes) {
            at = afterBullet
            Self.skipIndentation(&at, in: bytes, &isQuoted)
        }
        guard at < bytes.count, bytes[at] == UInt8(ascii: "`") || bytes[at] == UInt8(ascii: "~") else { return nil }
        let mark = bytes[at]
        let count = Self.runLength(of: mark, at: at, in: bytes)
        guard count >= 3 else { return nil }
        at += count
        while at < bytes.count, bytes[at] != UInt8(ascii: "\n") {
            // Then it is code within a line.
            if mark == UInt8(ascii: "`"), bytes[at] == mark { return nil }
            at += 1
        }
        (self.mark, markCount, self.isQuoted, contentStart) = (mark, count, isQuoted, min(at + 1, bytes.count))
    }

    /// Returns the first byte after the closing line; the end of the text if nothing closes the block.
    func end(in bytes: [UInt8]) -> Int {
        var at = contentStart
        while at < bytes.count {
            let start = at
            var lineIsQuoted = false
            Self.skipIndentation(&at, in: bytes, &lineIsQuoted)
            // A quotation ends where its sign is missing, and so does the code in it.
            if isQuoted, !lineIsQuoted { return start }
            let count = Self.runLength(of: mark, at: at, in: bytes)
            at += count
            while at < bytes.count, bytes[at] == UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "\t") { at += 1 }
            let isAtEnd = at == bytes.count || bytes[at] == UInt8(ascii: "\n")
            if count >= markCount, isAtEnd { return min(at + 1, bytes.count) }
            at = (bytes[at...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count) + 1
        }
        return bytes.count
    }

    static func runLength(of mark: UInt8, at start: Int, in bytes: [UInt8]) -> Int {
        var at = start
        while at < bytes.count, bytes[at] == mark { at += 1 }
        return at - start
    }

    private static func skipIndentation(_ at: inout Int, in bytes: [UInt8], _ isQuoted: inout Bool) {
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"): break
            case UInt8(ascii: ">"): isQuoted = true
            default: return
            }
            at += 1
        }
    }

    /// Returns the place behind the sign of a list item: "- ", "* ", "+ ", "1. " or "1) ".
    private static func afterBullet(_ start: Int, in bytes: [UInt8]) -> Int? {
        var at = start
        guard at < bytes.count else { return nil }
        switch bytes[at] {
        case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"): at += 1
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            while at < bytes.count, at - start < 9, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[at]) {
                at += 1
            }
            guard at < bytes.count, bytes[at] == UInt8(ascii: ".") || bytes[at] == UInt8(ascii: ")") else { return nil }
            at += 1
        default: return nil
        }
        return at < bytes.count && bytes[at] == UInt8(ascii: " ") ? at + 1 : nil
    }
}

/// `MarkdownCodeSpans` finds where code within a line ends: a run of "`" is closed by the next run of the same length
/// in its paragraph.
///
/// A search that fails remembers every run that it saw, so that no byte is searched in vain twice: many runs that
/// nothing closes cost no more than their length. Source: CommonMark 0.31.2, "Code spans".
struct MarkdownCodeSpans {
    /// A search without success went this far.
    private var searchedEnd = 0
    /// The last run of each length that a search has seen.
    private var lastRun: [Int: Int] = [:]

    /// Finds the end of the code that a run of "`" begins.
    ///
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

    /// Returns whether a blank line or a block of code begins there.
    private func endsParagraph(_ start: Int, in bytes: [UInt8]) -> Bool {
        var at = start
        while at < bytes.count, bytes[at] == UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "\t") { at += 1 }
        return at == bytes.count || bytes[at] == UInt8(ascii: "\n") || MarkdownFence(at: start, in: bytes) != nil
    }
}
