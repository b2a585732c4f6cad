// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// A `NoteWalk` gives the notes in the order of an index, some hundred at a time: each time it goes on behind the last
/// one, so that nothing is counted or sorted.
///
/// A note that is changed meanwhile moves to the end where changes are; it may be missed, or met twice.
struct NoteWalk {
    enum Order {
        /// The newest change first; notes in any place.
        case rows
        /// Of one place, pinned or not, the last modified first; of one notebook where one is named.
        case modified(NotePlace, isPinned: Bool, notebook: String?, within: ClosedRange<Int64>?)
        /// As they are named here.
        case identifiers([PackedID])
        case numbers([Int64])
        /// All live notes, but of each part only so many as a page by creation, title or size may show: SQLite passes
        /// the rest.
        case best(NoteOrder, count: Int, of: Int)
    }

    private let order: Order
    let reverse: Bool
    let columns: String
    var last: (modified: Int64, row: Int64)?
    private var taken = 0
    var isAtEnd = false
    /// Notes that SQLite looked at, wherever they are, and those of them that are live.
    var passedCount = 0
    var liveCount = 0
    static let partCount = 200

    init(_ order: Order, reverse: Bool = false, withTitles: Bool = false, withNames: Bool = true) {
        self.order = order
        self.reverse = reverse
        columns = NoteFields.columns(withTitle: withTitles, withNames: withNames)
    }

    /// Returns the next notes; fewer than `partCount`, or none, do not mean the end.
    mutating func next(_ database: Database) throws -> [NoteFields] {
        switch order {
        case .rows: try nextRows(database)
        case .modified(let place, let isPinned, let notebook, let range):
            try nextModified(database, place, isPinned, notebook, range)
        case .identifiers(let notes): try named(database, notes, "id = ?") { .blob($0.bytes) }
        case .numbers(let rows): try named(database, rows, "row = ?") { .integer($0) }
        case .best(let order, let count, let partCount): try nextBest(database, order, count, of: partCount)
        }
    }

    private mutating func nextRows(_ database: Database) throws -> [NoteFields] {
        let (sign, direction) = reverse ? (">", "ASC") : ("<", "DESC")
        let sql = "SELECT \(columns) FROM note WHERE row \(sign) ? ORDER BY row \(direction) LIMIT \(Self.partCount)"
        return try take(database, sql, [.integer(last?.row ?? (reverse ? Int64.min : Int64.max))])
    }

    private mutating func nextModified(
        _ database: Database, _ place: NotePlace, _ isPinned: Bool, _ notebook: String?, _ range: ClosedRange<Int64>?
    ) throws -> [NoteFields] {
        let (sign, direction) = reverse ? (">", "ASC") : ("<", "DESC")
        var conditions = ["place = ?", "pinned = ?", "(modified, row) \(sign) (?, ?)"]
        let start = last ?? (reverse ? (range?.lowerBound ?? .min, Int64.min) : (range?.upperBound ?? .max, Int64.max))
        var values: [RowReader.Value] = [
            .integer(place.rawValue), .integer(isPinned ? 1 : 0), .integer(start.0), .integer(start.1),
        ]
        if let notebook {
            conditions += ["notebook = ?", "notebook <> ''"]
            values.append(.text(notebook))
        }
        if let range {
            // Where it begins is said already; two beginnings would make SQLite pass all of them each time.
            conditions.append("modified \(reverse ? "<=" : ">=") ?")
            values.append(.integer(reverse ? range.upperBound : range.lowerBound))
        }
        let sql = """
            SELECT \(columns) FROM note WHERE \(conditions.joined(separator: " AND "))
            ORDER BY modified \(direction), row \(direction) LIMIT \(Self.partCount)
            """
        return try take(database, sql, values)
    }

    private mutating func take(_ database: Database, _ sql: String, _ values: [RowReader.Value]) throws -> [NoteFields]
    {
        var notes: [NoteFields] = []
        notes.reserveCapacity(Self.partCount)
        let rows = try RowReader(database, sql)
        try rows.begin(values)
        while try rows.next() {
            let note = try NoteFields(rows)
            try follow(note)
            notes.append(note)
        }
        isAtEnd = notes.count < Self.partCount
        return notes
    }

    /// Checks that a note follows the last one: an old page put back may lead to where the walk has been, and it would
    /// never end.
    private mutating func follow(_ note: NoteFields) throws {
        if let last {
            let isByRows = if case .rows = order { true } else { false }
            let before: (Int64, Int64) = (isByRows ? 0 : last.modified, last.row)
            let now: (Int64, Int64) = (isByRows ? 0 : note.modified, note.row)
            guard reverse ? before < now : before > now else { throw VaultError(.integrity) }
        }
        last = (note.modified, note.row)
    }

    /// Returns the next of some notes, with one look-up each; those that are gone are left out.
    private mutating func named<Name>(
        _ database: Database, _ names: [Name], _ condition: String, _ value: (Name) -> RowReader.Value
    ) throws -> [NoteFields] {
        let rows = try RowReader(database, "SELECT \(columns) FROM note WHERE \(condition)")
        let part = names.dropFirst(taken).prefix(Self.partCount)
        taken += part.count
        isAtEnd = taken == names.count
        return try part.compactMap { name in
            try rows.begin([value(name)])
            return try rows.next() ? try NoteFields(rows) : nil
        }
    }
}

// A list by what no index has: SQLite looks at a part of the live notes at a time and keeps the best of them, at a
// third of what passing each one costs.

extension NoteWalk {
    /// Begins a walk over the best notes; nil where each note must be seen: the search has conditions, shows all, or a
    /// page that is far behind.
    init?(bestOf search: FilteredSearch, _ places: Set<NotePlace>, _ limits: ScanLimits) {
        let end = search.page.multipliedReportingOverflow(by: search.limit)
        guard [.created, .title, .size].contains(search.order), places == [.live], search.query == nil,
            search.tag == nil, search.notebook == nil,
            search.regex.isEmpty, !search.isWhole, !search.countsOnly, !end.overflow,
            end.partialValue < limits.bestCount
        else { return nil }
        let order = Order.best(search.order, count: end.partialValue + 1, of: limits.bestOfCount)
        self.init(order, reverse: search.reverse, withTitles: search.order == .title, withNames: false)
    }

    /// Returns the best of the next part; none do not mean the end.
    mutating func nextBest(_ database: Database, _ order: NoteOrder, _ count: Int, of partCount: Int) throws
        -> [NoteFields]
    {
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

    /// Returns the rows of the next part, of which there is one at least. Its live notes are counted: what an old page
    /// put back hides is missed at the end.
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
        let notes = try RowReader(
            database, "SELECT count(*), count(CASE WHEN place = 0 THEN 1 END) FROM note WHERE row >= ? AND row <= ?")
        try notes.begin([.integer(range.lowerBound), .integer(range.upperBound)])
        guard try notes.next() else { throw VaultError(.integrity) }
        passedCount += Int(try notes.integer(0))
        liveCount += Int(try notes.integer(1))
        return range
    }
}

extension RowReader {
    /// Begins the statement with one number and steps it; false where there is no row.
    fileprivate func starts(with number: Int64) throws -> Bool {
        try begin([.integer(number)])
        return try next()
    }
}

extension NoteOrder {
    /// What SQLite sorts by: the same as `FoundNotes` does. No title of the lists has a zero byte, which would end the
    /// comparison.
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
