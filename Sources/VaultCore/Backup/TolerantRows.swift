// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultFormat

/// `TolerantRows` reads the rows of an index some of whose pages do not open: a row that cannot be read is passed over.
struct TolerantRows {
    private let index: FrozenIndex
    private let goesOn: () throws -> Void

    /// Prepares to read an index.
    ///
    /// - Parameter goesOn: asked at each row that cannot be read; what it throws ends the work.
    init(_ index: FrozenIndex, goesOn: @escaping () throws -> Void = {}) {
        self.index = index
        self.goesOn = goesOn
    }

    /// Reads rows in the order of a number that is above 0.
    ///
    /// - Parameters:
    ///   - select: has `WHERE … >= ?` and the order. With `>` SQLite would seek to the number itself, which may lie on
    ///     a page that does not open, and the row behind that page would be passed over.
    ///   - number: the column with the number.
    ///   - body: gets each row that can be read.
    /// - Returns: whether all of them could be.
    @discardableResult
    func forEach(
        _ select: String, by number: String, last: Int64, _ arguments: [any DatabaseValueConvertible] = [],
        _ body: (Row) throws -> Void
    ) throws -> Bool {
        var (at, isWhole) = (Int64(0), true)
        while at < last {
            var failure: (any Error)?
            do {
                try index.database.queue.inDatabase { connection in
                    // Compiled anew each time: a statement that failed once may say so again.
                    let rows = try Row.fetchCursor(
                        connection, sql: select, arguments: StatementArguments(arguments + [at + 1]))
                    while let row = try rows.next() {
                        let next = try row.integer(number)
                        // Where an old page leads back this would never end.
                        guard next > at else { throw VaultError(.integrity) }
                        do { try body(row) } catch { failure = error }
                        if failure != nil { return }
                        at = next
                    }
                    at = last
                }
            } catch {
                isWhole = false
                at = try behindHidden(after: at, last: last) { isReachable(select, number, arguments, after: $0) }
            }
            if let failure { throw failure }
        }
        return isWhole
    }

    /// How far numbers are tried one by one: more than a page has rows. Behind that steps grow.
    private static let smallStepCount: Int64 = 4096

    /// Finds the least number behind which the next row can be read: further and further on, then back by halves. In
    /// single steps the way to numbers of redo, which begin at 2⁶², would have no end.
    private func behindHidden(after at: Int64, last: Int64, _ isReachable: (Int64) -> Bool) throws -> Int64 {
        var (hidden, distance, open) = (at, Int64(0), last)
        while true {
            try goesOn()
            let step = distance < Self.smallStepCount ? 1 : distance / 64
            guard step < last - hidden else { break }
            distance += step
            if isReachable(hidden + step) {
                open = hidden + step
                break
            }
            hidden += step
        }
        while open - hidden > 1 {
            try goesOn()
            let middle = hidden + (open - hidden) / 2
            if isReachable(middle) { open = middle } else { hidden = middle }
        }
        return open
    }

    /// Tells whether the row that follows a number can be read, or there is none.
    private func isReachable(
        _ select: String, _ number: String, _ arguments: [any DatabaseValueConvertible], after at: Int64
    ) -> Bool {
        let isReachable = try? index.database.queue.inDatabase { connection in
            let rows = try Row.fetchCursor(connection, sql: select, arguments: StatementArguments(arguments + [at + 1]))
            guard let row = try rows.next() else { return true }
            return try row.integer(number) > at
        }
        return isReachable ?? false
    }

    /// Reads rows whose key is no number: from the first to the first that cannot be read, and from the last one back.
    ///
    /// - Returns: whether all of them could be read.
    func forEachKeyed(_ select: String, by key: String, _ body: (Row) throws -> Void) throws -> Bool {
        var seen: Set<[UInt8]> = []
        var isWhole = true
        for direction in ["ASC", "DESC"] {
            var failure: (any Error)?
            do {
                try index.database.queue.inDatabase { connection in
                    let rows = try Row.fetchCursor(connection, sql: "\(select) ORDER BY \(key) \(direction)")
                    while let row = try rows.next() {
                        guard seen.insert(try row.bytes(key)).inserted else { continue }
                        do { try body(row) } catch { failure = error }
                        if failure != nil { return }
                    }
                }
            } catch { isWhole = false }
            if let failure { throw failure }
            if isWhole { return true }
        }
        return false
    }

    /// Reads one row; nil when there is none or it cannot be read.
    func row(_ select: String, _ arguments: [any DatabaseValueConvertible]) -> Row? {
        // Asked for while the rows of another table are gone through, on the same thread.
        try? index.database.queue.unsafeReentrantRead {
            try Row.fetchOne($0, sql: select, arguments: StatementArguments(arguments))
        }
    }

    /// Returns the highest number of a table.
    ///
    /// - Parameters:
    ///   - index: has the numbers too, in pages of its own.
    ///   - other: what it cannot be above, where neither can be read.
    func last(_ table: String, of number: String, byIndex index: String? = nil, orAbove other: Int64) -> Int64 {
        var selects = ["SELECT max(\(number)) AS last FROM \(table)"]
        if let index {
            selects.append("SELECT max(n) AS last FROM (SELECT \(number) AS n FROM \(table) INDEXED BY \(index))")
        }
        for select in selects {
            // An empty table has none.
            if let row = row(select, []) { return (try? row.integer("last")) ?? 0 }
        }
        return other
    }
}
