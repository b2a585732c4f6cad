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
        let id: PackedID
        var order: (Int64, UInt64, UInt16) { (created, id.high, id.low) }
    }

    private let store: VaultStore
    private let query: NoteQuery?
    private let places: [NotePlace]
    private var found: [Found] = []
    private var last: PackedID?
    private var isSorted = false
    private static let partCount = 200
    private let stepDuration: Duration

    /// - Parameter stepDuration: how long others wait for one step, at least for one part of the notes.
    public init(_ store: VaultStore, _ query: NoteQuery?, places: [NotePlace], stepDuration: Duration = .milliseconds(10)) {
        self.store = store
        self.query = query
        self.places = places
        self.stepDuration = stepDuration
    }

    /// How many there are, once `step` has returned false.
    public var count: Int { found.count }

    public subscript(_ index: Int) -> NoteID? { try? NoteID(found[index].id.bytes) }

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
        let end = ContinuousClock.now + stepDuration
        return try store.read { database in
            let plan = try FilterPlan(self.query, places: self.places, database)
            let texts = try FoldedTexts(database)
            let unlocked = try self.store.unlockedByRow(database)
            let rows = try RowReader(
                database, "SELECT \(NoteFields.columns(withTitle: false, withNames: true)) FROM note WHERE id > ? ORDER BY id LIMIT \(Self.partCount)"
            )
            repeat {
                var count = 0
                try rows.begin([.blob(self.last?.bytes ?? [])])
                while try rows.next() {
                    let note = try NoteFields(rows)
                    // An old page put back may lead to where the scan has been: it would never end.
                    if let last = self.last, (last.high, last.low) >= (note.id.high, note.id.low) { throw VaultError(.integrity) }
                    if try self.fits(note, unlocked[note.row], plan, texts, database) { self.found.append(Found(created: note.created, id: note.id)) }
                    self.last = note.id
                    count += 1
                }
                if count < Self.partCount { return false }
            } while ContinuousClock.now < end
            return true
        }
    }

    private func fits(_ note: NoteFields, _ unlocked: UnlockedNote?, _ plan: FilterPlan, _ texts: FoldedTexts, _ database: Database) throws -> Bool {
        let bits = plan.fits(unlocked.map { NoteFields($0) } ?? note)
        guard bits != 0 else { return false }
        guard plan.looksAtTexts else { return true }
        return try store.withFolded(note, unlocked, texts, database) { plan.score($0, $1, bits) } ?? nil != nil
    }
}
