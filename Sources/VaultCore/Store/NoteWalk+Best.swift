// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

// A list by what no index has: SQLite looks at a part of the notes at a time and keeps the best of them, at a third of what passing each one costs.

extension NoteWalk {
    /// Nil where each note must be seen: the search has conditions, shows all, or a page that is far behind.
    ///
    /// - Parameter partCount: how many notes SQLite looks at each time.
    init?(bestOf search: FilteredSearch, _ places: Set<NotePlace>, partCount: Int) {
        let end = search.page.multipliedReportingOverflow(by: search.limit)
        guard [.created, .title, .size].contains(search.order), let place = places.first, places.count == 1, search.query == nil,
            search.tag == nil, search.notebook == nil, search.regex.isEmpty, !search.isWhole, !search.countsOnly, !end.overflow,
            end.partialValue < partCount / 10
        else { return nil }
        self.init(
            .best(search.order, place, count: end.partialValue + 1, of: partCount), reverse: search.reverse, withTitles: search.order == .title)
    }

    mutating func nextBest(_ database: Database, _ order: NoteOrder, _ place: NotePlace, _ count: Int, of partCount: Int) throws
        -> [NoteFields]
    {
        let start = last?.row ?? Int64.min
        let behind = try database.cachedStatement("SELECT row FROM note WHERE row >= ? ORDER BY row LIMIT 1 OFFSET \(partCount)")
        let end = try behind.row([start])?.integer(at: 0)
        if let end, end <= start { throw VaultError(.integrity) }
        let direction = reverse ? "ASC" : "DESC"
        // The plus: an index by place would lead through the table crosswise.
        let rows = try RowReader(
            database,
            """
            SELECT \(columns) FROM note WHERE row >= ? AND row <= ? AND +place = ?
            ORDER BY \(order.expression) \(order == .title ? (reverse ? "DESC" : "ASC") : direction), row \(direction) LIMIT \(count)
            """)
        try rows.begin([.integer(start), .integer(end.map { $0 - 1 } ?? .max), .integer(place.rawValue)])
        var notes: [NoteFields] = []
        while try rows.next() { notes.append(try NoteFields(rows)) }
        if let end { last = (0, end) }
        isAtEnd = end == nil
        passedCount += end == nil ? 0 : partCount - notes.count
        return notes
    }
}

extension NoteOrder {
    /// What SQLite sorts by: the same as `FoundNotes` does.
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
