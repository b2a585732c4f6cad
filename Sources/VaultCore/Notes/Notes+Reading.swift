// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import GRDB
internal import SearchText
internal import VaultCrypto
public import VaultFormat

/// A `NoteFilter` says what a list is to hold; tags, notebooks and more are `FilteredSearch`'s.
public struct NoteFilter: Sendable, Equatable {
    public var place = NotePlace.live
    public init() {}
}

extension Notes {
    /// Returns the counts kept up to date with each change; nothing is counted here.
    public func counts() throws(VaultError) -> (notes: NoteCounts, generation: UInt64) {
        let state = try vault.read { try IndexState.fetch($0.database) }
        return (state.counts, state.generation)
    }

    /// Returns a note with its text.
    ///
    /// - Throws: `VaultError.notFound`, `.integrity`.
    public func note(_ id: NoteID) throws(VaultError) -> Note {
        try vault.history.naming(id) { () throws(VaultError) in try read(id) }
    }

    private func read(_ id: NoteID) throws(VaultError) -> Note {
        try vault.read { index in
            let (revision, record) = try index.head(of: id)
            return Note(
                id: id, revision: revision, title: NoteText.title(record), titleIsSet: record.title != nil,
                body: record.body, tags: record.tags,
                notebook: record.notebook, created: record.created, modified: record.modified,
                place: NotePlace(record.flags),
                flags: record.flags, isForked: try index.isForked(id),
                protection: try index.isPrivate(id) ? .unlocked : .none, upload: try index.uploadState(of: id),
                attachments: record.attachments, bookPlace: record.bookPlace)
        }
    }

    /// Returns a note as lists have it.
    ///
    /// - Throws: `VaultError.notFound`, `.integrity`.
    public func listed(_ id: NoteID) throws(VaultError) -> NoteSummary { try vault.read { try $0.summary(of: id) } }

    /// Returns a note as lists show it; nil when it was permanently deleted.
    public func listedIfPresent(_ id: NoteID) throws(VaultError) -> NoteSummary? {
        try vault.read { index in try index.isPresent(id) ? try index.summary(of: id) : nil }
    }

    /// Returns the shortest prefix of an identifier, at least 4 characters, that no other note has.
    public func shortID(_ id: NoteID) throws(VaultError) -> String { try vault.read { try $0.shortID(id) } }

    /// Returns one page of a list, newest first.
    ///
    /// - Parameter limit: rows at most.
    public func list(_ filter: NoteFilter, offset: Int, limit: Int) throws(VaultError) -> [NoteSummary] {
        try vault.read { index in
            let statement = try index.database.cachedStatement(
                "SELECT * FROM note WHERE place = ? ORDER BY pinned DESC, modified DESC, row DESC LIMIT ? OFFSET ?")
            let rows = try Row.fetchAll(statement, arguments: [filter.place.rawValue, limit, offset])
            return try rows.map { try index.summary($0) }
        }
    }

    /// Returns how many notes a list has in all.
    public func count(_ filter: NoteFilter) throws(VaultError) -> Int { try counts().notes[filter.place] }

    /// Finds a note by a prefix of its identifier or by its title; a whole identifier wins over a title, and a title
    /// over a prefix that is shorter than any that is shown. What is neither may be the beginning of a title, or else a
    /// part of one: case, accents and width make no difference.
    ///
    /// - Parameters:
    ///   - takesParts: false for identifiers and whole titles alone.
    ///   - isInTrash: of notes with one title those in the trash are meant, and else those that are not.
    /// - Throws: `VaultError.notFound`, `.ambiguous` with up to ten candidates.
    public func resolve(_ reference: String, takesParts: Bool = true, isInTrash: Bool = false) throws(VaultError)
        -> NoteID
    {
        try vault.read { index in
            var found = try index.notes(withPrefix: reference, limit: 11)
            if found.count == 1 && reference.utf8.count == NoteID.textCharacterCount { return found[0].id }
            let named = try index.notes(titled: reference)
            let meant = named.filter { ($0.place == .trash) == isInTrash }
            let titled = meant.isEmpty ? named : meant
            // Nobody was shown so short a beginning, and in a large vault any short title is one.
            if !titled.isEmpty, reference.utf8.count < NoteID.shownCharacterCountMin { found = [] }
            for note in titled where !found.contains(where: { $0.id == note.id }) { found.append(note) }
            // A row of a list that is gone must not name another note.
            if found.isEmpty, takesParts, !Self.isRow(reference) {
                found = try index.notes(titleBeginningWith: reference)
                if found.isEmpty { found = try index.notes(titleContaining: reference) }
            }
            guard let first = found.first else {
                let near = takesParts ? try index.nearest(to: reference) : []
                throw VaultError(.notFound, candidates: near, reference: .note(reference))
            }
            guard found.count == 1 else {
                throw VaultError(.ambiguous, candidates: Array(found.prefix(10)), reference: .note(reference))
            }
            return first.id
        }
    }
}

