// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A `TokenComparison` compares and merges tokens, which are numbers: equal tokens have one number. No text reaches it.
///
/// The agent has it done by a confined process (docs/decisions/0023); `GitComparison` does it in this process.
public protocol TokenComparison {
    /// Finds what turns `old` into `new`.
    ///
    /// - Returns: changes in order, or nil when it did not work; the caller then takes all that differs for one
    ///   change.
    func changes(old: [UInt32], new: [UInt32]) -> [TokenChange]?

    /// Merges what two sides made of `base`.
    ///
    /// - Returns: the result, or nil when it did not work; the caller then takes all that differs for one conflict.
    func merge(base: [UInt32], ours: [UInt32], theirs: [UInt32]) -> [MergeElement]?

    /// Ends what was started for the questions so far.
    func finish()
}

extension TokenComparison {
    public func finish() {}
}

/// `WholeTexts` compares nothing: all that differs is one change, or one conflict.
public struct WholeTexts: TokenComparison, Sendable {
    public init() {}
    public func changes(old: [UInt32], new: [UInt32]) -> [TokenChange]? { nil }
    public func merge(base: [UInt32], ours: [UInt32], theirs: [UInt32]) -> [MergeElement]? { nil }
}

/// `TokenChange` is a stretch of tokens that another stretch takes the place of; one of the two may be empty.
public struct TokenChange: Equatable, Sendable {
    public let old: Range<Int>
    public let new: Range<Int>

    public init(old: Range<Int>, new: Range<Int>) {
        self.old = old
        self.new = new
    }

    /// Returns what turns `old` into `new`, by a comparison whose answer is not trusted.
    ///
    /// - Returns: one change from the first token that differs to the last when the comparison gives nothing that fits.
    static func all(old: [UInt32], new: [UInt32], by comparison: some TokenComparison) -> [TokenChange] {
        if old == new { return [] }
        let whole = [TokenChange(old: 0..<old.count, new: 0..<new.count)]
        if old.isEmpty || new.isEmpty { return whole }
        // A library without memory for the comparison says that nothing changed.
        guard let found = comparison.changes(old: old, new: new), fit(found, old: old, new: new) else { return whole }
        return found
    }

    /// Returns the same change where `count` equal tokens stand before.
    func moved(by count: Int) -> TokenChange {
        TokenChange(
            old: (old.lowerBound + count)..<(old.upperBound + count),
            new: (new.lowerBound + count)..<(new.upperBound + count))
    }

    /// Returns whether equal tokens, and as many on both sides, stand before, between and behind the changes, in order.
    static func fit(_ changes: [TokenChange], old: [UInt32], new: [UInt32]) -> Bool {
        var (oldEnd, newEnd) = (0, 0)
        for change in changes + [TokenChange(old: old.count..<old.count, new: new.count..<new.count)] {
            guard change.old.lowerBound >= oldEnd, change.old.upperBound <= old.count,
                change.new.upperBound <= new.count
            else { return false }
            guard change.new.lowerBound - newEnd == change.old.lowerBound - oldEnd else { return false }
            guard old[oldEnd..<change.old.lowerBound] == new[newEnd..<change.new.lowerBound] else { return false }
            (oldEnd, newEnd) = (change.old.upperBound, change.new.upperBound)
        }
        return true
    }
}

/// `MergeElement` is one line of a merge's result.
public enum MergeElement: Equatable, Sendable {
    case token(UInt32)
    /// A conflict begins with our side.
    case ours
    /// Their side of the conflict begins.
    case theirs
    case end

    /// Returns whether this can be a merge of three texts: conflicts begin, part and end in this order and hold
    /// something, each token is there as often as both sides together have it at most, and as often as a side added it
    /// at least.
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
