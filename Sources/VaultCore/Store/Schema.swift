// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB

/// `Schema` has the index's tables. `state`, `revision`, `entry`, `change` and `draft` are here; `ProjectionTables` has
/// those that can be made again from revisions and entries. Spec: docs/format.md §13.
enum Schema {
    static let version = 10
    /// First version with second copies of rows that stand only once.
    static let firstWithSpares = 6
    /// First version with room for what other devices say.
    static let firstWithDevices = 7
    /// First version with room for what devices say besides revisions.
    static let firstWithStatements = 8
    /// First version in which notes may be in the lists before their words are in the search table.
    static let firstWithUnindexed = 9
    /// First version with lists of books.
    static let firstWithBooks = 10

    static func create(_ database: Database) throws {
        for statement in statements + secondStatements + thirdStatements + fourthStatements + seventhStatements
            + eighthStatements + ProjectionTables.current.statements(indexSuffix: "")
        {
            try database.execute(sql: statement)
        }
        try database.execute(sql: epochColumn(1))
        try database.execute(sql: bookCount)
        try SpareTable.create(database)
    }

    /// Brings an index of an earlier schema to this one's tables. Schema 1 lacks counters, `change`, `draft` and
    /// columns of the projections, which the caller makes anew; schema 2 lacks private notes and attachments, schema 3
    /// keyslots' names and rotation. Schema 4 lacks the folded texts, which the caller makes then; it calls the index
    /// one of this schema when they, the spare rows and what several devices need (`addDevices`, `addStatements`) are
    /// there.
    ///
    /// - Parameters:
    ///   - epoch: of the vault's key.
    ///   - isMadeAnew: the projections are, for which an empty fold is the mark.
    static func upgrade(_ database: Database, from schema: Int, epoch: UInt32, isMadeAnew: Bool) throws {
        if schema < 2 {
            for column in ["archived", "templates"] {
                try database.execute(sql: "ALTER TABLE state ADD COLUMN \(column) INTEGER NOT NULL DEFAULT 0")
            }
            try database.execute(sql: "ALTER TABLE revision ADD COLUMN made INTEGER NOT NULL DEFAULT 0")
            for statement in secondStatements { try database.execute(sql: statement) }
        }
        if isMadeAnew { try database.execute(sql: "UPDATE state SET fold = x''") }
        if schema < 3 {
            try database.execute(sql: "ALTER TABLE state ADD COLUMN wordsLeft INTEGER NOT NULL DEFAULT 0")
            for statement in thirdStatements { try database.execute(sql: statement) }
        }
        if schema < 4 {
            for statement in fourthStatements { try database.execute(sql: statement) }
            try database.execute(sql: epochColumn(epoch))
        }
        try database.execute(sql: "UPDATE state SET schema = 4")
        try database.execute(sql: "DROP TABLE IF EXISTS folded")
        try database.execute(sql: ProjectionTables.current.foldedStatement)
    }

    private static let statements = [
        // One row. `generation` rises with every transaction; `chain` is the hash of this device's last entry.
        """
        CREATE TABLE state(
          id INTEGER PRIMARY KEY CHECK(id = 1), schema INTEGER NOT NULL, generation INTEGER NOT NULL, device BLOB NOT NULL,
          sequence INTEGER NOT NULL, chain BLOB NOT NULL, live INTEGER NOT NULL, trashed INTEGER NOT NULL,
          fold BLOB NOT NULL, archived INTEGER NOT NULL DEFAULT 0, templates INTEGER NOT NULL DEFAULT 0,
          wordsLeft INTEGER NOT NULL DEFAULT 0)
        """,
        // `made` is when it was recorded here, in milliseconds since 1970, UTC; 0 when that is not known.
        "CREATE TABLE revision(id BLOB NOT NULL UNIQUE, note BLOB NOT NULL, sealed BLOB NOT NULL, made INTEGER NOT NULL DEFAULT 0)",
        "CREATE INDEX revisionByNote ON revision(note)",
        """
        CREATE TABLE entry(
          device BLOB NOT NULL, sequence INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY(device, sequence)) WITHOUT ROWID
        """,
    ]

