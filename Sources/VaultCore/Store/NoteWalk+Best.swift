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

    mutating func nextBest(_ database: Database, _ order: NoteOrder, _ count: Int, of partCount: Int) throws -> [NoteFields] {
        let start = last?.row ?? Int64.min
        guard let end = try part(database, order, from: start, count: partCount) else {
            isAtEnd = true
            return []
        }
        let direction = reverse ? "ASC" : "DESC"
        let rows = try RowReader(
            database,
            """
            SELECT \(columns) FROM note WHERE row >= ? AND row <= ? AND +place = 0
            ORDER BY \(order.expression) \(order == .title ? (reverse ? "DESC" : "ASC") : direction), row \(direction) LIMIT ?
            """)
        try rows.begin([.integer(start), .integer(end), .integer(Int64(count))])
        var notes: [NoteFields] = []
        while try rows.next() { notes.append(try NoteFields(rows)) }
        guard notes.allSatisfy({ (start...end).contains($0.row) }) else { throw VaultError(.integrity) }
        isAtEnd = isAtEnd || end == .max
        if !isAtEnd { last = (0, end + 1) }
        return notes
    }

    /// Counts what is looked at: notes that an old page put back hides, or damaged columns, are missed at the end of the walk.
    ///
    /// - Returns: the last row; nil for none.
    private mutating func part(_ database: Database, _ order: NoteOrder, from start: Int64, count: Int) throws -> Int64? {
        let rows = try RowReader(
            database,
            """
            SELECT count(*), coalesce(max(row), 0), coalesce(sum(place = 0), 0), coalesce(sum(typeof(key) <> '\(order == .title ? "text" : "integer")'), 0)
            FROM (SELECT row, place, \(order.column) AS key FROM note WHERE row >= ? ORDER BY row LIMIT ?)
            """)
        try rows.begin([.integer(start), .integer(Int64(count))])
        guard try rows.next(), try rows.integer(3) == 0 else { throw VaultError(.integrity) }
        let (seen, end) = (Int(try rows.integer(0)), try rows.integer(1))
        passedCount += seen
        liveCount += Int(try rows.integer(2))
        isAtEnd = seen < count
        guard seen > 0 else { return nil }
        guard end >= start else { throw VaultError(.integrity) }
        return end
    }
}

extension NoteOrder {
    fileprivate var column: String {
        switch self {
        case .created: "created"
        case .size: "byteCount"
        case .title: "title"
        case .modified: "modified"
        case .rank: "row"
        }
    }

    /// What SQLite sorts by: the same as `FoundNotes` does. No title of the lists has a zero byte, which would end the comparison.
    fileprivate var expression: String {
        self == .title ? "CASE WHEN features & \(NoteFeatures.isPrivate.rawValue) THEN '' ELSE title END COLLATE NOCASE" : column
    }
}
