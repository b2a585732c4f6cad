// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TextReading

/// `SearchQuery` is what a person typed to search for: words and "phrases", all of which must occur.
///
/// Each is looked for as a substring of the folded text. A quote opens a phrase at the start of a word only, so `5"` is
/// a word; a phrase that is not closed extends to the end. Spaces at the ends of a phrase do not count.
public struct SearchQuery: Sendable {
    public static let needleCountMax = 16
    public static let needleByteCountMax = 1000

    /// The words and phrases, folded, each once, in the order typed.
    public let needles: [[UInt8]]
    let finders: [ByteFinder]

    /// Folds a text and cuts it into needles; one that occurs twice is looked for once.
    ///
    /// - Throws: `SearchQueryError` with `empty`, `tooManyNeedles` or `needleTooLong`.
    public init(_ text: String) throws(SearchQueryError) {
        var needles: [[UInt8]] = []
        for part in Self.parts(of: TextFold.fold(text)) where !needles.contains(part) {
            guard part.count <= Self.needleByteCountMax else { throw SearchQueryError(.needleTooLong) }
            guard needles.count < Self.needleCountMax else { throw SearchQueryError(.tooManyNeedles) }
            needles.append(part)
        }
        guard !needles.isEmpty else { throw SearchQueryError(.empty) }
        self.needles = needles
        finders = needles.map(ByteFinder.init)
    }

    /// Takes needles that were folded already; nil without any.
    init?(needles all: [[UInt8]]) {
        var known: Set<[UInt8]> = []
        let needles = all.filter { !$0.isEmpty && known.insert($0).inserted }
        guard !needles.isEmpty else { return nil }
        self.needles = needles
        finders = needles.map(ByteFinder.init)
    }

    /// Takes one needle that was folded already.
    public init?(needle: [UInt8]) { self.init(needles: [needle]) }

    /// Splits after folding: white space of every kind is one byte by then, and so is the full-width quote.
    private static func parts(of folded: [UInt8]) -> [[UInt8]] {
        let (space, quote) = (UInt8(ascii: " "), UInt8(ascii: "\""))
        var parts: [[UInt8]] = []
        var rest = folded[...]
        while let first = rest.first {
            if first == space {
                rest = rest.dropFirst()
                continue
            }
            let isPhrase = first == quote
            if isPhrase { rest = rest.dropFirst() }
            let end = rest.firstIndex(of: isPhrase ? quote : space) ?? rest.endIndex
            var part = rest[..<end]
            while part.first == space { part = part.dropFirst() }
            while part.last == space { part = part.dropLast() }
            if !part.isEmpty { parts.append(Array(part)) }
            rest = rest[min(end + 1, rest.endIndex)...]
        }
        return parts
    }
}

/// `SearchQueryError` tells of a query that cannot be searched for. It does not hold the query.
public struct SearchQueryError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// Nothing is left to look for: the query is blank, or holds only quotes and combining marks.
        public static let empty = Code(raw: 1)
        /// More than `SearchQuery.needleCountMax` words and phrases.
        public static let tooManyNeedles = Code(raw: 2)
        /// A word or phrase above `SearchQuery.needleByteCountMax` bytes, folded.
        public static let needleTooLong = Code(raw: 3)
    }

    /// Compare this.
    public let code: Code

    init(_ code: Code) { self.code = code }
}
