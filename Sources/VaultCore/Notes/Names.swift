// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SearchText
public import VaultFormat

/// A `NameCount` is a tag or notebook with how many notes have it.
public struct NameCount: Sendable, Equatable {
    public var name: String
    public var count: Int
}

/// `Names` gives the notebooks, tags, titles and links of an open vault.
public struct Names {
    let vault: OpenVault

    /// Returns the notebooks with notes in them, in the order of their names.
    public func notebooks() throws(VaultError) -> [NameCount] {
        try vault.read { index in
            let rows = try Row.fetchAll(
                index.database,
                sql:
                    "SELECT notebook, count(*) AS notes FROM note WHERE notebook <> '' AND place IN (0, 2) GROUP BY notebook ORDER BY notebook"
            )
            var counts = try rows.map { NameCount(name: try $0.text("notebook"), count: try $0.count("notes")) }
            for note in try index.unlockedNotes() where note.place.isSearched && !note.record.notebook.isEmpty {
                if let index = counts.firstIndex(where: { $0.name == note.record.notebook }) {
                    counts[index].count += 1
                } else {
                    counts.append(NameCount(name: note.record.notebook, count: 1))
                }
            }
            return counts.sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
        }
    }

    /// Returns the notes with a tag, or one below it ("work" has "work/2026").
    public func notes(tagged tag: String) throws(VaultError) -> [NoteID] {
        let key = TagKey.bytes(tag)
        return try ids(
            "SELECT DISTINCT note AS id FROM noteTag WHERE tag = ? OR (tag > ? AND tag < ?)",
            [key.blob, (key + [0x2F]).blob, (key + [0x30]).blob]
        ) { $0.isTagged(key) }
    }

    /// Returns notes in a notebook, or one below it, in any place.
    public func notes(inNotebook path: String) throws(VaultError) -> [NoteID] {
        try ids(
            "SELECT id FROM note WHERE notebook <> '' AND (notebook = ? OR (notebook > ? AND notebook < ?))",
            [path, path + "/", path + "0"]
        ) {
            $0.isIn(notebook: path)
        }
    }

    private func ids(
        _ sql: String, _ arguments: StatementArguments, _ fits: (UnlockedNote) -> Bool
    ) throws(VaultError) -> [NoteID] {
        try vault.read { index in
            try Row.fetchAll(index.database, sql: sql, arguments: arguments).map { try NoteID(try $0.bytes("id")) }
                + (try index.unlockedNotes().filter(fits).map(\.id))
        }
    }

    /// Returns a template by its title.
    ///
    /// - Throws: `VaultError.noSuchName`.
    public func template(_ name: String) throws(VaultError) -> Note {
        let wanted = TextFold.fold(name)
        let found = try vault.read { index in
            let statement = try index.database.cachedStatement(
                "SELECT id, title FROM note WHERE place = 3 AND titleKey = ? ORDER BY row DESC")
            return try Row.fetchAll(statement, arguments: [NoteText.key(wanted).blob])
                .first { TextFold.fold(try $0.text("title")) == wanted }.map { try NoteID(try $0.bytes("id")) }
        }
        guard let found else { throw VaultError(.noSuchName, reference: .template(name)) }
        return try vault.notes.note(found)
    }

    /// Returns the newest note with exactly this title in a notebook; nil when there is none.
    public func note(titled title: String, inNotebook path: String) throws(VaultError) -> NoteID? {
        let wanted = TextFold.fold(title)
        return try vault.read { index in
            let statement = try index.database.cachedStatement(
                "SELECT id, title FROM note WHERE place IN (0, 2) AND titleKey = ? AND notebook = ? ORDER BY row DESC")
            let known = try Row.fetchAll(statement, arguments: [NoteText.key(wanted).blob, path])
                .first { TextFold.fold(try $0.text("title")) == wanted }.map { try NoteID(try $0.bytes("id")) }
            return try known
                ?? index.unlockedNotes()
                .first { $0.place.isSearched && $0.record.notebook == path && TextFold.fold($0.title) == wanted }?.id
        }
    }