    private static let secondStatements = [
        // What `undo` takes back: the entries of one transaction. Those with one `command` go together.
        """
        CREATE TABLE change(
          id INTEGER PRIMARY KEY, command INTEGER NOT NULL, kind TEXT NOT NULL, made INTEGER NOT NULL,
          first INTEGER NOT NULL, last INTEGER NOT NULL)
        """,
        // An edit that was begun and not finished. Its text lies in `drafts/`, under the key that `wrapped` holds.
        """
        CREATE TABLE draft(
          id BLOB PRIMARY KEY, wrapped BLOB NOT NULL, note BLOB, base BLOB, joins BLOB NOT NULL, created INTEGER NOT NULL, discarded INTEGER,
          title TEXT, notebook TEXT NOT NULL, tags TEXT NOT NULL, flags INTEGER NOT NULL, folder TEXT NOT NULL) WITHOUT ROWID
        """,
    ]

    private static let thirdStatements = [
        // The keyslot of each private note. A note without a row here is an ordinary one.
        "CREATE TABLE noteKey(note BLOB PRIMARY KEY, sealed BLOB NOT NULL) WITHOUT ROWID",
        "CREATE TABLE attachment(id BLOB NOT NULL UNIQUE, note BLOB NOT NULL, object BLOB NOT NULL UNIQUE, sealed BLOB NOT NULL)",
        "CREATE INDEX attachmentByNote ON attachment(note)",
        "CREATE TABLE thumbnail(attachment BLOB PRIMARY KEY, sealed BLOB NOT NULL)",
        // Files that no row names any more and that are still to be removed.
        "CREATE TABLE pendingUnlink(object BLOB PRIMARY KEY, made INTEGER NOT NULL) WITHOUT ROWID",
    ]

    private static let fourthStatements = [
        // What keyslots are called, when they were made, and how long a try was to take then, in milliseconds. The
        // header says which there are; a row without a slot means nothing.
        "CREATE TABLE keyslot(slot BLOB PRIMARY KEY, name TEXT NOT NULL, made INTEGER NOT NULL, target INTEGER NOT NULL) WITHOUT ROWID",
        // One row while a rotation runs: the key of the epoch before, under this epoch's key, and how far the work has
        // come.
        """
        CREATE TABLE rotation(
          id INTEGER PRIMARY KEY CHECK(id = 1), wrapped BLOB NOT NULL, counter INTEGER NOT NULL, stage INTEGER NOT NULL, place BLOB NOT NULL,
          done INTEGER NOT NULL, total INTEGER NOT NULL)
        """,
    ]

    private static let seventhStatements = [
        // Which note an entry is of stands in its bytes: no row is larger for it.
        "CREATE INDEX IF NOT EXISTS entryByNote ON entry(substr(bytes, 28, 10))",
        // Devices that this one has heard of: how far their chains were read, and the newest entry of each.
        """
        CREATE TABLE IF NOT EXISTS device(
          id BLOB PRIMARY KEY, name TEXT NOT NULL, number INTEGER NOT NULL, digest BLOB NOT NULL, sequence INTEGER NOT NULL,
          chain BLOB NOT NULL, state INTEGER NOT NULL) WITHOUT ROWID
        """,
        // Bodies of entries whose records cannot be put in their places yet: their notes are locked.
        "CREATE TABLE IF NOT EXISTS waiting(revision BLOB PRIMARY KEY, note BLOB NOT NULL, body BLOB NOT NULL) WITHOUT ROWID",
        "CREATE INDEX IF NOT EXISTS waitingByNote ON waiting(note)",
        // What was last told of a note's password: which key it opens, 0 as the key's epoch where it has none any more.
        """
        CREATE TABLE IF NOT EXISTS toldKey(
          note BLOB PRIMARY KEY, key BLOB NOT NULL, epoch INTEGER NOT NULL, statement BLOB NOT NULL, digest BLOB NOT NULL)
          WITHOUT ROWID
        """,
        // What was said to remotes, sealed once; the bytes lie in `outbox/`.
        """
        CREATE TABLE IF NOT EXISTS outbox(
          name BLOB NOT NULL UNIQUE, folder TEXT NOT NULL, digest BLOB NOT NULL, through INTEGER NOT NULL, sent INTEGER NOT NULL)
        """,
        """
        CREATE TABLE IF NOT EXISTS remote(
          name TEXT PRIMARY KEY, settings BLOB NOT NULL, credentials BLOB NOT NULL, state BLOB NOT NULL) WITHOUT ROWID
        """,
        // Notes that other devices have changed, in the order in which that was heard: `position` counts these rows and
        // own entries together.
        "CREATE TABLE IF NOT EXISTS arrival(position INTEGER PRIMARY KEY, number INTEGER NOT NULL, note BLOB NOT NULL)",
        // What is to be said over a remote, numbered without gaps: entries by their names.
        """
        CREATE TABLE IF NOT EXISTS telling(
          remote TEXT NOT NULL, position INTEGER NOT NULL, device BLOB NOT NULL, sequence INTEGER NOT NULL,
          PRIMARY KEY(remote, position)) WITHOUT ROWID
        """,
        // The last position of `telling` that was given out, and up to which entry of which device this one's own are
        // among them.
        """
        CREATE TABLE IF NOT EXISTS remoteProgress(
          remote TEXT PRIMARY KEY, made INTEGER NOT NULL, position INTEGER NOT NULL, device BLOB NOT NULL,
          own INTEGER NOT NULL, synced INTEGER NOT NULL, restored INTEGER NOT NULL) WITHOUT ROWID
        """,
    ]

