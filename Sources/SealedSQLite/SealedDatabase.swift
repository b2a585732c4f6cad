// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSQLiteShims
internal import Glibc
public import GRDB
internal import Synchronization

/// `SealedDatabase` is a SQLite database whose every page and log frame is sealed: one connection, log on, nothing in
/// plain on any disk.
///
/// Spec: docs/format.md §11 and §12.
public final class SealedDatabase {
    public let queue: DatabaseQueue
    public let storage: SealedStorage
    /// The part of the log that was lost, if its owner accepted the loss.
    public let logDamage: LogDamage?
    /// A change that was begun at the end of the log, and dropped.
    public let tornTail: TornTail?
    private let vfs: SealedVFS
    private let scan: LogScan
    private static let openedCount = Atomic<Int>(0)

    /// Whether SQLite clears memory as it frees it: not when the program used SQLite before us (docs/sealed-sqlite.md
    /// §12).
    public static let wipesMemory: Bool = cs_configure() == SQLITE_OK

    /// Opens the database, after recovery of its log.
    ///
    /// - Parameters:
    ///   - syncedByteCount: the manifest's size of the log that was durable.
    ///   - acceptingLogDamage: whether a damaged log ends at the last whole commit before the damage.
    ///   - spillsCache: whether a large transaction may write pages to the log before it commits. Only tests say yes:
    ///     such frames are rewritten at commit, and a power cut in the middle of that looks like damage
    ///     (docs/sealed-sqlite.md §3).
    ///   - waits: nothing is written to the files before `beginWriting`, also not when it is closed.
    ///   - prepare: functions, tokenizers and the like of the caller.
    /// - Throws: `SealedSQLiteError.damaged` for a log with a hole or pages that are not authentic, `.notSealed`,
    ///   `.inputOutput`.
    public convenience init(
        _ storage: SealedStorage, syncedByteCount: UInt64, acceptingLogDamage: Bool = false,
        cacheKiB: Int = 16 * 1024, spillsCache: Bool = false, waits: Bool = false,
        prepare: @escaping @Sendable (Database) throws -> Void
    ) throws {
        var setUp = SetUp(cacheKiB: cacheKiB, spillsCache: spillsCache)
        setUp.acceptsLogDamage = acceptingLogDamage
        setUp.waits = waits
        try self.init(storage, syncedByteCount, setUp, prepare)
    }

    /// Opens new files that are filled and thrown away if that does not end: straight into the database file, without a
    /// log and without waiting for the disk. The caller that fills them closes them and calls `sync` of the storage.
    public convenience init(
        copyInto storage: SealedStorage, cacheKiB: Int = 4 * 1024,
        prepare: @escaping @Sendable (Database) throws -> Void
    ) throws {
        try self.init(storage, 0, SetUp(cacheKiB: cacheKiB, spillsCache: true, usesLog: false), prepare)
    }

    private struct SetUp {
        var cacheKiB: Int
        var spillsCache: Bool
        var usesLog = true
        var acceptsLogDamage = false
        var waits = false
    }

