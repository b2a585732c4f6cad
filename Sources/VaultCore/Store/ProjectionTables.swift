// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SearchText
internal import VaultFormat

/// `ProjectionTables` names the tables that are made from the notes' revisions: lists, tags, links and search words.
/// There is a second set while they are made anew.
///
/// Spec: docs/format.md §13.
struct ProjectionTables {
    let note: String
    let noteTag: String
    let noteLink: String
    let otherHead: String
    let folded: String
    let search: String
    let unindexed: String
    let book: String
    let bookNote: String
    let bookDay: String
    let bookChapter: String

    static let current = ProjectionTables(suffix: "")
    static let rebuilt = ProjectionTables(suffix: "Rebuilt")

    private init(suffix: String) {
        note = "note" + suffix
        noteTag = "noteTag" + suffix
        noteLink = "noteLink" + suffix
        otherHead = "otherHead" + suffix
        folded = "folded" + suffix
        search = "search" + suffix
        unindexed = "unindexed" + suffix
        book = "book" + suffix
        bookNote = "bookNote" + suffix
        bookDay = "bookDay" + suffix
        bookChapter = "bookChapter" + suffix
    }

    private var names: [String] {
        [note, noteTag, noteLink, otherHead, folded, search, unindexed, book, bookNote, bookDay, bookChapter]
    }

    /// Returns the statements that make the tables.
    ///
    /// - Parameter indexSuffix: SQLite cannot rename an index, so each set's have names of their own.
    func statements(indexSuffix: String) -> [String] {
        [
            // `row` grows with every change, so newest first is the order of rows, in `search` too.
            """
            CREATE TABLE \(note)(
              row INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, head BLOB NOT NULL, modified INTEGER NOT NULL,
              created INTEGER NOT NULL, place INTEGER NOT NULL, pinned INTEGER NOT NULL, features INTEGER NOT NULL,
              byteCount INTEGER NOT NULL, title TEXT NOT NULL, titleKey BLOB NOT NULL, snippet TEXT NOT NULL,
              notebook TEXT NOT NULL, tags TEXT NOT NULL, source TEXT)
            """,
            "CREATE INDEX noteByModified\(indexSuffix) ON \(note)(place, pinned, modified, row)",
            "CREATE INDEX noteByTitle\(indexSuffix) ON \(note)(titleKey)",
            "CREATE INDEX noteByNotebook\(indexSuffix) ON \(note)(notebook, place, pinned, modified, row) WHERE notebook <> ''",
            "CREATE TABLE \(noteTag)(tag BLOB NOT NULL, note BLOB NOT NULL, PRIMARY KEY(tag, note)) WITHOUT ROWID",
            "CREATE TABLE \(noteLink)(target BLOB NOT NULL, note BLOB NOT NULL, PRIMARY KEY(target, note)) WITHOUT ROWID",
            "CREATE TABLE \(otherHead)(note BLOB NOT NULL, revision BLOB NOT NULL, PRIMARY KEY(note, revision)) WITHOUT ROWID",
            foldedStatement,
            "CREATE VIRTUAL TABLE \(search) USING fts5(text, content='', detail=none, columnsize=0, tokenize='grams')",
            unindexedStatement,
        ] + sourceIndexStatements(suffix: indexSuffix) + bookStatements(indexSuffix: indexSuffix)
    }

    /// Returns the statements that make the index of sources. It is not unique, because two devices may each have
    /// imported a note from one place.
    func sourceIndexStatements(suffix: String) -> [String] {
        ["CREATE INDEX noteBySource\(suffix) ON \(note)(source) WHERE source IS NOT NULL"]
    }

    /// What `search` was given, so that a candidate costs neither a key nor a fold, and words are deleted by the text
    /// that they came from.
    var foldedStatement: String { "CREATE TABLE \(folded)(row INTEGER PRIMARY KEY, text TEXT NOT NULL)" }

    /// The notes whose words are not in `search` yet: many that came at once are in the lists first.
    var unindexedStatement: String { "CREATE TABLE \(unindexed)(row INTEGER PRIMARY KEY)" }

    func drop(_ database: Database) throws {
        for name in names { try database.execute(sql: "DROP TABLE IF EXISTS \(name)") }
    }

    /// Puts this set in the place of the current one.
    func replaceCurrent(_ database: Database) throws {
        try Self.current.drop(database)
        for (name, wanted) in zip(names, Self.current.names) {
            try database.execute(sql: "ALTER TABLE \(name) RENAME TO \(wanted)")
        }
    }
}

extension ProjectionTables {
    /// Adds what the lists show of a note, its tags, links and words, and counts it.
    ///
    /// - Parameter putsWordsOff: its words get into the search table later, by `WordIndexing`.
    func insert(
        _ database: Database, _ state: inout IndexState, _ shown: ProjectedNote, head: RevisionID,
        putsWordsOff: Bool = false
    ) throws {
        let record = shown.record
        let text = NoteText(record)
        let links = NoteLinks(record)
        let place = NotePlace(record.flags)
        let id = record.noteID.bytes.blob
        try database.cachedStatement(
            """
            INSERT INTO \(note)(
              row, id, head, modified, created, place, pinned, features, byteCount, title, titleKey, snippet, notebook, tags, source)
            VALUES((SELECT coalesce(max(row), 0) + 1 FROM \(note)), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
            id, head.bytes.blob, record.modified, record.created, place.rawValue, record.flags.contains(.pinned),
            shown.features(links).rawValue,
            record.body.utf8.count, text.title, text.titleKey.blob, text.snippet, record.notebook,
            record.tags.joined(separator: "\n"),
            record.source,
        ])
        let row = database.lastInsertedRowID
        for tag in Set(record.tags.map { TagKey.bytes($0) }) {
            try database.cachedStatement("INSERT INTO \(noteTag)(tag, note) VALUES(?, ?)").execute(arguments: [
                tag.blob, id,
            ])
        }
        for target in links.targets {
            try database.cachedStatement("INSERT INTO \(noteLink)(target, note) VALUES(?, ?)").execute(arguments: [
                target.blob, id,
            ])
        }
        state.counts[place] += 1
        try insertBook(database, record, row: row, place)
        guard !shown.isPrivate else { return }
        let words = String(decoding: text.indexed, as: UTF8.self)
        try database.cachedStatement("INSERT INTO \(folded)(row, text) VALUES(?, ?)").execute(arguments: [row, words])
        guard place.isSearched else { return }
        if putsWordsOff {
            try database.cachedStatement("INSERT INTO \(unindexed)(row) VALUES(?)").execute(arguments: [row])
        } else {
            try insertWords(database, row, words)
        }
    }

    /// Writes the words of a note. No word of a private note is ever written here; of one in the trash only the text
    /// is, which filters look in and searches do not.
    func insertWords(_ database: Database, _ row: Int64, _ text: String) throws {
        // Bound once more, not selected: a statement that selects begins a savepoint, at which FTS5 writes out all it
        // has gathered, so each note of a transaction would become a segment of its own.
        try database.cachedStatement("INSERT INTO \(search)(rowid, text) VALUES(?, ?)").execute(arguments: [row, text])
    }
}
