// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// `Retention` says how long revisions are kept: all of them at first, then the last of each day, then the last of each
/// month of 30 days.
public struct Retention: Sendable, Equatable {
    public var keepAllMilliseconds: Int64 = 30 * day
    public var keepDailyMilliseconds: Int64 = 365 * day
    static let day: Int64 = 24 * 3600 * 1000

    public init() {}

    /// Finds which of a note's revisions go, given when each was made, oldest first.
    ///
    /// - Returns: their indices.
    func surplus(_ made: [Int64], now: Int64) -> [Int] {
        made.indices.dropLast().filter { index in
            let age = now - made[index]
            // When it was made is not known for revisions of an older index: they stay.
            guard made[index] > 0, age > keepAllMilliseconds else { return false }
            // The last of a span stays: one goes when the next one is of the same span.
            let span = age > keepDailyMilliseconds ? 30 * Self.day : Self.day
            return made[index] / span == made[index + 1] / span
        }
    }
}

/// `Thinning` does the work of `vault gc`: it drops old revisions by the rule, some notes at a time, each step durable.
/// The chain keeps that they were.
public final class Thinning {
    public private(set) var revisions = 0
    public private(set) var notes = 0
    /// Sealed bytes of what is removed.
    public private(set) var byteCount = 0
    /// Revisions that would be removed, but stay while another device may make its next change from them.
    public private(set) var awaited = 0
    private let vault: OpenVault
    private let retention: Retention
    private let dryRun: Bool
    private let now: Int64
    private var last: [UInt8] = []
    /// Bases of running edits: a merge needs them.
    private var kept: Set<RevisionID> = []
    /// Which entries all devices have read; nil where there are no others.
    private var readByAll: [DeviceID: UInt64]?
    /// Fewer where there is no room for many.
    private var stepNotes = 50

    public init(_ vault: OpenVault, _ retention: Retention, dryRun: Bool, now: Int64 = Machine.now) {
        self.vault = vault
        self.retention = retention
        self.dryRun = dryRun
        self.now = now
    }

    /// Does a little more; false when all is done.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func step() throws(VaultError) -> Bool {
        if last.isEmpty { try begin() }
        let found = try vault.read { index in
            try Row.fetchAll(
                index.database,
                sql: """
                    SELECT note FROM revision INDEXED BY revisionByNote WHERE note > ? GROUP BY note HAVING count(*) > 1 ORDER BY note LIMIT ?
                    """, arguments: [self.last.blob, self.stepNotes]
            ).map { try $0.bytes("note") }
        }
        guard let end = found.last else { return false }
        let notes = try VaultError.translating { try found.map { try NoteID($0) } }
        if dryRun {
            try vault.read { index in for note in notes { _ = try self.thin(index, note) } }
        } else {
            let before = (revisions, self.notes, byteCount, awaited)
            do throws(VaultError) {
                try vault.makingRoom { () throws(VaultError) in
                    try vault.write { transaction in
                        // It may be done a second time.
                        (self.revisions, self.notes, self.byteCount, self.awaited) = before
                        let thinned = try notes.filter { try self.thin(transaction, $0, dropping: transaction) }
                        try transaction.removeAttachmentsLeft(of: thinned)
                    }
                }
            } catch {
                (revisions, self.notes, byteCount, awaited) = before
                guard error.code == .readOnly, stepNotes > 1 else { throw error }
                stepNotes = 1
                return true
            }
        }
        last = end
        return true
    }

    private func begin() throws(VaultError) {
        last = [0]
        for draft in try vault.drafts.all() {
            kept.formUnion(draft.start.joins + (draft.start.base.map { [$0] } ?? []))
        }
        try keepWhatUndoNeeds()
        readByAll = try vault.read { try $0.entriesReadByAll() }
        guard !dryRun else { return }
        // What can no longer be put back is no longer offered.
        try vault.makingRoom { () throws(VaultError) in try deleteOldChanges() }
    }

    private func deleteOldChanges() throws(VaultError) {
        try vault.write {
            try $0.database.execute(
                sql: "DELETE FROM change WHERE made < ?", arguments: [self.now - self.retention.keepAllMilliseconds])
        }
    }

    /// Keeps the revisions that changes replaced which can still be undone.
    private func keepWhatUndoNeeds() throws(VaultError) {
        let oldest = now - retention.keepAllMilliseconds
        try vault.read { index in
            let sql =
                "SELECT entry.bytes AS bytes FROM change JOIN entry ON entry.device = ? AND entry.sequence BETWEEN change.first AND change.last WHERE made >= ?"
            let rows = try Row.fetchCursor(index.database, sql: sql, arguments: [index.device.blob, oldest])
            while let row = try rows.next() { self.kept.formUnion(try Entry(parsing: row.bytes("bytes")).parents) }
        }
    }

    /// Drops old revisions of one note, or only counts them.
    ///
    /// - Parameter transaction: nil where nothing is to be written.
    /// - Returns: whether any went.
    private func thin(
        _ index: some IndexAccess, _ note: NoteID, dropping transaction: Transaction? = nil
    ) throws -> Bool {
        let heads = Set(try index.otherHeadIDs(of: note) + [try index.headID(of: note)])
        let statement = try index.database.cachedStatement(
            "SELECT id, made, length(sealed) AS size FROM revision WHERE note = ? ORDER BY rowid")
        let rows = try Row.fetchAll(statement, arguments: [note.bytes.blob])
        let made = try rows.map { try $0.integer("made") }
        var dropped = 0
        let surplus = try isJoined(index, note) ? retention.surplus(made, now: now) : []
        let free = surplus.isEmpty ? nil : try replacedForAll(index, note)
        for index in surplus {
            let revision = try RevisionID(try rows[index].bytes("id"))
            guard !heads.contains(revision), !kept.contains(revision) else { continue }
            guard free?.contains(revision) ?? true else {
                awaited += 1
                continue
            }
            dropped += 1
            byteCount += try rows[index].count("size")
            if let transaction { try drop(transaction, revision, of: note) }
        }
        revisions += dropped
        if dropped > 0 { notes += 1 }
        return dropped > 0
    }

    /// Returns whether a note has one version, and none that waits to become a second one: these are compared with what
    /// is under both.
    private func isJoined(_ index: some IndexAccess, _ note: NoteID) throws -> Bool {
        guard readByAll != nil else { return true }
        let waits = try index.database.cachedStatement("SELECT 1 FROM waiting WHERE note = ?").row([note.bytes.blob])
        return try waits == nil && index.otherHeadIDs(of: note).isEmpty
    }

    /// Returns the revisions of a note that an entry replaced which all devices have read: what these write next is
    /// made from that entry or from a later one, so nobody's change is ever to be compared with them. Nil without other
    /// devices.
    private func replacedForAll(_ index: some IndexAccess, _ note: NoteID) throws -> Set<RevisionID>? {
        guard let readByAll else { return nil }
        return try Set(
            index.entries(of: note).filter { entry in
                guard entry.operation.makesRevision, let device = try? DeviceID(entry.device) else { return false }
                return entry.sequence <= readByAll[device] ?? 0
            }.flatMap(\.parents))
    }

    private func drop(_ transaction: Transaction, _ revision: RevisionID, of note: NoteID) throws {
        var state = try IndexState.fetch(transaction.database)
        try transaction.append(&state, .drop, note: note, revision: revision, parents: [])
        try state.save(transaction.database)
        try transaction.database.cachedStatement("DELETE FROM revision WHERE id = ?").execute(arguments: [
            revision.bytes.blob
        ])
    }
}
