// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TerminalText
internal import TextReading

/// `Snippet` is one line out of a note's body, with the hits of a query in it.
public struct Snippet: Sendable, Equatable {
    /// Room for `plain`, in bytes.
    public static let plainByteCountMax = 160
    private static let ellipsis = "…"

    /// One line: white space is collapsed, no grapheme cluster is cut, "…" marks an end where text was left out.
    public internal(set) var text: String
    /// Where hits are, in bytes of `text.utf8`: ascending, apart, at cluster bounds.
    public internal(set) var hits: [Range<Int>]

    init(text: String, hits: [Range<Int>]) {
        self.text = text
        self.hits = hits
    }

    /// Returns the text for a row of a list: what follows the title, collapsed, about 160 bytes.
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

    /// Finds the needles of a query in a text of any length, as a title: the byte ranges in it, ascending and
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

extension Snippet {
    /// Returns the excerpt of a body around the place where a query's needles stand closest together.
    ///
    /// When none is in the body (all are in the title) it is the beginning of `NoteTitle.rest`.
    ///
    /// - Parameters:
    ///   - title: the one that was set; nil or blank when the first line is the title.
    ///   - columns: room in terminal columns; at least 8 are used.
    public static func excerpt(title: String? = nil, body: String, query: SearchQuery, columns: Int) -> Snippet {
        let columns = max(8, min(columns, 10_000))
        let bytes = Array(body.utf8)
        // Folded twice: the way back takes eight bytes a byte, so it is kept only for the neighbourhood of the hits.
        let folded = TextFold.fold(bytes)
        let cluster = HitCluster(of: query, in: folded.span, byteCount: columns * 2 / 3)
        guard let first = cluster.hits.first?.range, let end = cluster.hits.map(\.range.upperBound).max() else {
            return around([], of: body, from: NoteTitle.rest(title: title, of: body).startIndex, columns: columns)
        }
        let window = max(0, first.lowerBound - columns * 4)..<min(folded.count, end + columns * 4)
        let mapped = TextFold.mapped(bytes, window: window)
        let near = HitCluster.hits(of: query, in: folded.span.extracting(window)).map {
            ($0.range.lowerBound + window.lowerBound)..<($0.range.upperBound + window.lowerBound)
        }
        let ranges = joined((near + cluster.hits.map(\.range)).map(mapped.originalRange))
        let start = lead(before: mapped.originalRange(of: first).lowerBound, in: body, columns: columns / 4)
        return around(ranges, of: body, from: start, columns: columns)
    }

    /// Goes back from a hit by whole clusters, about `columns` columns; a word that would be cut is left out when that
    /// is a small loss.
    private static func lead(before offset: Int, in body: String, columns: Int) -> String.Index {
        let hit = clusterStart(body.utf8.index(body.startIndex, offsetBy: offset), in: body)
        var (index, used) = (hit, 0)
        var wordStart: String.Index?
        while index > body.startIndex, used < columns {
            let previous = body.index(before: index)
            if body[previous].isWhitespace { wordStart = index }
            index = previous
            used += max(1, CharacterWidth.columns(of: body[previous]))
        }
        return index == body.startIndex ? index : wordStart ?? index
    }

    private static func clusterStart(_ index: String.Index, in body: String) -> String.Index {
        index == body.endIndex ? index : body.index(before: body.index(after: index))
    }

    /// Writes clusters from `start` until the room is used up, and notes which of them lie in `ranges` of the body.
    private static func around(_ ranges: [Range<Int>], of body: String, from start: String.Index, columns: Int)
        -> Snippet
    {
        var line = CollapsedLine(byteCountMax: columns * 16)
        var hits: [Range<Int>] = []
        var index = NoteTitle.textStart(in: body, from: start)
        if NoteTitle.textStart(in: body, from: body.startIndex) < index { _ = line.append(.other("…")) }
        var offset = body.utf8.distance(from: body.startIndex, to: index)
        var next = index
        while let cluster = Cluster.next(in: body, at: &next) {
            let before = line.bytes.count
            // The last column is for the "…", unless nothing follows.
            let room = next == body.endIndex ? columns : columns - 1
            guard line.columns + cluster.columns <= room, line.append(cluster) else { break }
            let taken = offset..<(offset + cluster.byteCount)
            if line.bytes.count > before, ranges.contains(where: { $0.overlaps(taken) }) {
                hits.append(before..<line.bytes.count)
            }
            (index, offset) = (next, taken.upperBound)
        }
        let text = line.trimmed
        hits = joined(hits.map { $0.clamped(to: 0..<text.utf8.count) })
        let isComplete = NoteTitle.textStart(in: body, from: index) == body.endIndex
        return Snippet(text: isComplete ? text : text + ellipsis, hits: hits)
    }
}

/// `HitCluster` is the place in a folded text where a query's needles stand closest together.
private struct HitCluster {
    struct Hit {
        let needle: Int
        let range: Range<Int>
    }

    /// Hits of one needle that are looked at.
    private static let hitCountMax = 64

    /// The hits of the cluster, ascending; empty when no needle occurs.
    let hits: [Hit]

    /// Finds the window of `byteCount` folded bytes that begins with a hit and holds most of the different needles; the
    /// first of equals.
    init(of query: SearchQuery, in folded: Span<UInt8>, byteCount: Int) {
        let all = Self.hits(of: query, in: folded)
        var best: ArraySlice<Hit> = []
        var bestCount = 0
        for start in all.indices {
            let limit = all[start].range.lowerBound + byteCount
            let window = all[start...].prefix { $0.range.upperBound <= limit }
            // A query has 16 needles at most: one bit for each.
            let count = window.reduce(0 as UInt64) { $0 | 1 << UInt64($1.needle) }.nonzeroBitCount
            if count > bestCount { (best, bestCount) = (window, count) }
            if bestCount == query.needles.count { break }
        }
        hits = best.isEmpty ? Array(all.prefix(1)) : Array(best)
    }

    static func hits(of query: SearchQuery, in folded: Span<UInt8>) -> [Hit] {
        var hits: [Hit] = []
        for (index, finder) in query.finders.enumerated() {
            var start = 0
            for _ in 0..<hitCountMax {
                guard let offset = finder.first(in: folded, from: start) else { break }
                hits.append(Hit(needle: index, range: offset..<(offset + finder.needle.count)))
                start = offset + finder.needle.count
            }
        }
        return hits.sorted { ($0.range.lowerBound, $0.needle) < ($1.range.lowerBound, $1.needle) }
    }
}
