// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import GRDBSQLite
public import SearchText
internal import VaultFormat

/// A `SearchHit` is one note that a search found.
public struct SearchHit: Sendable, Equatable {
    public var note: NoteSummary
    /// One line around the hits.
    public var snippet: String
    /// Byte ranges of the hits in `snippet`.
    public var hits: [Range<Int>]
    /// Byte ranges of the hits in the note's title.
    public var titleHits: [Range<Int>]
}

/// A `SearchPage` is one page of what a search found.
public struct SearchPage: Sendable, Equatable {
    public var hits: [SearchHit]
    /// There are more than this page shows. They are never counted.
    public var hasMore: Bool
    /// The search ended early because it had looked at as much as it may: narrow it.
    public var isCutShort: Bool

    public init(hits: [SearchHit], hasMore: Bool, isCutShort: Bool) {
        self.hits = hits
        self.hasMore = hasMore
        self.isCutShort = isCutShort
    }
}

/// Searches without filters, by words alone.
public struct Search {
    let vault: OpenVault

    /// Searches titles and texts for words and "phrases", all of which must occur, in any script, without regard to
    /// case and diacritics.
    ///
    /// The newest matches are ranked: title before text, beginnings of words before middles, then the newest.
    ///
    /// - Parameters:
    ///   - limit: notes on a page, 1 to 1,000.
    ///   - page: from 1.
    /// - Throws: `VaultError.badQuery`.
    public func find(_ text: String, limit: Int, page: Int, snippetColumns: Int) throws(VaultError) -> SearchPage {
        guard let query = try? SearchQuery(text), (1...10_000).contains(limit), (1...100_000).contains(page) else {
            throw VaultError(.badQuery)
        }
        return try vault.read { index in
            var scan = SearchScan(limit: limit, page: page)
            try index.run(&scan, query)
            let hits = try scan.shown.map { try index.hit($0, query, columns: snippetColumns) }
            return SearchPage(hits: hits, hasMore: scan.hasMore, isCutShort: scan.isCutShort)
        }
    }

    /// Returns a note that a filtered search found, with its words marked.
    public func hit(_ note: NoteSummary, _ query: NoteQuery?, columns: Int) throws(VaultError) -> SearchHit {
        guard let words = query?.highlighted else {
            return SearchHit(note: note, snippet: note.snippet, hits: [], titleHits: [])
        }
        return try vault.read { index in
            let record = try index.head(of: note.id).record
            let snippet = Snippet.excerpt(title: record.title, body: record.body, query: words, columns: columns)
            return SearchHit(
                note: note, snippet: snippet.text, hits: snippet.hits,
                titleHits: Snippet.hits(of: words, in: note.title))
        }
    }
}

extension IndexAccess {
    fileprivate func run(_ scan: inout SearchScan, _ query: SearchQuery) throws {
        // What the table does not know yet may hold the words too: its text says so.
        let others = try unindexedRows(limit: 1).isEmpty ? "" : "UNION ALL SELECT row FROM unindexed"
        let statement = try database.cachedStatement(
            "SELECT rowid FROM search WHERE search MATCH ? \(others) ORDER BY 1 DESC")
        let rows = try Int64.fetchCursor(statement, arguments: [try SearchTable.expression(query.needles, database)])
        let texts = try FoldedTexts(database)
        // Private notes that are unlocked are not in the table: they take their places among its rows.
        var unlocked = try unlockedNotes().filter(\.place.isSearched)[...]
        while let row = try rows.next() {
            while let note = unlocked.first, note.row > row {
                unlocked = unlocked.dropFirst()
                guard scan.mayContinue() else { return }
                Self.look(at: note, query, &scan)
            }
            guard scan.mayContinue() else { return }
            let match = try texts.withText(of: row) { title, body in
                scan.looked(at: body.count)
                return TextMatch.match(query, title: title, body: body)
            }
            guard let match else {
                try expectNoText(row)
                continue
            }
            if let score = match?.score { scan.add(row, score: score) }
        }
        for note in unlocked where scan.mayContinue() { Self.look(at: note, query, &scan) }
    }

    fileprivate static func look(at note: UnlockedNote, _ query: SearchQuery, _ scan: inout SearchScan) {
        let match = FoldedTexts.withParts(NoteText(note.record).indexed.span) {
            TextMatch.match(query, title: $0, body: $1)
        }
        if let match { scan.add(note.row, score: match.score) }
    }

    /// Returns the content behind a row of the search table, and no more columns than it takes.
    func candidate(_ row: Int64) throws -> (title: String, record: NoteRecord)? {
        let statement = try database.cachedStatement(
            """
            SELECT note.id AS id, note.head AS head, note.title AS title, revision.sealed AS sealed
            FROM note JOIN revision ON revision.id = note.head WHERE note.row = ?
            """)
        guard let found = try statement.row([row]) else { return nil }
        let note = try NoteID(found.bytes("id"))
        let opened = try records.openOuter(found.bytes("sealed"), note: note, revision: RevisionID(found.bytes("head")))
        guard case .sealedInside(let outer) = opened else { return (try found.text("title"), opened.face) }
        // A locked note has no words.
        guard let keys = records.keyring[note]?.keys else { return nil }
        let record = try records.open(outer, keys)
        return (NoteText.title(record), record)
    }

    fileprivate func hit(_ row: Int64, _ query: SearchQuery, columns: Int) throws -> SearchHit {
        guard let record = try candidate(row)?.record else { throw VaultError(.integrity) }
        let snippet = Snippet.excerpt(title: record.title, body: record.body, query: query, columns: columns)
        let note = try summary(of: record.noteID)
        return SearchHit(
            note: note, snippet: snippet.text, hits: snippet.hits, titleHits: Snippet.hits(of: query, in: note.title))
    }
}
