// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// How many slips of the hand lie between two words.
enum EditDistance {
    /// Longer words are never compared, since the time grows with the product of both lengths.
    static let byteCountMax = 48

    /// Insertions, deletions, replacements and swaps of neighbours that make one word the other.
    ///
    /// This is the restricted Damerau-Levenshtein distance: no letter is changed twice. Bytes are compared, which is
    /// enough for names that are all ASCII.
    /// - Returns: nil for a word above `byteCountMax`, and when there are more than `limit`.
    static func between(_ left: String, _ right: String, limit: Int) -> Int? {
        let (a, b) = (Array(left.utf8.prefix(byteCountMax + 1)), Array(right.utf8.prefix(byteCountMax + 1)))
        guard a.count <= byteCountMax, b.count <= byteCountMax, abs(a.count - b.count) <= limit else { return nil }
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        let distance = last[b.count]
        return distance <= limit ? distance : nil
    }
}
