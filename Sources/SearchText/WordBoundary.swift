// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TextReading

/// Tells whether a place in folded text is the start or the end of a word.
enum WordBoundary {
    static let scoreMax = 3

    /// 2 when the range starts a word, 3 when it is a whole word, else 0.
    static func score(of range: Range<Int>, in text: Span<UInt8>) -> Int {
        guard !isWord(before: range.lowerBound, in: text) else { return 0 }
        return isWord(after: range.upperBound, in: text) ? 2 : scoreMax
    }

    private static func isWord(before offset: Int, in text: Span<UInt8>) -> Bool {
        offset > 0 && isWord(UTF8Decoding.scalar(in: text, before: offset).scalar)
    }

    private static func isWord(after offset: Int, in text: Span<UInt8>) -> Bool {
        offset < text.count && isWord(UTF8Decoding.scalar(in: text, at: offset).scalar)
    }

    /// Letters, digits and the marks that belong to them. Han and kana have no spaces between words: there only the
    /// text's ends and punctuation are seen.
    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if properties.isAlphabetic || properties.numericType != nil { return true }
        return properties.canonicalCombiningClass != .notReordered
    }
}
