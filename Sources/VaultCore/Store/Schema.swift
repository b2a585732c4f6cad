// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB

/// The index's tables. All but `revision` and `entry` can be made again from those two. Spec: docs/format.md §13.
enum Schema {
    static let version = 1

    static func create(_ database: Database) throws {
        for statement in statements { try database.execute(sql: statement) }
    }

    /// Drops and makes again what `vault check --rebuild-index` fills.
    static func recreateProjection(_ database: Database) throws {
        for table in ["noteTag", "note", "search"] { try database.execute(sql: "DROP TABLE \(table)") }
        for statement in projection { try database.execute(sql: statement) }
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
    ] + projection

    private static let projection = [
        // `row` grows with every change, so newest first is the order of rows, in `search` too.
        """
        CREATE TABLE note(
          row INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, head BLOB NOT NULL, modified INTEGER NOT NULL,
          created INTEGER NOT NULL, trashed INTEGER NOT NULL, byteCount INTEGER NOT NULL, title TEXT NOT NULL,
          titleKey BLOB NOT NULL, snippet TEXT NOT NULL, notebook TEXT NOT NULL, tags TEXT NOT NULL, source TEXT)
        """,
        "CREATE INDEX noteByModified ON note(trashed, modified, row)",
        "CREATE INDEX noteByTitle ON note(titleKey)",
        "CREATE INDEX noteByNotebook ON note(notebook, modified) WHERE notebook <> ''",
        "CREATE UNIQUE INDEX noteBySource ON note(source) WHERE source IS NOT NULL",
        "CREATE TABLE noteTag(tag BLOB NOT NULL, note BLOB NOT NULL, PRIMARY KEY(tag, note)) WITHOUT ROWID",
        "CREATE VIRTUAL TABLE search USING fts5(text, content='', detail=none, columnsize=0, tokenize='grams')",
    ]
}
