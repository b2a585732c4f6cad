// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TerminalText
internal import TextReading

extension Snippet {
    /// The excerpt of a body around the place where a query's needles stand closest together.
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
