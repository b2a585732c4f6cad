// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
internal import VaultFormat

/// These functions work on notes whose text does not open: they throw them away, bring them back and delete them for
/// good.
///
/// Everything is read before a transaction begins: SQLite ends a transaction in which it meets a page that does not
/// open.
extension Notes {
    /// Returns what takes the place of a text that does not open: the newest revision that does; where there is none,
    /// what the lists have of the note, without a text.
    func standIn(for id: NoteID) throws(VaultError) -> NoteRecord? {
        guard let damage = try vault.history.damage(of: id) else { return nil }
        let listed = try vault.read { try $0.listedRecord(id) }
        guard let newest = damage.newest, var record = try vault.history.listed(of: id)[newest].summary?.record else {
            return listed
        }
        record.takePlace(of: listed)
        return record
    }

    /// Returns stand-ins for the notes among these whose text does not open.
    func standIns(for ids: [NoteID]) throws(VaultError) -> [NoteID: NoteRecord] {
        var found: [NoteID: NoteRecord] = [:]
        for id in ids { found[id] = try standIn(for: id) }
        return found
    }

    /// Gives a note another text. The old one need not open: the newest revision that does, or else the lists, say what
    /// else belongs to it.
    ///
    /// - Throws: `VaultError.notFound`, `.noteLocked`, `.readOnly`, `.saveFailed`.
    public func replaceText(of id: NoteID, with text: String) throws(VaultError) -> NoteSummary {
        do throws(VaultError) { return try edit(id, .replace) { $0.body = text } } catch {
            guard error.code == .noteDamaged || error.isDamageOfPages, var record = try standIn(for: id) else {
                throw error
            }
            record.body = text
            record.modified = max(Machine.now, record.modified)
            let replacing = record
            let summary = try vault.change(.replace) { transaction in
                try transaction.replaceDamaged(replacing, .edit)
                return try transaction.summary(of: id)
            }
            vault.damagedNotes.remove(id)
            return summary
        }
    }

    /// Removes notes of the trash one by one, those too that do not open; a revision whose page does not open cannot be
    /// taken off it, and nothing names it any more.
    ///
    /// - Throws: when all others are removed, why one was not.
    func purgeOneByOne(_ ids: [NoteID]) throws(VaultError) -> Int {
        var (count, failure): (Int, VaultError?) = (0, nil)
        for id in ids {
            do throws(VaultError) {
                try purgeWhatOpens(id)
                count += 1
            } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
        return count
    }

    private func purgeWhatOpens(_ id: NoteID) throws(VaultError) {
        do throws(VaultError) { return try vault.write { try $0.purge(id) } } catch {
            guard error.isDamageOfPages else { throw error }
        }
        let rows = try vault.read { index in
            try Int64.fetchAll(
                index.database, sql: "SELECT rowid FROM revision INDEXED BY revisionByNote WHERE note = ?",
                arguments: [id.bytes.blob])
        }
        let open = rows.filter { row in
            (try? vault.read { index in
                try Row.fetchOne(index.database, sql: "SELECT * FROM revision WHERE rowid = ?", arguments: [row])
            }) != nil
        }
        try vault.write { try $0.purge(id, revisions: open) }
        vault.damagedNotes.remove(id)
    }
}

extension History {
    /// Does what `revert` does, for a note whose text does not open.
    func revertDamaged(_ id: NoteID, to revision: RevisionID) throws(VaultError) -> NoteSummary {
        guard let damage = try damage(of: id) else { throw VaultError(.integrity) }
        var record: NoteRecord
        do throws(VaultError) { record = try vault.read { try $0.revision(revision, of: id) } } catch {
            throw error.isDamageOfPages ? damageError(id, damage) : error
        }
        record.takePlace(of: try vault.read { try $0.listedRecord(id) })
        record.modified = max(Machine.now, record.modified)
        let replacing = record
        let summary = try vault.change(.revert) { transaction in
            try transaction.replaceDamaged(replacing, .edit)
            return try transaction.summary(of: id)
        }
        vault.damagedNotes.remove(id)
        return summary
    }
}

extension NoteRecord {
    /// Leaves the note where the lists have it.
    fileprivate mutating func takePlace(of listed: NoteRecord) {
        flags.set(.trashed, listed.flags.contains(.trashed))
        (created, modified) = (listed.created, listed.modified)
    }
}

extension IndexAccess {
    /// Returns what the lists have of a note, as a record without a text.
    func listedRecord(_ id: NoteID) throws -> NoteRecord {
        guard let row = try database.cachedStatement("SELECT * FROM note WHERE id = ?").row([id.bytes.blob]) else {
            throw VaultError(.notFound)
        }
        var record = NoteRecord(
            noteID: id, created: try row.integer("created"), modified: try row.integer("modified"), body: "")
        let (title, tags) = (try row.text("title"), try row.text("tags"))
        record.title = title.isEmpty ? nil : title
        record.tags = tags.isEmpty ? [] : tags.split(separator: "\n").map(String.init)
        record.notebook = try row.text("notebook")
        record.source = row.optionalText("source")
        record.flags = try NoteRecord.Flags(listed: row)
        return record
    }
}

extension Transaction {
    /// Records a revision in the place of a head that does not open.
    func replaceDamaged(_ record: NoteRecord, _ operation: Entry.Operation) throws {
        let head = try headID(of: record.noteID)
        let revision = try RevisionID.random()
        let made = try sealed(record, revision)
        var state = try IndexState.fetch(database)
        try removeListed(&state, record.noteID)
        try state.save(database)
        try apply(made, revision, operation, replacing: nil, parents: [head])
    }

