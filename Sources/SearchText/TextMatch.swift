// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TextReading

/// `TextMatch` checks whether a note matches a query, and how well.
public enum TextMatch {
    /// `Match` is a note that holds every needle.
    public struct Match: Sendable, Equatable {
        /// Higher is better: for each needle 4 if it is in the title, 2 if it starts a word there, 1 if it ends one
        /// too. A title hit so outranks any body hit. Notes of equal score are ordered newest first by the caller.
        public let score: Int
        /// The first occurrence of each needle, in the query's order.
        public let firstHits: [Hit]
    }

    public struct Hit: Sendable, Equatable {
        public let isInTitle: Bool
        /// Offset in the folded title or body, in bytes.
        public let offset: Int
        public let byteCount: Int
    }

    /// Occurrences of a needle that are looked at for a better place in a word; more cost time and change little.
    private static let occurrenceCountMax = 16

    /// Returns how well a note matches; nil unless every needle occurs in the title or in the body.
    ///
    /// - Parameters:
    ///   - title: folded.
    ///   - body: folded.
    public static func match(_ query: SearchQuery, title: Span<UInt8>, body: Span<UInt8>) -> Match? {
        var score = 0
        var hits: [Hit] = []
        for finder in query.finders {
            if let (offset, wordScore) = best(finder, in: title) {
                score += 4 + wordScore
                hits.append(Hit(isInTitle: true, offset: offset, byteCount: finder.needle.count))
            } else if let (offset, wordScore) = best(finder, in: body) {
                score += wordScore
                hits.append(Hit(isInTitle: false, offset: offset, byteCount: finder.needle.count))
            } else {
                return nil
            }
        }
        return Match(score: score, firstHits: hits)
    }

    public static func match(_ query: SearchQuery, title: [UInt8], body: [UInt8]) -> Match? {
        match(query, title: title.span, body: body.span)
    }

    /// Returns the first occurrence, and the best word score of the first few.
    private static func best(_ finder: ByteFinder, in text: Span<UInt8>) -> (first: Int, wordScore: Int)? {
        guard let first = finder.first(in: text) else { return nil }
        var (offset, score) = (first, 0)
        for _ in 0..<occurrenceCountMax {
            score = max(score, WordBoundary.score(of: offset..<(offset + finder.needle.count), in: text))
            if score == WordBoundary.scoreMax { break }
            guard let next = finder.first(in: text, from: offset + 1) else { break }
            offset = next
        }
        return (first, score)
    }
}

/// `WordBoundary` tells whether a place in folded text is the start or the end of a word.
private enum WordBoundary {
    static let scoreMax = 3

    /// Returns 2 when the range starts a word, 3 when it is a whole word, else 0.
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

    /// Returns true for letters, digits and the marks that belong to them. Han and kana have no spaces between words:
    /// there only the text's ends and punctuation are seen.
    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if properties.isAlphabetic || properties.numericType != nil { return true }
        return properties.canonicalCombiningClass != .notReordered
    }
}
