// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import VaultFormat

/// A `LeftObject` is a file of an attachment that is in a remote but no longer of use: its note was purged, it
/// was sealed again, or its epoch has ended. Spec: docs/format.md §25.7.
public struct LeftObject: Sendable, Equatable {
    /// The number of its row.
    public let id: Int64
    public let object: ObjectName
    /// The epoch under whose names it lies in the remote.
    public let epoch: UInt32
    /// The number of parts it has there.
    public let partCount: UInt32
}

extension Remotes {
    /// Returns objects that may be removed from a remote now, those that were left first before all others: of an epoch
    /// that has ended, and of this one what all devices have heard of. What an attachment names again stays, and what a
    /// record may name that waits for its note's password.
    ///
    /// - Parameters:
    ///   - haveAllCome: whether no device of the epoch before is waited for.
    ///   - limit: the largest number of objects to return.
    /// - Throws: `VaultError.integrity` for a row that no program writes.
    public func left(over name: String, haveAllCome: Bool, limit: Int) throws(VaultError) -> [LeftObject] {
        try vault.read { index in
            guard try index.database.tableExists(LeftObject.table) else { return [] }
            let hasSeveral = try index.database.tableExists(LeftObject.goneTable)
            let epoch = Int64(index.layer.epoch)
            let heard = try index.readMark(over: name)?.read.generation ?? 0
            return try Row.fetchAll(
                index.database, sql: LeftObject.removable(hasSeveral),
                arguments: [epoch, haveAllCome, epoch, Int64(clamping: heard), name, limit]
            ).map { row in
                guard let byteCount = UInt64(exactly: try row.integer("byteCount")),
                    let parts = PartList(fileByteCount: byteCount),
                    let epoch = UInt32(exactly: try row.integer("epoch"))
                else { throw VaultError(.integrity) }
                return LeftObject(
                    id: try row.integer("id"), object: try ObjectName(row.bytes("object")), epoch: epoch,
                    partCount: parts.count)
            }
        }
    }

    /// Records that objects are gone from a remote.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`.
    public func removed(_ objects: [LeftObject], from name: String) throws(VaultError) {
        try vault.write { transaction in
            let remotes = try transaction.remoteNames()
            for object in objects {
                guard try remotes.count < 2 || transaction.isGone(object, from: name, of: remotes) else { continue }
                try transaction.database.cachedStatement("DELETE FROM leftObject WHERE id = ?")
                    .execute(arguments: [object.id])
            }
        }
    }
}

extension LeftObject {
    static let table = "leftObject"

    /// With several remotes: from which of them an object is gone.
    fileprivate static let goneTable = "goneObject"

    fileprivate static func removable(_ hasSeveral: Bool) -> String {
        """
        SELECT id, object, byteCount, epoch FROM leftObject WHERE ((epoch < ? AND ?) OR (epoch = ? AND generation < ?
          AND NOT EXISTS (SELECT 1 FROM attachment WHERE attachment.object = leftObject.object)
          AND NOT EXISTS (SELECT 1 FROM waiting WHERE waiting.note = leftObject.note)))
          AND \(hasSeveral ? "NOT EXISTS (SELECT 1 FROM goneObject WHERE goneObject.id = leftObject.id AND remote = ?)" : "? <> ''")
          ORDER BY id LIMIT ?
        """
    }

    /// Writes down an object that is of no use any more in a remote. The table is there from the first of them on.
    /// Spec: docs/format.md §13.
    ///
    /// - Parameter epoch: under whose names it lies there.
    fileprivate static func leave(_ record: AttachmentRecord, epoch: UInt32, _ database: Database) throws {
        // Nothing lies anywhere that was told with another size.
        guard PartList(fileByteCount: record.fileByteCount) != nil else { return }
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS leftObject(id INTEGER PRIMARY KEY, object BLOB NOT NULL, byteCount INTEGER NOT NULL,
                note BLOB NOT NULL, epoch INTEGER NOT NULL, generation INTEGER NOT NULL, UNIQUE(object, epoch))
                """)
        try database.cachedStatement(
            "INSERT OR REPLACE INTO leftObject(object, byteCount, note, epoch, generation) VALUES(?, ?, ?, ?, ?)"
        ).execute(arguments: [
            record.object.bytes.blob, Int64(clamping: record.fileByteCount), record.noteID.bytes.blob, Int64(epoch),
            Int64(clamping: try IndexState.fetch(database).generation),
        ])
        // Numbers of rows are given out again.
        guard try database.tableExists(goneTable) else { return }
        try database.execute(sql: "DELETE FROM goneObject WHERE id = ?", arguments: [database.lastInsertedRowID])
    }

    /// Forgets those whose names nobody will know once this epoch has ended.
    static func forget(before epoch: UInt32, _ database: Database) throws {
        guard try database.tableExists(table) else { return }
        try database.execute(sql: "DELETE FROM leftObject WHERE epoch < ?", arguments: [Int64(epoch)])
    }
}

extension Transaction {
    /// Writes down that an object is gone from one of several remotes; returns whether it is gone from all of them.
    fileprivate func isGone(_ object: LeftObject, from name: String, of remotes: [String]) throws -> Bool {
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS goneObject(remote TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY(remote, id))
                WITHOUT ROWID
                """)
        try database.cachedStatement("INSERT OR IGNORE INTO goneObject(remote, id) VALUES(?, ?)")
            .execute(arguments: [name, object.id])
        let gone = try Row.fetchAll(
            database, sql: "SELECT remote FROM goneObject WHERE id = ?", arguments: [object.id]
        ).map { try $0.text("remote") }
        guard Set(remotes).isSubset(of: gone) else { return false }
        try database.execute(sql: "DELETE FROM goneObject WHERE id = ?", arguments: [object.id])
        return true
    }

    /// Writes down that the files of a note's attachments, as they are now, are to go from the remote. Of a record that
    /// does not open nobody knows in how many parts its file was sent.
    func leaveObjects(of note: NoteID) throws {
        guard try !remoteNames().isEmpty else { return }
        let rows = try Row.fetchAll(
            database, sql: "SELECT id, note, object, sealed, epoch FROM attachment WHERE note = ?",
            arguments: [note.bytes.blob])
        for row in rows {
            guard let record = try? ArchiveRows.attachment(row, sealer) else { continue }
            try LeftObject.leave(record, epoch: UInt32(clamping: try row.integer("epoch")), database)
        }
    }

    /// Writes down that one file is to go from the remote.
    func leaveObject(of record: AttachmentRecord, epoch: UInt32) throws {
        guard try !remoteNames().isEmpty else { return }
        try LeftObject.leave(record, epoch: epoch, database)
    }

    /// Takes back that an object is to go: something names it again, and who purges that says so anew.
    func needObject(_ object: ObjectName) throws {
        guard try database.tableExists(LeftObject.table) else { return }
        try database.cachedStatement("DELETE FROM leftObject WHERE object = ? AND epoch = ?")
            .execute(arguments: [object.bytes.blob, Int64(layer.epoch)])
    }

    /// Forgets all of it, unless there are other remotes: what lies in a remote that is forgotten stays there.
    func forgetLeftObjects() throws {
        guard try database.tableExists(LeftObject.table), try remoteNames().isEmpty else { return }
        try database.execute(sql: "DELETE FROM leftObject")
    }
}
