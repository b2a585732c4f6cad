// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB

/// The index's tables. `state`, `revision` and `entry` are here; `ProjectionTables` has those that can be made again from them. Spec: docs/format.md §13.
enum Schema {
    static let version = 1

    static func create(_ database: Database) throws {
        for statement in statements + ProjectionTables.current.statements(indexSuffix: "") { try database.execute(sql: statement) }
    }

    private static let statements = [
        // One row. `generation` rises with every transaction; `chain` is the hash of this device's last entry.
        """
        CREATE TABLE state(
          id INTEGER PRIMARY KEY CHECK(id = 1), schema INTEGER NOT NULL, generation INTEGER NOT NULL, device BLOB NOT NULL,
          sequence INTEGER NOT NULL, chain BLOB NOT NULL, live INTEGER NOT NULL, trashed INTEGER NOT NULL,
          fold BLOB NOT NULL)
        """,
        "CREATE TABLE revision(id BLOB NOT NULL UNIQUE, note BLOB NOT NULL, sealed BLOB NOT NULL)",
        "CREATE INDEX revisionByNote ON revision(note)",
        """
        CREATE TABLE entry(
          device BLOB NOT NULL, sequence INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY(device, sequence)) WITHOUT ROWID
        """,
    ]
}
