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
    private var last: [UInt8] = []
    private var isSorted = false
    private static let partCount = 200
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
        if try nextParts() { return true }
        found.sort { $0.order < $1.order }
        isSorted = true
        return false
    }

    /// The next notes in the order of their identifiers; false at the end.
    private func nextParts() throws(VaultError) -> Bool {
        let end = ContinuousClock.now + Self.stepDuration
        return try store.read { database in
            let plan = try FilterPlan(self.query, places: self.places, database)
            let texts = try FoldedTexts(database)
            let unlocked = Dictionary(uniqueKeysWithValues: try self.store.unlockedNotes(database).map { ($0.row, $0) })
            let statement = try database.cachedStatement(
                "SELECT \(NoteFields.columns(withTitle: false)) FROM note WHERE id > ? ORDER BY id LIMIT \(Self.partCount)")
            repeat {
                var count = 0
                let rows = try Row.fetchCursor(statement, arguments: [self.last.blob])
                while let row = try rows.next() {
                    let note = try NoteFields(row)
                    if try self.fits(note, unlocked[note.row], plan, texts) { self.found.append(Self.found(note.id.bytes, note.created)) }
                    self.last = note.id.bytes
                    count += 1
                }
                if count < Self.partCount { return false }
            } while ContinuousClock.now < end
            return true
        }
    }

    private func fits(_ note: NoteFields, _ unlocked: UnlockedNote?, _ plan: FilterPlan, _ texts: FoldedTexts) throws -> Bool {
        let bits = plan.fits(unlocked.map { NoteFields($0) } ?? note)
        guard bits != 0 else { return false }
        guard plan.looksAtTexts else { return true }
        if let unlocked { return FoldedTexts.withParts(NoteText(unlocked.record).indexed.span) { plan.score($0, $1, bits) } != nil }
        return try texts.withText(of: note.row) { plan.score($0, $1, bits) } ?? nil != nil
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
