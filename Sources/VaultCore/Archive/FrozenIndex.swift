// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedObjects
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// A `FrozenIndex` is the index as it was at one moment, with the objects that it names: it is read on another thread
/// while notes are written.
///
/// While somebody reads it, the log is not emptied into the index's file, and no object is removed (`IndexFreeze`).
public final class FrozenIndex: @unchecked Sendable {
    let database: SealedDatabase
    let layer: VaultLayer
    /// Of the vault, or of a backup.
    let directory: VaultDirectory
    public let header: Header
    let state: IndexState
    /// Size of the sealed index file, in bytes.
    public var byteCount: UInt64 { UInt64(database.storage.pageCount) * 4096 }

    /// Opens the index of one moment.
    ///
    /// - Parameters:
    ///   - file: a descriptor of the index's file; it is taken over.
    ///   - moment: what it held then with its log; nil for a file that nobody writes to, with an empty log.
    ///   - map: of its pages; nil where nothing vouches for them.
    init(
        reading file: Int32, at moment: PageSnapshot? = nil, map: PageMap? = nil, _ directory: VaultDirectory,
        _ header: Header, _ keys: VaultKeys
    ) throws(VaultError) {
        self.directory = directory
        self.header = header
        (database, layer, state) = try VaultError.translating {
            func binding(_ kind: Context.Kind) -> [UInt8] {
                Context(kind: kind, vaultID: header.vaultID, epoch: header.epoch).encoded
            }
            let storage = try SealedStorage(
                reading: file, at: moment, map: map, directory: directory.descriptor,
                name: IndexFile.name(epoch: header.epoch), pageKey: keys.indexPage,
                logKey: keys.indexLog, pageBinding: binding(.indexPage), logBinding: binding(.indexLog))
            let database = try SealedDatabase(storage, syncedByteCount: 0, cacheKiB: 4 * 1024) {
                $0.add(tokenizer: GramTokenizer.self)
            }
            let state = try database.queue.inDatabase { try IndexState.fetch($0) }
            // A cipher context of its own: this one is used on another thread.
            return (database, try VaultLayer(keys, vaultID: header.vaultID, epoch: header.epoch), state)
        }
    }

    /// Returns the size in bytes of all objects in the folder.
    public func objectByteCount() throws(VaultError) -> UInt64 { try ObjectFolder(directory).usage().byteCount }

    /// Makes the first item of an archive of it.
    func archived(made: Int64) -> ArchivedVault {
        ArchivedVault(
            vaultID: header.vaultID, epoch: header.epoch,
            counter: min(header.counter, ArchivedVault.counterMax - 1), generation: state.generation,
            made: made, device: state.device, hasOthers: (try? hasOthers()) ?? true)
    }

    /// Tells whether there are entries of other devices, or entries that only a vault with other devices has.
    private func hasOthers() throws -> Bool {
        try database.queue.inDatabase { connection in
            let first = try EntryWalk.device(connection, after: [])
            guard try first == nil || first == state.device && EntryWalk.device(connection, after: state.device) == nil
            else { return true }
            return try Row.fetchOne(
                connection, sql: "SELECT 1 FROM entry WHERE substr(bytes, 27, 1) IN (x'08', x'09') LIMIT 1") != nil
        }
    }

    /// Counts the items that an archive of it would have.
    func counts() throws -> ArchiveCounts {
        var counts = try Self.mapped { try database.queue.inDatabase { try Self.counts($0) } }
        counts.entries += UInt64(entriesThatWait().count)
        return counts
    }

    /// Returns the entries whose records wait for their notes to be unlocked. It returns none where the table does not
    /// open: a reader then finds a revision without a record further on, unless there was none.
    func entriesThatWait() -> [Entry] {
        guard state.schema >= Schema.firstWithDevices else { return [] }
        let sql =
            "SELECT body FROM waiting WHERE NOT EXISTS (SELECT 1 FROM revision WHERE id = waiting.revision) ORDER BY revision"
        let entries = try? database.queue.inDatabase { connection in
            try Row.fetchAll(connection, sql: sql).map { try EntryBody(parsing: $0.bytes("body")).entry }
        }
        return (entries ?? []).filter { $0.operation.makesRevision }
    }

