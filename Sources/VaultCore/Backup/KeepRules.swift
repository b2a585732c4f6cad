// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// `KeepRules` say which snapshots stay: the last ones, and the last one of each of the last days, weeks, months and
/// years that have one. Days are those of UTC, as in the snapshots' names; a week begins on Monday.
public struct KeepRules: Sendable, Equatable {
    public var last = 0
    public var daily = 0
    public var weekly = 0
    public var monthly = 0
    public var yearly = 0

    public init() {}

    public var isEmpty: Bool { self == KeepRules() }

    /// Chooses the snapshots that stay.
    ///
    /// - Parameter names: in any order.
    /// - Returns: those that a rule keeps.
    public func kept(of names: [SnapshotName]) -> Set<String> {
        var kept: Set<String> = []
        let newestFirst = names.sorted(by: >)
        for name in newestFirst.prefix(max(last, 0)) { kept.insert(name.text) }
        let periods: [(count: Int, of: (Day) -> Int)] = [
            (daily, { $0.number }), (weekly, { $0.week }), (monthly, { $0.month }), (yearly, { $0.year }),
        ]
        for (count, period) in periods {
            var (left, before) = (count, Int?.none)
            for name in newestFirst where left > 0 {
                let own = period(Day(name))
                guard own != before else { continue }
                kept.insert(name.text)
                (before, left) = (own, left - 1)
            }
        }
        return kept
    }

    /// A `Day` is the day in a snapshot's name.
    private struct Day {
        /// Since 1970, which began on a Thursday.
        let number: Int
        let year: Int
        /// Since year 0.
        let month: Int
        /// The number of the week, which begins on Monday.
        var week: Int { Int((Double(number + 3) / 7).rounded(.down)) }

        init(_ name: SnapshotName) {
            number = Int((Double(SnapshotStamp.milliseconds(name)) / 86_400_000).rounded(.down))
            let digits = Array(name.text.utf8.prefix(6)).map { Int($0) - 0x30 }
            year = digits[0..<4].reduce(0) { $0 * 10 + $1 }
            month = year * 12 + digits[4] * 10 + digits[5]
        }
    }
}
