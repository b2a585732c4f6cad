// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// Notes in the order of an index, some hundred at a time: each time it goes on behind the last one, so that nothing is counted or sorted.
///
/// A note that is changed meanwhile moves to the end where changes are; it may be missed, or met twice.
struct NoteWalk {
    enum Order {
        /// The newest change first; wherever notes lie.
        case rows
        /// Of one place, pinned or not, the last modified first; of one notebook where one is named.
        case modified(NotePlace, isPinned: Bool, notebook: String?, within: ClosedRange<Int64>?)
        /// As they are named here.
        case identifiers([PackedID])
        case numbers([Int64])
        /// All live notes, but of each part only so many as a page by creation, title or size may show: SQLite passes the rest.
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

    /// The next notes; fewer than `partCount`, or none, do not mean the end.
    mutating func next(_ database: Database) throws -> [NoteFields] {
        switch order {
        case .rows: try nextRows(database)
        case .modified(let place, let isPinned, let notebook, let range): try nextModified(database, place, isPinned, notebook, range)
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
        var values: [RowReader.Value] = [.integer(place.rawValue), .integer(isPinned ? 1 : 0), .integer(start.0), .integer(start.1)]
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

    private mutating func take(_ database: Database, _ sql: String, _ values: [RowReader.Value]) throws -> [NoteFields] {
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

    /// An old page put back may lead to where the walk has been: it would never end.
    private mutating func follow(_ note: NoteFields) throws {
        if let last {
            let isByRows = if case .rows = order { true } else { false }
            let before: (Int64, Int64) = (isByRows ? 0 : last.modified, last.row)
            let now: (Int64, Int64) = (isByRows ? 0 : note.modified, note.row)
            guard reverse ? before < now : before > now else { throw VaultError(.integrity) }
        }
        last = (note.modified, note.row)
    }

    /// One look-up each; those that are gone are left out.
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