extension Notes {
    /// Whether a word is what a person types for a row of a list.
    fileprivate static func isRow(_ word: String) -> Bool {
        (1...3).contains(word.utf8.count) && word.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

extension IndexAccess {
    fileprivate func notes(withPrefix prefix: String, limit: Int) throws -> [NoteSummary] {
        guard prefix.utf8.count >= 2, let (low, high) = Base32.bounds(prefix: prefix, byteCount: NoteID.byteCount)
        else { return [] }
        let statement = try database.cachedStatement("SELECT * FROM note WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?")
        return try Row.fetchAll(statement, arguments: [low.blob, high.blob, limit]).map { try summary($0) }
    }

    fileprivate func notes(titled title: String) throws -> [NoteSummary] {
        let wanted = TextFold.fold(title)
        let statement = try database.cachedStatement(
            "SELECT * FROM note WHERE titleKey = ? ORDER BY place = 1, row DESC LIMIT 200")
        let rows = try Row.fetchAll(statement, arguments: [Array(wanted.prefix(64)).blob])
        let unlocked = try unlockedNotes().filter { TextFold.fold($0.title) == wanted }.map { try summary(of: $0.id) }
        let ordinary = try rows.map { try summary($0) }.filter { note in !unlocked.contains { $0.id == note.id } }
        return unlocked + ordinary.filter { TextFold.fold($0.title) == wanted }
    }

    /// Titles that a reference may fit before it is no use to list them.
    private static var fittingCountMax: Int { 11 }

    fileprivate func notes(titleBeginningWith reference: String) throws -> [NoteSummary] {
        let wanted = TextFold.fold(reference)
        guard !wanted.isEmpty else { return [] }
        let key = Array(wanted.prefix(NoteText.keyByteCountMax))
        let statement = try database.cachedStatement(
            """
            SELECT * FROM note WHERE titleKey >= ? AND titleKey <= ? AND place IN (0, 2) ORDER BY titleKey LIMIT 1000
            """)
        let end = key + [UInt8](repeating: 0xFF, count: NoteText.keyByteCountMax)
        return try fitting(try Row.fetchCursor(statement, arguments: [key.blob, end.blob])) { $0.starts(with: wanted) }
    }

    /// Looks at all titles: of two that fit none may be overlooked. What they are cut to in the table is searched by
    /// SQLite; one that was cut is looked at whole.
    fileprivate func notes(titleContaining reference: String) throws -> [NoteSummary] {
        let wanted = TextFold.fold(reference)
        guard wanted.count >= 3, wanted.count <= NoteText.keyByteCountMax else { return [] }
        let statement = try database.cachedStatement(
            """
            SELECT * FROM note WHERE row IN
              (SELECT row FROM note WHERE instr(titleKey, ?) > 0 OR length(titleKey) >= \(NoteText.keyByteCountMax))
            AND place IN (0, 2) ORDER BY row DESC
            """)
        return try fitting(try Row.fetchCursor(statement, arguments: [wanted.blob])) { $0.contains(wanted) }
    }

    private func fitting(_ rows: RowCursor, _ fits: ([UInt8]) -> Bool) throws -> [NoteSummary] {
        var found = try unlockedNotes().filter { $0.place.isSearched && fits(TextFold.fold($0.title)) }
            .map { try summary(of: $0.id) }
        while found.count < Self.fittingCountMax, let row = try rows.next() {
            guard fits(TextFold.fold(try row.text("title"))) else { continue }
            let note = try summary(row)
            if !found.contains(where: { $0.id == note.id }) { found.append(note) }
        }
        return found
    }

    /// Returns a note's head and its content.
    func head(of id: NoteID) throws -> (revision: RevisionID, record: NoteRecord) {
        let statement = try database.cachedStatement(
            "SELECT note.head AS head, revision.sealed AS sealed FROM note LEFT JOIN revision ON revision.id = note.head WHERE note.id = ?"
        )
        guard let row = try statement.row([id.bytes.blob]) else { throw VaultError(.notFound) }
        let revision = try RevisionID(try row.bytes("head"))
        records.keyring.markUsed(id)
        return (
            revision, try records.open(try row.bytes("sealed"), note: id, revision: revision, isPrivate: isPrivate(id))
        )
    }

    func isPresent(_ note: NoteID) throws -> Bool {
        try database.cachedStatement("SELECT 1 FROM note WHERE id = ?").row([note.bytes.blob]) != nil
    }

    func headID(of id: NoteID) throws -> RevisionID {
        guard let row = try database.cachedStatement("SELECT head FROM note WHERE id = ?").row([id.bytes.blob]) else {
            throw VaultError(.notFound)
        }
        return try RevisionID(try row.bytes("head"))
    }

    func summary(of id: NoteID) throws -> NoteSummary {
        guard let row = try database.cachedStatement("SELECT * FROM note WHERE id = ?").row([id.bytes.blob]) else {
            throw VaultError(.notFound)
        }
        return try summary(row)
    }

    func summary(_ row: Row) throws -> NoteSummary {
        let id = try NoteID(try row.bytes("id"))
        let tags = try row.text("tags")
        guard let place = NotePlace(rawValue: try row.integer("place")) else { throw VaultError(.integrity) }
        let features = NoteFeatures(rawValue: try row.integer("features"))
        var summary = NoteSummary(
            id: id, shortID: try shortID(id), revision: try RevisionID(try row.bytes("head")),
            title: try row.text("title"),
            snippet: try row.text("snippet"), tags: tags.isEmpty ? [] : tags.split(separator: "\n").map { String($0) },
            notebook: try row.text("notebook"), created: try row.integer("created"),
            modified: try row.integer("modified"),
            place: place, flags: try NoteRecord.Flags(listed: row), isForked: try isForked(id),
            byteCount: try row.count("byteCount"))
        summary.hasAttachments = features.contains(.attachment)
        summary.titleIsSet = features.contains(.title)
        summary.isDamaged = records.damagedNotes.contains(id)
        summary.upload = try uploadState(of: id)
        if features.contains(.isPrivate) {
            if !summary.isDamaged { try describePrivate(&summary) }
        } else if summary.hasAttachments {
            summary.hasSketches = try hasSketches(summary)
        }
        return summary
    }

    /// Puts a private note's own words into its summary, while it is unlocked.
    fileprivate func describePrivate(_ summary: inout NoteSummary) throws {
        summary.protection = .locked
        guard let keys = records.keyring[summary.id]?.keys,
            let row = try database.cachedStatement("SELECT sealed FROM revision WHERE id = ?").row([
                summary.revision.bytes.blob
            ]),
            case .sealedInside(let outer)? = try? records.openOuter(
                try row.bytes("sealed"), note: summary.id, revision: summary.revision),
            let record = try? records.open(outer, keys)
        else { return }
        summary.protection = .unlocked
        summary.title = NoteText.title(record)
        summary.snippet = NoteText.snippet(record)
        summary.tags = record.tags
        summary.notebook = record.notebook
        summary.byteCount = record.body.utf8.count
        summary.hasAttachments = !record.attachments.isEmpty
        summary.hasSketches = record.attachments.prefix(Self.sketchesLookedForMax).contains {
            isSketch($0, of: summary.id)
        }
        summary.titleIsSet = record.title != nil
    }

    /// Returns whether a note has a drawing. Its text is opened only if it has or had one, and if the text is short: a
    /// list does not wait for long texts, and marks such a note for an earlier version's drawing too.
    private func hasSketches(_ summary: NoteSummary) throws -> Bool {
        let statement = try database.cachedStatement("SELECT id FROM attachment WHERE note = ? LIMIT ?")
        let rows = try Row.fetchAll(statement, arguments: [summary.id.bytes.blob, Self.sketchesLookedForMax])
        let known = try rows.map { try AttachmentID($0.bytes("id")) }
        let sketches = known.filter { isSketch($0, of: summary.id) }
        guard !sketches.isEmpty, summary.byteCount <= Self.textOpenedForSketchesMax else { return !sketches.isEmpty }
        let revision = try database.cachedStatement("SELECT sealed FROM revision WHERE id = ?")
        guard let row = try revision.row([summary.revision.bytes.blob]),
            let record = try? records.open(
                try row.bytes("sealed"), note: summary.id, revision: summary.revision, isPrivate: false)
        else { return false }
        return !Set(record.attachments).isDisjoint(with: sketches)
    }

    /// Returns whether an attachment is a drawing. One that does not open is not: a reader of the note is told of it.
    private func isSketch(_ attachment: AttachmentID, of note: NoteID) -> Bool {
        (try? self.attachment(attachment, of: note))?.details.kind == .sketch
    }

    /// Each attachment is sealed by itself, and a list does not wait for hundreds of them.
    private static var sketchesLookedForMax: Int { 32 }
    private static var textOpenedForSketchesMax: Int { 64 << 10 }

    func isForked(_ id: NoteID) throws -> Bool {
        try database.cachedStatement("SELECT 1 FROM otherHead WHERE note = ? LIMIT 1").row([id.bytes.blob]) != nil
    }

    /// Returns the shortest prefix of an identifier; the two neighbours in order decide how many characters tell a note
    /// from all others.
    fileprivate func shortID(_ id: NoteID) throws -> String {
        let text = id.text
        var count = NoteID.shownCharacterCountMin
        for sql in [
            "SELECT id FROM note WHERE id < ? ORDER BY id DESC LIMIT 1",
            "SELECT id FROM note WHERE id > ? ORDER BY id LIMIT 1",
        ] {
            guard let row = try database.cachedStatement(sql).row([id.bytes.blob]) else { continue }
            let neighbour = Base32.encode(try row.bytes("id"))
            let shared = zip(text.utf8, neighbour.utf8).prefix { $0 == $1 }.count
            count = max(count, shared + 1)
        }
        return String(text.prefix(count))
    }
}
