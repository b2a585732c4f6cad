// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// One line of a merge's result.
public enum MergeElement: Equatable, Sendable {
    case token(UInt32)
    /// A conflict begins with our side.
    case ours
    /// Their side of the conflict begins.
    case theirs
    case end

    /// Whether this can be a merge of three texts: conflicts begin, part and end in this order and hold something, each
    /// token is there as often as both sides together have it at most, and as often as a side added it at least.
    ///
    /// So an answer that is not trusted can neither leave out what a side wrote nor grow beyond its texts.
    ///
    /// - Parameter tokenCount: each token of the texts is below it.
    static func fit(_ merged: [MergeElement], base: [UInt32], ours: [UInt32], theirs: [UInt32], tokenCount: Int) -> Bool
    {
        var counts = [Int](repeating: 0, count: tokenCount)
        guard hasWholeConflicts(merged, &counts) else { return false }
        let (base, ours, theirs) = (count(base, tokenCount), count(ours, tokenCount), count(theirs, tokenCount))
        return (0..<tokenCount).allSatisfy { token in
            let added = max(ours[token] - base[token], theirs[token] - base[token], 0)
            return (added...(ours[token] + theirs[token])).contains(counts[token])
        }
    }

    private static func hasWholeConflicts(_ merged: [MergeElement], _ counts: inout [Int]) -> Bool {
        var expected: MergeElement = .ours
        var isEmpty = true
        for element in merged {
            switch element {
            case .token(let number):
                guard number < counts.count else { return false }
                counts[Int(number)] += 1
                isEmpty = false
            case .ours, .theirs, .end:
                guard element == expected, element != .end || !isEmpty else { return false }
                expected = element == .ours ? .theirs : element == .theirs ? .end : .ours
                if element == .ours { isEmpty = true }
            }
        }
        return expected == .ours
    }

    private static func count(_ tokens: [UInt32], _ tokenCount: Int) -> [Int] {
        var counts = [Int](repeating: 0, count: tokenCount)
        for token in tokens { counts[Int(token)] += 1 }
        return counts
    }
}
