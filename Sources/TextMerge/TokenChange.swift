// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A stretch of tokens that another stretch takes the place of; one of the two may be empty.
public struct TokenChange: Equatable, Sendable {
    public let old: Range<Int>
    public let new: Range<Int>

    public init(old: Range<Int>, new: Range<Int>) {
        self.old = old
        self.new = new
    }

    /// What turns `old` into `new`, by a comparison whose answer is not trusted.
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

    /// The same change where `count` equal tokens stand before.
    func moved(by count: Int) -> TokenChange {
        TokenChange(
            old: (old.lowerBound + count)..<(old.upperBound + count),
            new: (new.lowerBound + count)..<(new.upperBound + count))
    }

    /// Whether equal tokens, and as many on both sides, stand before, between and behind the changes, in order.
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