    /// Removes a note from the lists by what they hold themselves.
    func removeListed(_ state: inout IndexState, _ id: NoteID) throws {
        let row = try database.cachedStatement("SELECT row, place, tags FROM note WHERE id = ?").row([id.bytes.blob])
        guard let row, let place = NotePlace(rawValue: try row.integer("place")) else { throw VaultError(.integrity) }
        let number = try row.integer("row")
        state.counts[place] -= 1
        if let text = try database.cachedStatement("SELECT text FROM folded WHERE row = ?").row([number])?.text(at: 0) {
            try removeText(number, text, areSearched: place.isSearched)
        } else {
            _ = try takeUnindexed(number)
        }
        // Which links there were nobody knows: all of the table is looked through, once for a damaged note.
        for table in ["noteTag", "noteLink"] {
            try database.cachedStatement("DELETE FROM \(table) WHERE note = ?").execute(arguments: [id.bytes.blob])
        }
        try database.cachedStatement("DELETE FROM note WHERE row = ?").execute(arguments: [number])
        try removeBook(number)
    }

    /// Removes a note whose text does not open, with those of its revisions that can be removed.
    ///
    /// - Parameter revisions: the rows that can be removed.
    fileprivate func purge(_ id: NoteID, revisions: [Int64]) throws {
        let head = try headID(of: id)
        let others = try Row.fetchAll(
            database, sql: "SELECT revision FROM otherHead WHERE note = ?", arguments: [id.bytes.blob]
        ).map { try RevisionID(try $0.bytes("revision")) }
        let named = (try? namedElsewhere(of: [id])) ?? [:]
        var state = try IndexState.fetch(database)
        try appendPurge(&state, of: id, heads: [head] + others)
        try removeListed(&state, id)
        try state.save(database)
        try database.cachedStatement("DELETE FROM noteKey WHERE note = ?").execute(arguments: [id.bytes.blob])
        try removeAttachments(of: id, named: named)
        try database.cachedStatement("DELETE FROM otherHead WHERE note = ?").execute(arguments: [id.bytes.blob])
        for row in revisions {
            try database.cachedStatement("DELETE FROM revision WHERE rowid = ?").execute(arguments: [row])
        }
    }
}

extension RevisionID {
    /// Makes a random identifier.
    ///
    /// - Throws: `VaultError.libraryFailed`.
    static func random() throws(VaultError) -> RevisionID {
        try VaultError.translating { try RevisionID(SecureRandom.bytes(RevisionID.byteCount)) }
    }
}
