// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

// A list by what no index has: SQLite looks at a part of the live notes at a time and keeps the best of them, at a third of what passing each one
// costs.

extension NoteWalk {
    /// Nil where each note must be seen: the search has conditions, shows all, or a page that is far behind.
    init?(bestOf search: FilteredSearch, _ places: Set<NotePlace>, _ limits: ScanLimits) {
        let end = search.page.multipliedReportingOverflow(by: search.limit)
        guard [.created, .title, .size].contains(search.order), places == [.live], search.query == nil, search.tag == nil, search.notebook == nil,
            search.regex.isEmpty, !search.isWhole, !search.countsOnly, !end.overflow, end.partialValue < limits.bestCount
        else { return nil }
        let order = Order.best(search.order, count: end.partialValue + 1, of: limits.bestOfCount)
        self.init(order, reverse: search.reverse, withTitles: search.order == .title, withNames: false)
    }

    /// The best of the next part; none do not mean the end.
    mutating func nextBest(_ database: Database, _ order: NoteOrder, _ count: Int, of partCount: Int) throws -> [NoteFields] {
        guard let range = try range(database, count: partCount) else { return [] }
        let direction = reverse ? "ASC" : "DESC"
        // The plus: an index by place would lead through the table crosswise.
        let rows = try RowReader(
            database,
            """
            SELECT \(columns) FROM note WHERE row >= ? AND row <= ? AND +place = 0
            ORDER BY \(order.expression) \(order == .title ? (reverse ? "DESC" : "ASC") : direction), row \(direction) LIMIT ?
            """)
        try rows.begin([.integer(range.lowerBound), .integer(range.upperBound), .integer(Int64(count))])
        var notes: [NoteFields] = []
        while try rows.next() { notes.append(try NoteFields(rows)) }
        guard notes.allSatisfy({ range.contains($0.row) }) else { throw VaultError(.integrity) }
        return notes
    }

    /// Rows of the next part, of which there is one at least. Its live notes are counted: what an old page put back hides is missed at the end.
    ///
    /// - Returns: nil at the end.
    private mutating func range(_ database: Database, count: Int) throws -> ClosedRange<Int64>? {
        let first = try RowReader(database, "SELECT row FROM note WHERE row >= ? ORDER BY row LIMIT 1")
        let next = last.map { $0.row == .max ? nil : $0.row + 1 } ?? Int64.min
        guard let next, try first.starts(with: next) else {
            isAtEnd = true
            return nil
        }
        let start = try first.integer(0)
        guard start >= next else { throw VaultError(.integrity) }
        let (end, isOver) = start.addingReportingOverflow(Int64(count - 1))
        let range = start...(isOver ? .max : end)
        last = (0, range.upperBound)
        let notes = try RowReader(database, "SELECT count(*), count(CASE WHEN place = 0 THEN 1 END) FROM note WHERE row >= ? AND row <= ?")
        try notes.begin([.integer(range.lowerBound), .integer(range.upperBound)])
        guard try notes.next() else { throw VaultError(.integrity) }
        passedCount += Int(try notes.integer(0))
        liveCount += Int(try notes.integer(1))
        return range
    }
}

extension RowReader {
    /// Begins with one number; false where there is no row.
    fileprivate func starts(with number: Int64) throws -> Bool {
        try begin([.integer(number)])
        return try next()
    }
}

extension NoteOrder {
    /// What SQLite sorts by: the same as `FoundNotes` does. No title of the lists has a zero byte, which would end the comparison.
    fileprivate var expression: String {
        switch self {
        case .created: "created"
        case .size: "byteCount"
        case .title: "CASE WHEN features & \(NoteFeatures.isPrivate.rawValue) THEN '' ELSE title END COLLATE NOCASE"
        case .modified: "modified"
        case .rank: "row"
        }
    }
}