    /// Returns notes whose text names this one, `[[title]]` or `[[identifier]]`, newest first.
    ///
    /// - Parameter byTitle: only those that name it by its title, which lose it with that.
    public func backlinks(_ id: NoteID, byTitle: Bool = false) throws(VaultError) -> [NoteSummary] {
        try vault.read { index in
            let row = try index.database.cachedStatement("SELECT titleKey FROM note WHERE id = ?").row([id.bytes.blob])
            guard let shownKey = try row?.bytes("titleKey") else { throw VaultError(.notFound) }
            let unlocked = try index.unlockedNotes()
            let title = unlocked.first { $0.id == id }.map { NoteText($0.record).titleKey } ?? shownKey
            // By any beginning of the identifier that is long enough to name it.
            let text = id.text
            let identifiers = byTitle ? [] : (4...text.utf8.count).map { TextFold.fold(String(text.prefix($0))) }
            let names = identifiers + [title]
            var found: Set<[UInt8]> = []
            let statement = try index.database.cachedStatement("SELECT note FROM noteLink WHERE target = ?")
            for name in names {
                for row in try Row.fetchAll(statement, arguments: [name.blob]) { found.insert(try row.bytes("note")) }
            }
            for note in unlocked where !Set(NoteLinks(note.record).targets).isDisjoint(with: names) {
                found.insert(note.id.bytes)
            }
            let notes = try found.map { try index.summary(of: try NoteID($0)) }.filter {
                $0.place == .live || $0.place == .archive
            }
            return notes.sorted { $0.modified > $1.modified }
        }
    }
}

/// Counts the notes of each tag, some rows at a time.
public final class TagCount {
    private let vault: OpenVault
    private var counts: [[UInt8]: (name: String, count: Int)] = [:]
    private var last: (tag: [UInt8], note: [UInt8]) = ([], [])
    private static let stepRows = 500

    public init(_ vault: OpenVault) { self.vault = vault }

    /// In the order of names.
    public var tags: [NameCount] {
        counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
            NameCount(name: $0.value.name, count: $0.value.count)
        }
    }

    /// Counts a little more; false when all is done.
    public func step() throws(VaultError) -> Bool {
        try vault.read { index in
            let statement = try index.database.cachedStatement(
                """
                SELECT noteTag.tag AS tag, noteTag.note AS note, note.tags AS tags, note.place AS place
                FROM noteTag JOIN note ON note.id = noteTag.note WHERE (noteTag.tag, noteTag.note) > (?, ?) ORDER BY noteTag.tag, noteTag.note LIMIT ?
                """)
            let rows = try Row.fetchAll(statement, arguments: [self.last.tag.blob, self.last.note.blob, Self.stepRows])
            for row in rows {
                self.last = (try row.bytes("tag"), try row.bytes("note"))
                guard NotePlace(rawValue: try row.integer("place"))?.isSearched == true else { continue }
                try self.count(row)
            }
            if rows.count < Self.stepRows { try self.addUnlocked(index) }
            return rows.count == Self.stepRows
        }
    }

    private func addUnlocked(_ index: ReadAccess) throws {
        for note in try index.unlockedNotes() where note.place.isSearched {
            for tag in note.record.tags { counts[TagKey.bytes(tag), default: (tag, 0)].count += 1 }
        }
    }

    private func count(_ row: Row) throws {
        let key = last.tag
        if counts[key] == nil {
            // As its first note spells it: the key has neither case nor accents.
            let spelled = try row.text("tags").split(separator: "\n").map(String.init).first { TagKey.bytes($0) == key }
            counts[key] = (spelled ?? String(decoding: key, as: UTF8.self), 0)
        }
        counts[key]?.count += 1
    }
}
