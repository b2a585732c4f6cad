// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TextReading

/// The place in a folded text where a query's needles stand closest together.
struct HitCluster {
    struct Hit {
        let needle: Int
        let range: Range<Int>
    }

    /// Hits of one needle that are looked at.
    private static let hitCountMax = 64

    /// The hits of the cluster, ascending; empty when no needle occurs.
    let hits: [Hit]

    /// The window of `byteCount` folded bytes that begins with a hit and holds most of the different needles; the first
    /// of equals.
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
