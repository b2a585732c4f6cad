// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TextReading

/// One line out of a note's body, with the hits of a query in it.
public struct Snippet: Sendable, Equatable {
    /// Room for `plain`, in bytes.
    public static let plainByteCountMax = 160
    static let ellipsis = "…"

    /// One line: white space is collapsed, no grapheme cluster is cut, "…" stands at an end where text was left out.
    public internal(set) var text: String
    /// Where hits are, in bytes of `text.utf8`: ascending, apart, at cluster bounds.
    public internal(set) var hits: [Range<Int>]

    init(text: String, hits: [Range<Int>]) {
        self.text = text
        self.hits = hits
    }

    /// The text for a row of a list: what follows the title, collapsed, about 160 bytes.
    ///
    /// - Parameter title: the one that was set; nil or blank when the first line is the title.
    public static func plain(title: String? = nil, body: String) -> String {
        var line = CollapsedLine(byteCountMax: plainByteCountMax)
        var index = NoteTitle.textStart(in: body, from: NoteTitle.rest(title: title, of: body).startIndex)
        while let cluster = Cluster.next(in: body, at: &index) {
            guard line.append(cluster) else { return line.trimmed + ellipsis }
        }
        return line.trimmed
    }

    /// Where the needles of a query are in a text of any length, as a title: the byte ranges in it, ascending and
    /// apart.
    public static func hits(of query: SearchQuery, in text: String) -> [Range<Int>] {
        let folded = TextFold.mapped(Array(text.utf8))
        let found = HitCluster.hits(of: query, in: folded.bytes.span).map { folded.originalRange(of: $0.range) }
        return joined(found)
    }

    /// Sorts ranges and joins those that overlap or touch.
    static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