    private init(
        _ storage: SealedStorage, _ syncedByteCount: UInt64, _ setUp: SetUp,
        _ prepare: @escaping @Sendable (Database) throws -> Void
    ) throws {
        _ = Self.wipesMemory
        self.storage = storage
        scan = try LogScan(storage.log, syncedByteCount: syncedByteCount, acceptingDamage: setUp.acceptsLogDamage)
        (logDamage, tornTail) = (scan.damage, scan.tornTail)
        storage.log.limit(toFrames: scan.frameCount, isEmpty: scan.isEmpty)
        let number = Self.openedCount.wrappingAdd(1, ordering: .relaxed).newValue
        vfs = try SealedVFS(storage, number: number)
        var configuration = Configuration()
        configuration.label = "sealed"
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            try Self.setUp(database, setUp)
            try prepare(database)
        }
        if setUp.waits { storage.leaveAlone() }
        do {
            queue = try DatabaseQueue(path: "file:\(storage.name)?vfs=\(vfs.name)", configuration: configuration)
        } catch let error as DatabaseError { throw Self.translated(error) }
        if !setUp.waits { try beginWriting() }
    }

    /// Closes the connection first: SQLite has pointers to the others, and nobody promises in which order the parts of
    /// an object end.
    deinit {
        withExtendedLifetime((vfs, storage)) { try? queue.close() }
    }

    /// Begins to write the files: what was recovered of the log goes into the database file first. A caller that judges
    /// what was opened, and may refuse it, calls this afterwards.
    ///
    /// - Throws: `SealedSQLiteError.damaged` when SQLite has taken other commits than were vouched for.
    public func beginWriting() throws {
        storage.endLeavingAlone()
        guard storage.isWritable else { return }
        do { try queue.inDatabase { try Self.expect(scan, $0) } } catch {
            storage.leaveAlone()
            throw (error as? DatabaseError).map(Self.translated) ?? error
        }
    }

    /// Empties the log into the database file and cuts it to nothing, durably: of a database without a map. With one
    /// its root is vouched for between the two.
    ///
    /// - Throws: `SealedSQLiteError`.
    public func checkpoint() throws {
        try emptyLog()
        guard !storage.mapHasChanges else { throw SealedSQLiteError(.inputOutput) }
        try cutLog()
    }

    /// Writes what the log holds into the database file, durably. The log stays whole: until it is cut, a crash leaves
    /// what was vouched for before, with every page that has been overwritten since in the log.
    ///
    /// SQLite tells when a checkpoint has written its pages (`SQLITE_FCNTL_CKPT_DONE`), but before they are synced, and
    /// does not ask whether it may go on; so this is a checkpoint of its own.
    ///
    /// - Throws: `SealedSQLiteError`.
    public func emptyLog() throws {
        let row: Row?
        do {
            row = try queue.inDatabase { try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(PASSIVE)") }
        } catch let error as DatabaseError { throw Self.translated(error) }
        guard let row, row["log"] == row["checkpointed"] as Int? else {
            throw SealedSQLiteError(.inputOutput, systemError: SystemReason.take())
        }
    }

    /// Cuts a log whose pages are all in the database file, durably.
    ///
    /// - Throws: `SealedSQLiteError`.
    public func cutLog() throws {
        do {
            try queue.inDatabase { _ = try $0.checkpoint(.truncate) }
        } catch let error as DatabaseError { throw Self.translated(error) }
        guard storage.log.file.byteCount == 0, storage.sync(true) else {
            throw SealedSQLiteError(.inputOutput, systemError: SystemReason.take())
        }
    }

    /// Ends the filling of a database without a log: from now on it has one, an empty one, and all of it is on disk.
    ///
    /// - Throws: `SealedSQLiteError`.
    public func endCopy() throws {
        do {
            let mode = try queue.inDatabase { try Self.useLog($0) }
            guard mode == "wal" else { throw SealedSQLiteError(.notSealed) }
            try queue.close()
        } catch let error as DatabaseError { throw Self.translated(error) }
        guard storage.log.file.byteCount == 0 else { throw SealedSQLiteError(.damaged) }
        try storage.syncPages()
    }

    public func close() throws { try queue.close() }

    /// Translates a SQLite error: not authentic, or refused by the system.
    public static func translated(_ error: DatabaseError) -> SealedSQLiteError {
        let reason = SystemReason.take()
        if isDamage(error) {
            return SealedSQLiteError(
                .damaged, isOfOldPage: error.extendedResultCode.rawValue == oldPageCode)
        }
        if error.resultCode == .SQLITE_NOMEM { return SealedSQLiteError(.inputOutput, systemError: ENOMEM) }
        let isOfReading = error.extendedResultCode.rawValue == ioError(CS_IOERR_READ)
        return SealedSQLiteError(
            isRefusedWrite(error) ? .noRoom : .inputOutput, systemError: reason, isOfReading: isOfReading)
    }

    /// Returns whether a page is not authentic, or its content is not part of a database.
    public static func isDamage(_ error: DatabaseError) -> Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
            || [ioError(CS_IOERR_DATA), oldPageCode].contains(error.extendedResultCode.rawValue)
    }

    private static func setUp(_ database: Database, _ setUp: SetUp) throws {
        try assertSealed(database)
        // Before the first read: exclusive locking keeps the log's index on the heap, so there is no -shm file
        // (docs/sealed-sqlite.md §2).
        try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
        try database.execute(sql: "PRAGMA temp_store = MEMORY")
        try database.execute(sql: "PRAGMA cache_size = -\(setUp.cacheKiB)")
        if !setUp.spillsCache { try database.execute(sql: "PRAGMA cache_spill = OFF") }
        try database.execute(sql: "PRAGMA secure_delete = ON")
        try database.execute(sql: "PRAGMA trusted_schema = OFF")
        try database.execute(sql: "PRAGMA cell_size_check = ON")
        guard unsafe cs_harden(database.sqliteConnection) == SQLITE_OK else { throw SealedSQLiteError(.notSealed) }
        if try Int.fetchOne(database, sql: "PRAGMA page_count") == 0 {
            // A rollback journal would leak a checksum of plaintext: the first page is written with none on disk
            // (docs/sealed-sqlite.md §8).
            try database.execute(sql: "PRAGMA journal_mode = MEMORY")
        }
        guard setUp.usesLog else {
            // Nobody reads the copy before it is whole and synced.
            return try database.execute(sql: "PRAGMA synchronous = OFF")
        }
        guard try useLog(database) == "wal" else { throw SealedSQLiteError(.notSealed) }
        try database.execute(sql: "PRAGMA synchronous = FULL")
        try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
    }

    /// Reads to the end, not to the first row: page 1 is written behind it, and a write that fails there would be heard
    /// of by nobody.
    private static func useLog(_ database: Database) throws -> String? {
        try String.fetchAll(database, sql: "PRAGMA journal_mode = WAL").first
    }

    /// Checks that SQLite uses our VFS. GRDB passes none by name: if ours were not taken, SQLite would silently make a
    /// plain file (docs/sealed-sqlite.md §10).
    private static func assertSealed(_ database: Database) throws {
        var name: UnsafeMutablePointer<CChar>?
        let asked = unsafe sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_VFSNAME, &name)
        defer { unsafe sqlite3_free(name) }
        guard asked == SQLITE_OK, let name = unsafe name, unsafe String(cString: name) == "sealed" else {
            throw SealedSQLiteError(.notSealed)
        }
    }

    /// Checks that SQLite has taken exactly the commits that the scan vouches for.
    private static func expect(_ scan: LogScan, _ database: Database) throws {
        let row: Row?
        do {
            row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(PASSIVE)")
        } catch let error as DatabaseError where Self.isRefusedWrite(error) {
            return  // a full disk: the log stays as it is, and reading works
        }
        let frames: Int = row?["log"] ?? -1
        guard frames == scan.frameCount || (scan.frameCount == 0 && frames <= 0) else {
            throw SealedSQLiteError(.damaged)
        }
    }

    private static func isRefusedWrite(_ error: DatabaseError) -> Bool {
        // Another write error counts here too: what cannot be written can perhaps still be read.
        [.SQLITE_FULL, .SQLITE_READONLY].contains(error.resultCode)
            || error.extendedResultCode.rawValue == ioError(CS_IOERR_WRITE)
    }
}
