// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import SearchText
public import VaultFormat

/// Which notes an export is about, found in steps of a few milliseconds: the oldest first, and by identifier where two are of one time, so
/// that two exports of the same notes have one order.
///
/// Notes are known by their identifiers: one that is changed meanwhile is neither lost nor found twice, because that never changes. 24 bytes
/// of memory each.
public final class ExportScan {
    private struct Found {
        let created: Int64
        let high: UInt64
        let low: UInt16
        var order: (Int64, UInt64, UInt16) { (created, high, low) }
    }

    private let store: VaultStore
    private let query: NoteQuery?
    private let places: [NotePlace]
    private var found: [Found] = []
    private var candidates: [(found: Found, fits: Int64)] = []
    private var hasBegun = false
    private var next = 0
    private var last: [UInt8] = []
    private var isSorted = false
    private static let pageCount = 500
    private static let stepDuration = Duration.milliseconds(10)

    public init(_ store: VaultStore, _ query: NoteQuery?, places: [NotePlace]) {
        self.store = store
        self.query = query
        self.places = places
    }

    /// How many there are, once `step` has returned false.
    public var count: Int { found.count }

    public subscript(_ index: Int) -> NoteID? { Self.id(found[index]) }

    /// Does a little more; false when all are found.
    public func step() throws(VaultError) -> Bool {
        guard !isSorted else { return false }
        if try query == nil ? nextPage() : nextCandidates() { return true }
        found.sort { $0.order < $1.order }
        candidates = []
        isSorted = true
        return false
    }

    /// All notes of the places, in the order of their identifiers.
    private func nextPage() throws(VaultError) -> Bool {
        let places = places.map { String($0.rawValue) }.joined(separator: ", ")
        let page = try store.read { database in
            let statement = try database.cachedStatement(
                "SELECT id, created FROM note WHERE id > ? AND place IN (\(places)) ORDER BY id LIMIT \(Self.pageCount)")
            return try Row.fetchAll(statement, arguments: [self.last.blob]).map { (try $0.bytes("id"), try $0.integer("created")) }
        }
        for (id, created) in page { found.append(Self.found(id, created)) }
        last = page.last?.0 ?? last
        return page.count == Self.pageCount
    }

    private func nextCandidates() throws(VaultError) -> Bool {
        guard let query else { return false }
        guard hasBegun else {
            hasBegun = true
            try begin(query)
            return true
        }
        guard query.looksAtTexts else {
            found = candidates.map(\.found)
            return false
        }
        try store.read { database in
            let end = ContinuousClock.now + Self.stepDuration
            while self.next < self.candidates.count, ContinuousClock.now < end {
                let (note, fits) = self.candidates[self.next]
                self.next += 1
                if try self.holdsWords(database, note, fits, query) { self.found.append(note) }
            }
        }
        return next < candidates.count
    }

    /// What the tables can tell, in one look, so that it is of one time.
    private func begin(_ query: NoteQuery) throws(VaultError) {
        try store.read { database in
            let names = try Row.fetchAll(database, sql: "SELECT DISTINCT notebook FROM note WHERE notebook <> ''").map { try $0.text("notebook") }
            let sql = QuerySQL(query, notebooks: names, places: self.places)
            let mask = sql.expressions.enumerated().map { "((\($1)) <> 0) * \(Int64(1) << Int64($0))" }.joined(separator: " + ")
            let unlocked = try self.store.unlockedNotes(database)
            let open = Set(unlocked.map(\.id))
            let rows = try Row.fetchCursor(
                database, sql: "SELECT id, created, fits FROM (SELECT id, created, \(mask) AS fits FROM note) WHERE fits <> 0",
                arguments: sql.arguments)
            while let row = try rows.next() {
                let id = try row.bytes("id")
                guard try !open.contains(NoteID(id)) else { continue }
                self.candidates.append((Self.found(id, try row.integer("created")), try row.integer("fits")))
            }
            // Of private notes that are unlocked the tables know next to nothing.
            for note in unlocked {
                let hasDraft = try database.cachedStatement("SELECT 1 FROM draft WHERE note = ? AND discarded IS NULL LIMIT 1").row([
                    note.id.bytes.blob
                ])
                let fits = note.fits(
                    query, places: self.places, hasDraft: hasDraft != nil, isForked: try self.store.isForked(database, note.id))
                if fits != 0 { self.candidates.append((Self.found(note.id.bytes, note.record.created), fits)) }
            }
        }
    }

    private func holdsWords(_ database: Database, _ note: Found, _ fits: Int64, _ query: NoteQuery) throws -> Bool {
        guard let id = Self.id(note), let row = try database.cachedStatement("SELECT row FROM note WHERE id = ?").row([id.bytes.blob]),
            let (title, record) = try store.candidate(database, row.integer("row"))
        else { return false }
        let text = FoldedNote(title: TextFold.fold(title), body: TextFold.fold(record.body))
        return query.alternatives.enumerated().contains { number, terms in
            fits & (Int64(1) << Int64(number)) != 0 && text.score(of: terms) != nil
        }
    }

    private static func found(_ id: [UInt8], _ created: Int64) -> Found {
        let high = id.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let low = id.dropFirst(8).prefix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
        return Found(created: created, high: high, low: low)
    }

    private static func id(_ note: Found) -> NoteID? {
        let high = stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: note.high >> $0) }
        return try? NoteID(high + [UInt8(truncatingIfNeeded: note.low >> 8), UInt8(truncatingIfNeeded: note.low)])
    }
}

extension NoteQuery {
    /// Whether the tables cannot tell alone.
    var looksAtTexts: Bool {
        alternatives.joined().contains { term in
            term.conditions.contains { condition in
                switch condition {
                case .text, .title: true
                default: false
                }
            }
        }
    }
}
