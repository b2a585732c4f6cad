// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SearchText
internal import TextReading
public import VaultFormat

/// A `RevisionSummary` is one revision in a note's history.
public struct RevisionSummary: Sendable, Equatable {
    public var id: RevisionID
    /// When it was recorded here, in milliseconds since 1970, UTC.
    public var made: Int64
    public var record: NoteRecord
    public var title: String
    public var isHead: Bool
}

/// `History` is the past of notes: their revisions, what can be undone, and what changed since somebody looked.
public struct History {
    let vault: OpenVault

    /// Returns a note's revisions, newest first. What was thinned out is not among them.
    ///
    /// - Throws: `VaultError.notFound`, `.integrity`.
    public func all(of id: NoteID) throws(VaultError) -> [RevisionSummary] {
        var all: [RevisionSummary] = []
        for revision in try revisions(of: id) { all.append(try summary(of: revision, id)) }
        return all
    }

    /// Finds a revision by what a person types: the beginning of its identifier, or `@N` for N revisions before the
    /// newest.
    ///
    /// - Throws: `VaultError.noRevision`, `.ambiguousRevision`.
    public func revision(_ reference: String, of id: NoteID) throws(VaultError) -> RevisionSummary {
        if reference.hasPrefix("@"), let steps = Int(reference.dropFirst()) {
            return try numbered(steps, of: id)
        }
        let all = try revisions(of: id)
        let wanted = reference.lowercased()
        let found = wanted.utf8.count >= 2 ? all.filter { $0.id.text.hasPrefix(wanted) } : []
        guard let first = found.first else { throw VaultError(.noRevision) }
        guard found.count == 1 else { throw VaultError(.ambiguousRevision) }
        return try summary(of: first, id)
    }

    /// Returns a note as one of its revisions has it, by `@N` as `history` numbers them.
    ///
    /// - Throws: `VaultError.notFound`, `.noRevision`.
    public func note(_ id: NoteID, revision number: Int) throws(VaultError) -> Note {
        let revision = try revision("@\(number)", of: id)
        let record = revision.record
        let (isPrivate, upload) = try vault.read { (try $0.isPrivate(id), try $0.uploadState(of: id)) }
        return Note(
            id: id, revision: revision.id, title: NoteText.title(record), titleIsSet: record.title != nil,
            body: record.body, tags: record.tags,
            notebook: record.notebook, created: record.created, modified: revision.made, place: NotePlace(record.flags),
            flags: record.flags, protection: isPrivate ? .unlocked : .none, upload: upload,
            attachments: record.attachments)
    }

    /// Returns what a list shows of a note.
    ///
    /// - Throws: `VaultError.notFound`.
    public func summary(of id: NoteID) throws(VaultError) -> NoteSummary { try vault.read { try $0.summary(of: id) } }

    /// Returns identifiers of a note's revisions, newest first, and when each was recorded: nothing is opened.
    public func revisions(of id: NoteID) throws(VaultError) -> [(id: RevisionID, made: Int64)] {
        try vault.read { index in
            guard try index.database.cachedStatement("SELECT 1 FROM note WHERE id = ?").row([id.bytes.blob]) != nil
            else {
                throw VaultError(.notFound)
            }
            let statement = try index.database.cachedStatement(
                "SELECT id, made FROM revision WHERE note = ? ORDER BY rowid DESC")
            return try Row.fetchAll(statement, arguments: [id.bytes.blob]).map {
                (try RevisionID(try $0.bytes("id")), try $0.integer("made"))
            }
        }
    }

    /// Opens one revision.
    public func summary(of revision: (id: RevisionID, made: Int64), _ note: NoteID) throws(VaultError)
        -> RevisionSummary
    {
        try vault.read { index in
            let record = try index.revision(revision.id, of: note)
            let heads = [try index.headID(of: note)] + (try index.otherHeadIDs(of: note))
            return RevisionSummary(
                id: revision.id, made: revision.made == 0 ? record.modified : revision.made, record: record,
                title: NoteTitle.display(title: record.title, body: record.body), isHead: heads.contains(revision.id))
        }
    }

    /// Gives a note the content of an earlier revision, as a new one. The note stays in the trash or out of it.
    ///
    /// - Throws: `VaultError.notFound`, `.noRevision`, `.readOnly`, `.saveFailed`.
    public func revert(_ id: NoteID, to revision: RevisionID) throws(VaultError) -> NoteSummary {
        do throws(VaultError) { return try revertSound(id, to: revision) } catch {
            guard error.isDamageOfPages else { throw error }
            return try revertDamaged(id, to: revision)
        }
    }

    private func revertSound(_ id: NoteID, to revision: RevisionID) throws(VaultError) -> NoteSummary {
        try vault.change(.revert) { transaction in
            let head = try transaction.head(of: id)
            var record = try transaction.revision(revision, of: id)
            if head.record.flags.contains(.trashed) {
                record.flags.insert(.trashed)
            } else {
                record.flags.remove(.trashed)
            }
            record.modified = max(Machine.now, head.record.modified)
            record.created = head.record.created
            try transaction.apply(record, .edit, replacing: (head.revision, head.record))
            return try transaction.summary(of: id)
        }
    }

    /// Returns the text of one revision, in bytes of UTF-8.
    ///
    /// - Throws: `VaultError.thinned`, `.integrity`.
    public func text(of revision: RevisionID, _ note: NoteID) throws(VaultError) -> [UInt8] {
        try vault.read { Array(try $0.revision(revision, of: note).body.utf8) }
    }
}

extension IndexAccess {
    /// Returns the content of one revision.
    ///
    /// - Throws: `VaultError.thinned` when its row is gone.
    func revision(_ revision: RevisionID, of note: NoteID) throws -> NoteRecord {
        let statement = try database.cachedStatement("SELECT sealed FROM revision WHERE id = ? AND note = ?")
        guard let row = try statement.row([revision.bytes.blob, note.bytes.blob]) else { throw VaultError(.thinned) }
        return try records.open(try row.bytes("sealed"), note: note, revision: revision, isPrivate: isPrivate(note))
    }

    /// Returns the heads besides the one that is shown, in their order: the last would be shown if that one were not
    /// there.
    func otherHeads(of note: NoteID) throws -> [Head] {
        try otherHeadIDs(of: note).map { ($0, try revision($0, of: note)) }
    }

    func otherHeadIDs(of note: NoteID) throws -> [RevisionID] {
        let statement = try database.cachedStatement("SELECT revision FROM otherHead WHERE note = ?")
        let found = try Row.fetchAll(statement, arguments: [note.bytes.blob]).map {
            try RevisionID(try $0.bytes("revision"))
        }
        guard found.count > 1 else { return found }
        let order = try graph(of: note).heads
        return found.sorted { one, other in
            (order.firstIndex(of: one) ?? -1, one) < (order.firstIndex(of: other) ?? -1, other)
        }
    }

    /// Returns a note's head; nil when there is no such note any more.
    func optionalHead(of id: NoteID) throws -> Head? {
        guard try database.cachedStatement("SELECT 1 FROM note WHERE id = ?").row([id.bytes.blob]) != nil else {
            return nil
        }
        let (revision, record) = try head(of: id)
        return (revision, record)
    }
}