    private static func counts(_ connection: Database) throws -> ArchiveCounts {
        func count(_ table: String) throws -> UInt64 {
            UInt64(clamping: try Int64.fetchOne(connection, sql: "SELECT count(*) FROM \(table)") ?? 0)
        }
        var counts = ArchiveCounts()
        (counts.entries, counts.noteKeyslots, counts.revisions) = (
            try count("entry"), try count("noteKey"), try count("revision")
        )
        (counts.attachments, counts.drafts, counts.changes) = (
            try count("attachment"), try count("draft"), try count("change")
        )
        return counts
    }

    /// Gives one row after the other to `body`, in the order of the statement.
    ///
    /// - Throws: `VaultError.integrity` for a page that does not open; what `body` throws.
    func forEach(_ sql: String, _ body: (Row) throws -> Void) throws {
        try Self.mapped {
            try database.queue.inDatabase { connection in
                let rows = try Row.fetchCursor(connection, sql: sql)
                while let row = try rows.next() { try body(row) }
            }
        }
    }

    /// Runs `body` and throws what is wrong with the index as an error of the vault's; what fails where it is written
    /// stays what it is.
    static func mapped<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as ObjectError { throw error } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CONSTRAINT
        {
            // What comes once came twice.
            throw VaultError(.integrity)
        } catch { throw VaultError.translated(error) }
    }
}

/// An `IndexFreeze` keeps what a `FrozenIndex` reads unchanged for as long as this value lives. It is used on the
/// vault's own thread.
public final class IndexFreeze {
    private let vault: OpenVault

    fileprivate init(_ vault: OpenVault) {
        self.vault = vault
        vault.freezeCount += 1
    }

    deinit { vault.freezeCount -= 1 }
}

extension OpenVault {
    /// Size of the log, which grows while it is not emptied.
    public var logByteCount: UInt64 { database.storage.logByteCount }

    /// Whether the index is frozen for a reader: while it is, the log is not emptied and no object is removed.
    public var isFrozen: Bool { freezeCount > 0 }

    /// Holds the index still for a reader.
    ///
    /// - Throws: `VaultError.rotationRuns` while some of it is under another key; `.exportRuns` while another one reads
    ///   an older moment; `.wordsLeft` while words of a note that became private are removed; `.integrity`.
    public func freeze() throws(VaultError) -> (index: FrozenIndex, freeze: IndexFreeze) {
        guard !isRotating, !isPreparingRotation else { throw VaultError(.rotationRuns) }
        guard !isFrozen else { throw VaultError(.exportRuns) }
        // They would lie in every copy that is made now, under the vault's key alone.
        guard try !privateNotes.hasWordsLeft() else { throw VaultError(.wordsLeft) }
        if !isReadOnly {
            do throws(VaultError) { try startNewLog(isOpen: true) } catch {
                // What cannot be written can be read anyway.
                guard [.readOnly, .saveFailed].contains(error.code) else { throw error }
            }
        }
        let freeze = IndexFreeze(self)
        guard database.storage.logByteCount > 0 else {
            let storage = database.storage
            let index = try FrozenIndex(
                reading: storage.duplicateDescriptor(), map: storage.map, directory, header, keys)
            return (index, freeze)
        }
        // On a disk that is full or read-only the log cannot be emptied: it is read into memory.
        return (try indexOfNow(), freeze)
    }

    /// Opens the index of this moment with its log, for a reader on any thread. Nothing is held still for it: what is
    /// overwritten is kept for the reader.
    ///
    /// - Throws: `VaultError.integrity`, `.saveFailed` without memory.
    func indexOfNow() throws(VaultError) -> FrozenIndex {
        let moment = try VaultError.translating {
            try database.storage.snapshot(memoryByteCount: Machine.memoryByteCount)
        }
        return try FrozenIndex(reading: database.storage.duplicateDescriptor(), at: moment, directory, header, keys)
    }
}
