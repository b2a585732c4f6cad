// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSQLiteShims
public import GRDB

/// `IndexCopy` copies a database into new files under other keys, a few pages at a time, while the source is being
/// written to.
///
/// SQLite's backup on the source's own connection: what that connection writes meanwhile is mirrored, so the copy never
/// starts again (sqlite.org/c3ref/backup_finish.html). Spec: docs/format.md §20.
@safe public final class IndexCopy {
    private let source: SealedDatabase
    private let target: SealedDatabase
    private var backup: OpaquePointer?
    /// Pages that are copied.
    public private(set) var done = 0

    /// Begins a copy of a database; no page is copied yet.
    ///
    /// - Parameter storage: new and empty.
    public init(
        _ source: SealedDatabase, to storage: SealedStorage, prepare: @escaping @Sendable (Database) throws -> Void
    ) throws {
        self.source = source
        target = try SealedDatabase(copyInto: storage, prepare: prepare)
        let begun = source.queue.inDatabase { from in
            target.queue.inDatabase { to in
                unsafe Handle(sqlite3_backup_init(to.sqliteConnection, "main", from.sqliteConnection, "main"))
            }
        }
        unsafe backup = begun.pointer
        guard unsafe backup != nil else { throw SealedSQLiteError(.inputOutput) }
    }

    /// Ends a copy that nobody wants. On the thread of the source.
    public func abandon() {
        finish()
        try? target.close()
    }

    deinit { finish() }

    /// Copies some more pages, but leaves some: from the moment when the last one is copied, writes are no longer
    /// mirrored.
    ///
    /// - Parameters:
    ///   - pageCount: most that are copied.
    ///   - kept: fewest that are left for later.
    /// - Returns: whether there are more than those.
    /// - Throws: `SealedSQLiteError`; then the copy is unusable.
    public func step(pageCount: Int, leaving kept: Int) throws -> Bool {
        // The source may have grown since.
        let total = try source.queue.inDatabase { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        let wanted = min(pageCount, total - done - kept)
        guard wanted > 0 else { return false }
        let left = try step(Int32(clamping: wanted))
        done = self.pageCount - left
        return left > kept
    }

    /// Copies all that is left. The copy is of this moment.
    public func finishPages() throws { while try step(1000) > 0 {} }

    private func step(_ pageCount: Int32) throws -> Int {
        let result = source.queue.inDatabase { _ in
            target.queue.inDatabase { _ in unsafe sqlite3_backup_step(backup, pageCount) }
        }
        switch result {
        case SQLITE_DONE: return 0
        case SQLITE_OK: return max(1, Int(unsafe sqlite3_backup_remaining(backup)))
        default: throw SealedDatabase.translated(DatabaseError(resultCode: ResultCode(rawValue: result)))
        }
    }

    /// Pages of the source, as the last step found them.
    public var pageCount: Int { Int(unsafe sqlite3_backup_pagecount(backup)) }

    /// Returns a descriptor of the copy's file, to wait on another thread until what is written is on disk. Its owner
    /// closes it.
    public func duplicateDescriptor() -> Int32 { target.storage.duplicateDescriptor() }

    /// Ends the copy and closes its files.
    public func close() throws {
        guard finish() == SQLITE_OK else { throw SealedSQLiteError(.inputOutput) }
        try target.close()
        guard target.storage.sync(false) else { throw SealedSQLiteError(.inputOutput) }
    }

    @discardableResult
    private func finish() -> Int32 {
        guard let begun = unsafe backup else { return SQLITE_OK }
        unsafe backup = nil
        return unsafe sqlite3_backup_finish(begun)
    }

    @safe private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer?
        init(_ pointer: OpaquePointer?) { unsafe self.pointer = pointer }
    }
}
