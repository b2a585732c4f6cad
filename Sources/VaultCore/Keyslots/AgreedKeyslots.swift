// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB

/// `AgreedKeyslots` is the table of the slots that the header had when it was last the same as what devices have said.
/// It tells what was taken away here from what has not arrived yet. Spec: docs/format.md §10 and §13.
enum AgreedKeyslots {
    /// Returns the slots of an epoch; nil where header and what was said were never the same.
    static func fetch(epoch: UInt32, _ database: Database) throws -> [[UInt8]]? {
        guard try database.tableExists("agreedKeyslots") else { return nil }
        let rows = try Row.fetchAll(
            database, sql: "SELECT slot FROM agreedKeyslots WHERE epoch = ?", arguments: [Int64(epoch)])
        return rows.isEmpty ? nil : try rows.map { try $0.bytes("slot") }
    }

    /// Puts these in the place of all others.
    static func save(_ slots: [[UInt8]], epoch: UInt32, _ database: Database) throws {
        try make(database)
        try database.execute(sql: "DELETE FROM agreedKeyslots")
        try add(slots, epoch: epoch, database)
    }

    /// Adds slots that the header has, or is about to have.
    static func add(_ slots: [[UInt8]], epoch: UInt32, _ database: Database) throws {
        try make(database)
        for slot in slots {
            try database.execute(
                sql: "INSERT OR REPLACE INTO agreedKeyslots VALUES(?, ?)", arguments: [slot.blob, Int64(epoch)])
        }
    }

    private static func make(_ database: Database) throws {
        // It is there from the first time on that a remote needs it: an index without it is as good.
        try database.execute(
            sql:
                "CREATE TABLE IF NOT EXISTS agreedKeyslots(slot BLOB PRIMARY KEY, epoch INTEGER NOT NULL) WITHOUT ROWID"
        )
    }
}