    private static let eighthStatements = [
        // What entries of operation 9 say, by their names; but what a note's password opens is in `toldKey`. Statements
        // that were replaced stay: what replaces them may be replaced itself by a device that heard of them alone.
        """
        CREATE TABLE IF NOT EXISTS statement(
          name BLOB PRIMARY KEY, note BLOB NOT NULL, kind INTEGER NOT NULL, bytes BLOB NOT NULL) WITHOUT ROWID
        """,
        // When each device said of itself that it sealed the last of its segments that was read, for display alone.
        "CREATE TABLE IF NOT EXISTS heard(device BLOB PRIMARY KEY, made INTEGER NOT NULL) WITHOUT ROWID",
        // What syncing did, without a word of any note.
        """
        CREATE TABLE IF NOT EXISTS syncLog(
          id INTEGER PRIMARY KEY, made INTEGER NOT NULL, remote TEXT NOT NULL, kind INTEGER NOT NULL, detail INTEGER NOT NULL,
          device BLOB NOT NULL, count INTEGER NOT NULL)
        """,
    ]

    /// Adds what schema 7 lacks.
    static func addStatements(_ database: Database) throws {
        for statement in eighthStatements { try database.execute(sql: statement) }
    }

    /// Adds what schema 8 lacks. Where the projections were made anew it is there.
    static func addUnindexed(_ database: Database) throws {
        guard try !database.tableExists(ProjectionTables.current.unindexed) else { return }
        try database.execute(sql: ProjectionTables.current.unindexedStatement)
    }

    /// Adds what schema 9 lacks: no record of before is a book's.
    static func addBooks(_ database: Database) throws {
        if try !database.columns(in: "state").contains(where: { $0.name == "books" }) {
            try database.execute(sql: bookCount)
        }
        guard try !database.tableExists(ProjectionTables.current.book) else { return }
        for statement in ProjectionTables.current.bookStatements(indexSuffix: "") {
            try database.execute(sql: statement)
        }
    }

    private static let bookCount = "ALTER TABLE state ADD COLUMN books INTEGER NOT NULL DEFAULT 0"

    /// Adds what schema 6 lacks. Two notes may have come from one source, each to its own device.
    static func addDevices(_ database: Database) throws {
        for statement in seventhStatements { try database.execute(sql: statement) }
        let names = try String.fetchAll(
            database, sql: "SELECT name FROM sqlite_master WHERE type = 'index' AND name GLOB 'noteBySource*'")
        for name in names { try database.execute(sql: "DROP INDEX \"\(name)\"") }
        for statement in ProjectionTables.current.sourceIndexStatements(suffix: "") {
            try database.execute(sql: statement)
        }
    }

    /// Returns the statement that adds the column which says which key an attachment's file is under: what was there
    /// before there was this column is under the vault's only one.
    private static func epochColumn(_ epoch: UInt32) -> String {
        "ALTER TABLE attachment ADD COLUMN epoch INTEGER NOT NULL DEFAULT \(epoch)"
    }
}
