// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
internal import VaultFormat

/// A note's current revision, with its content.
typealias Head = (id: RevisionID, record: NoteRecord)

/// How every change reaches the index: revision, entry, projection, words, counters, in one transaction.
extension VaultStore {
    /// Heads of one note at most.
    static let headCountMax = 200

    /// Records a revision and makes it its note's head.
    ///
    /// - Parameters:
    ///   - old: the head that it takes the place of, with its content: its words are deleted by the very text they came from.
    ///   - parents: the revisions that it replaces; without them the old head. What is a head and no parent stays a head.
    /// - Returns: the new revision.
    @discardableResult
    func apply(
        _ database: Database, _ record: NoteRecord, _ operation: Entry.Operation, replacing old: Head?, parents: [RevisionID]? = nil
    ) throws -> RevisionID {
        guard record.isWithinLimits else { throw VaultError(.tooLarge) }
        let revision = try RevisionID(SecureRandom.bytes(RevisionID.byteCount))
        try database.cachedStatement("INSERT INTO revision(id, note, sealed, made) VALUES(?, ?, ?, ?)").execute(arguments: [
            revision.bytes.blob, record.noteID.bytes.blob, try records.seal(record, revision: revision).blob, Machine.now,
        ])
        var state = try IndexState.fetch(database)
        let replaced = parents ?? old.map { [$0.id] } ?? []
        try append(database, &state, operation, note: record.noteID, revision: revision, parents: replaced)
        if let old {
            if parents != nil { try keepOtherHeads(database, of: record.noteID, besides: replaced, old: old.id) }
            try removeProjection(database, &state, old.record)
        }
        try Self.insertProjection(database, &state, record, head: revision, into: .current)
        try state.save(database)
        return revision
    }

    /// What was a head and is not replaced now stays one.
    private func keepOtherHeads(_ database: Database, of note: NoteID, besides replaced: [RevisionID], old: RevisionID) throws {
        if !replaced.contains(old) {
            try database.cachedStatement("INSERT INTO otherHead(note, revision) VALUES(?, ?)")
                .execute(arguments: [note.bytes.blob, old.bytes.blob])
        }
        for revision in replaced {
            try database.cachedStatement("DELETE FROM otherHead WHERE note = ? AND revision = ?")
                .execute(arguments: [note.bytes.blob, revision.bytes.blob])
        }
    }

    /// Adds this device's next entry to its chain.
    func append(
        _ database: Database, _ state: inout IndexState, _ operation: Entry.Operation, note: NoteID, revision: RevisionID,
        parents: [RevisionID]
    ) throws {
        // One byte counts them; a note with so many heads was not written by hand.
        guard parents.count <= Self.headCountMax else { throw VaultError(.tooLarge) }
        state.sequence += 1
        let entry = Entry(
            device: state.device, sequence: state.sequence, operation: operation, noteID: note, revisionID: revision,
            parents: parents, previous: state.chain)
        let bytes = entry.encoded
        try database.cachedStatement("INSERT INTO entry(device, sequence, bytes) VALUES(?, ?, ?)")
            .execute(arguments: [state.device.blob, Int64(clamping: state.sequence), bytes.blob])
        state.chain = try Digest.sha256(bytes)
    }

    static func insertProjection(
        _ database: Database, _ state: inout IndexState, _ record: NoteRecord, head: RevisionID, into tables: ProjectionTables
    ) throws {
        let text = NoteText(record)
        let links = NoteLinks(record)
        let place = NotePlace(record.flags)
        let id = record.noteID.bytes.blob
        try database.cachedStatement(
            """
            INSERT INTO \(tables.note)(
              row, id, head, modified, created, place, pinned, features, byteCount, title, titleKey, snippet, notebook, tags, source)
            VALUES((SELECT coalesce(max(row), 0) + 1 FROM \(tables.note)), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
            id, head.bytes.blob, record.modified, record.created, place.rawValue, record.flags.contains(.pinned), links.features.rawValue,
            record.body.utf8.count, text.title, text.titleKey.blob, text.snippet, record.notebook, record.tags.joined(separator: "\n"),
            record.source,
        ])
        let row = database.lastInsertedRowID
        for tag in Set(record.tags.map { TagKey.bytes($0) }) {
            try database.cachedStatement("INSERT INTO \(tables.noteTag)(tag, note) VALUES(?, ?)").execute(arguments: [tag.blob, id])
        }
        for target in links.targets {
            try database.cachedStatement("INSERT INTO \(tables.noteLink)(target, note) VALUES(?, ?)").execute(arguments: [target.blob, id])
        }
        state.counts[place] += 1
        // A note in the trash is not found by searching.
        if place.isSearched {
            try database.cachedStatement("INSERT INTO \(tables.search)(rowid, text) VALUES(?, ?)")
                .execute(arguments: [row, String(decoding: text.indexed, as: UTF8.self)])
        }
    }

    func removeProjection(_ database: Database, _ state: inout IndexState, _ record: NoteRecord) throws {
        let id = record.noteID.bytes.blob
        let found = try database.cachedStatement("SELECT row FROM note WHERE id = ?").row([id])
        guard let row = try found?.integer("row") else { throw VaultError(.integrity) }
        let place = NotePlace(record.flags)
        state.counts[place] -= 1
        if place.isSearched {
            let text = String(decoding: NoteText(record).indexed, as: UTF8.self)
            try database.cachedStatement("INSERT INTO search(search, rowid, text) VALUES('delete', ?, ?)")
                .execute(arguments: [row, text])
        }
        // By their keys: neither table can be searched by note.
        for tag in Set(record.tags.map { TagKey.bytes($0) }) {
            try database.cachedStatement("DELETE FROM noteTag WHERE tag = ? AND note = ?").execute(arguments: [tag.blob, id])
        }
        for target in NoteLinks.targets(Array(record.body.utf8)) {
            try database.cachedStatement("DELETE FROM noteLink WHERE target = ? AND note = ?").execute(arguments: [target.blob, id])
        }
        try database.cachedStatement("DELETE FROM note WHERE row = ?").execute(arguments: [row])
    }
}
