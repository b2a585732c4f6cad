// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// How many whole lines texts share at their start and at their end: most edits of a long note leave little between.
struct CommonEnds {
    /// Some lines of the shared ends are compared with the rest: where a line was doubled, the library may choose which
    /// one is the new one.
    private static let spareLineCount = 64

    let prefixByteCount: Int
    let suffixByteCount: Int

    init(of texts: [[UInt8]]) {
        guard let first = texts.first else { (prefixByteCount, suffixByteCount) = (0, 0); return }
        var prefix = first.count
        for text in texts.dropFirst() { prefix = Self.commonPrefix(first, text, atMost: prefix) }
        prefix = Self.lineStart(in: first, before: prefix)
        var suffix = (texts.map { $0.count }.min() ?? 0) - prefix
        for text in texts.dropFirst() { suffix = Self.commonSuffix(first, text, atMost: suffix) }
        suffix = Self.lineEnd(in: first, after: first.count - suffix).map { first.count - $0 } ?? 0
        prefixByteCount = prefix
        suffixByteCount = suffix
    }

    func middle(of text: [UInt8]) -> ArraySlice<UInt8> { text[prefixByteCount..<(text.count - suffixByteCount)] }

    private static func commonPrefix(_ first: [UInt8], _ second: [UInt8], atMost limit: Int) -> Int {
        let limit = min(limit, second.count)
        var count = 0
        while count < limit, first[count] == second[count] { count += 1 }
        return count
    }

    private static func commonSuffix(_ first: [UInt8], _ second: [UInt8], atMost limit: Int) -> Int {
        var count = 0
        while count < limit, first[first.count - 1 - count] == second[second.count - 1 - count] { count += 1 }
        return count
    }

    /// The start of a line that is the spare lines ahead of `offset`; 0 when there are not as many.
    private static func lineStart(in text: [UInt8], before offset: Int) -> Int {
        var (left, index) = (spareLineCount, offset)
        while index > 0 {
            if text[index - 1] == 0x0A {
                if left == 0 { return index }
                left -= 1
            }
            index -= 1
        }
        return 0
    }

    /// The start of a line that is the spare lines behind `offset`; nil when there are not as many.
    private static func lineEnd(in text: [UInt8], after offset: Int) -> Int? {
        var left = spareLineCount
        for index in offset..<text.count where text[index] == 0x0A {
            if left == 0 { return index + 1 }
            left -= 1
        }
        return nil
    }
}
