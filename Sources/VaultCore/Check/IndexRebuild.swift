// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// `IndexRebuild` makes lists, tags and search words again from the revisions, in steps of one short transaction, so
/// that other requests are served between them. The old tables serve until the new ones are whole and take their place
/// in one commit; a crash leaves the old ones.
public final class IndexRebuild {
    /// Notes in the new index so far.
    public private(set) var count = 0
    private let vault: OpenVault
    private var phase = Phase.entries
    private var known = NoteHeads()
    private var walk = EntryWalk()
    /// The last own entry of each note.
    private var positions: [NoteID: Int64] = [:]
    private var hasOtherDevices = false
    /// The newest change last; each note with its heads, the one that is shown last.
    private var heads: [(note: NoteID, revisions: [RevisionID])] = []
    private var counters: IndexState?
    /// What was recorded when the entries had been read: own entries, and those of other devices.
    private var seen: (own: UInt64, others: Int) = (0, 0)
    private var hasGap = false
    private var restarts = 0
    private static let stepNotes = 100
    private static let stepEntries = 1000
    private static let restartCountMax = 2

    private enum Phase {
        case entries
        case fill
        case done
    }

    public init(_ vault: OpenVault) { self.vault = vault }

    /// Notes done and to be done; the second is 0 until it is known.
    public var progress: (done: UInt64, total: UInt64) { (UInt64(count), UInt64(heads.count)) }

    /// Does a little more; false when the new index is in place.
    ///
    /// - Throws: `VaultError.integrity` when a head cannot be opened; the old index stays then.
    public func step() throws(VaultError) -> Bool {
        switch phase {
        case .entries: try readEntries()
        case .fill: try vault.write { try self.fill($0.database, limit: Self.stepNotes) }
        case .done: return false
        }
        return true
    }

    /// Reads entries, which name each note's heads; the list that is to be replaced is not asked.
    private func readEntries() throws(VaultError) {
        let hasMore = try vault.read { try self.readSome($0) }
        guard !hasMore else { return }
        try vault.write { transaction in
            // Between two steps somebody may have written.
            self.walk.rewind()
            while try self.readSome(transaction) {}
            try self.sortHeads(transaction.database)
            try self.begin(transaction.database)
        }
        phase = .fill
    }

    /// Reads some more entries.
    ///
    /// - Returns: whether there may be more.
    private func readSome(_ index: some IndexAccess) throws -> Bool {
        let found = try walk.next(index.database, limit: Self.stepEntries)
        for row in found {
            let entry = try row.entry()
            known.add(entry)
            if entry.device != vault.device {
                hasOtherDevices = true
            } else if entry.operation != .drop {
                positions[entry.noteID] = row.sequence
            }
        }
        seen = (try IndexState.fetch(index.database).sequence, vault.arrivedEntryCount)
        return walk.hasMore
    }

    /// Sorts the notes: the one that was changed last gets the highest row; where other devices have changed some, the
    /// one that was recorded last.
    private func sortHeads(_ database: Database) throws {
        var positions = positions
        if hasOtherDevices {
            let rows = try Row.fetchCursor(
                database, sql: "SELECT note, max(rowid) AS last FROM revision INDEXED BY revisionByNote GROUP BY note")
            while let row = try rows.next() { positions[try NoteID(row.bytes("note"))] = try row.integer("last") }
        }
        heads = known.notes.map { ($0, known[$0] ?? []) }
        let isLost = try heads.indices.filter { try !isThere(heads[$0].revisions, database) }
        for place in isLost {
            heads[place].revisions = try vault.access(database).heads(of: heads[place].note)
        }
        heads = heads.filter { !$0.revisions.isEmpty }
            .sorted { (positions[$0.note] ?? 0, $0.note.text) < (positions[$1.note] ?? 0, $1.note.text) }
    }

    private func isThere(_ revisions: [RevisionID], _ database: Database) throws -> Bool {
        let statement = try database.cachedStatement("SELECT 1 FROM revision WHERE id = ?")
        return try revisions.allSatisfy { try statement.row([$0.bytes.blob]) != nil }
    }

    private func begin(_ database: Database) throws {
        var state = try IndexState.fetch(database)
        try ProjectionTables.rebuilt.drop(database)
        for statement in ProjectionTables.rebuilt.statements(indexSuffix: "_\(state.generation)") {
            try database.execute(sql: statement)
        }
        state.counts = NoteCounts()
        counters = state
        count = 0
        hasGap = false
    }

    private func fill(_ database: Database, limit: Int) throws {
        guard var counted = counters else { throw VaultError(.integrity) }
        for (note, revisions) in heads[count..<min(count + limit, heads.count)] {
            // Purged meanwhile, if the chain has a new entry at the end; else it is missing.
            if try !insert(database, note, revisions, &counted) { hasGap = true }
            count += 1
        }
        counters = counted
        if count == heads.count { try finish(database, counted) }
    }

    private func insert(_ database: Database, _ note: NoteID, _ revisions: [RevisionID], _ counted: inout IndexState)
        throws -> Bool
    {
        try Self.insert(database, note, revisions, &counted, vault.records, into: .rebuilt) != nil
    }

    /// Writes what the lists have of a note: its heads, the one that is shown last.
    ///
    /// - Returns: that one, with the vault's layer taken off; nil when it has no row.
    static func insert(
        _ database: Database, _ note: NoteID, _ revisions: [RevisionID], _ counted: inout IndexState,
        _ records: RecordSealer,
        into tables: ProjectionTables
    ) throws -> RecordSealer.Opened? {
        guard let shown = revisions.last,
            let row = try database.cachedStatement("SELECT sealed FROM revision WHERE id = ?").row([shown.bytes.blob])
        else { return nil }
        let opened = try records.openOuter(row.bytes("sealed"), note: note, revision: shown)
        try tables.insert(database, &counted, ProjectedNote(opened), head: shown)
        for other in revisions.dropLast() {
            try database.cachedStatement("INSERT INTO \(tables.otherHead)(note, revision) VALUES(?, ?)")
                .execute(arguments: [note.bytes.blob, other.bytes.blob])
        }
        return opened
    }

    private func finish(_ database: Database, _ counted: IndexState) throws {
        var state = try IndexState.fetch(database)
        guard state.sequence == seen.own, vault.arrivedEntryCount == seen.others else {
            return try startAgain(database)
        }
        guard !hasGap else { throw VaultError(.integrity) }
        try ProjectionTables.rebuilt.replaceCurrent(database)
        state.counts = counted.counts
        state.fold = try IndexFile.foldDigest()
        try state.save(database)
        phase = .done
    }

    /// Begins again, because notes were written meanwhile. After a few times the rest is done without a break, in the
    /// transaction that is open.
    private func startAgain(_ database: Database) throws {
        restarts += 1
        phase = .entries
        walk.rewind()
        // Entries of other devices may stand before those that were read.
        if vault.arrivedEntryCount != seen.others { (walk, known) = (EntryWalk(), NoteHeads()) }
        guard restarts > Self.restartCountMax else { return }
        while try readSome(vault.access(database)) {}
        try sortHeads(database)
        try begin(database)
        try fill(database, limit: heads.count)
    }
}

extension Checks {
    /// Does the whole rebuild at once, for callers with nobody else to serve.
    ///
    /// - Returns: how many notes there are.
    /// - Throws: `VaultError.integrity` when a head cannot be opened.
    public func rebuildIndex() throws(VaultError) -> Int {
        let rebuild = IndexRebuild(vault)
        while try rebuild.step() {}
        return rebuild.count
    }
}
