// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
internal import VaultFormat

/// How every change reaches the index: revision, entry, projection, words, counters, in one transaction.
extension VaultStore {
    /// Records a revision and makes it its note's head.
    ///
    /// - Parameter old: the head that it replaces, with its content: its words are deleted by the very text they came from.
    func apply(
        _ database: Database, _ record: NoteRecord, _ operation: Entry.Operation, replacing old: (id: RevisionID, record: NoteRecord)?
    ) throws {
        guard record.isWithinLimits else { throw VaultError(.tooLarge) }
        let revision = try RevisionID(SecureRandom.bytes(RevisionID.byteCount))
        try database.cachedStatement("INSERT INTO revision(id, note, sealed) VALUES(?, ?, ?)").execute(arguments: [
            revision.bytes.blob, record.noteID.bytes.blob, try records.seal(record, revision: revision).blob,
        ])
        var state = try IndexState.fetch(database)
        try append(database, &state, operation, note: record.noteID, revision: revision, parents: old.map { [$0.id] } ?? [])
        if let old { try removeProjection(database, &state, old.record) }
        try Self.insertProjection(database, &state, record, head: revision, into: .current)
        try state.save(database)
    }

    /// Adds this device's next entry to its chain.
    func append(
        _ database: Database, _ state: inout IndexState, _ operation: Entry.Operation, note: NoteID, revision: RevisionID,
        parents: [RevisionID]
    ) throws {
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
        let isTrashed = record.flags.contains(.trashed)
        try database.cachedStatement(
            """
            INSERT INTO \(tables.note)(row, id, head, modified, created, trashed, byteCount, title, titleKey, snippet, notebook, tags, source)
            VALUES((SELECT coalesce(max(row), 0) + 1 FROM \(tables.note)), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
            record.noteID.bytes.blob, head.bytes.blob, record.modified, record.created, isTrashed, record.body.utf8.count,
            text.title, text.titleKey.blob, text.snippet, record.notebook, record.tags.joined(separator: "\n"), record.source,
        ])
        let row = database.lastInsertedRowID
        for tag in Set(record.tags.map { TagKey.bytes($0) }) {
            try database.cachedStatement("INSERT INTO \(tables.noteTag)(tag, note) VALUES(?, ?)")
                .execute(arguments: [tag.blob, record.noteID.bytes.blob])
        }
        // A note in the trash is not found by searching.
        if isTrashed {
            state.trashed += 1
        } else {
            state.live += 1
            try database.cachedStatement("INSERT INTO \(tables.search)(rowid, text) VALUES(?, ?)")
                .execute(arguments: [row, String(decoding: text.indexed, as: UTF8.self)])
        }
    }

    private func removeProjection(_ database: Database, _ state: inout IndexState, _ record: NoteRecord) throws {
        let id = record.noteID.bytes.blob
        let row = try Int64.fetchOne(database, sql: "SELECT row FROM note WHERE id = ?", arguments: [id])
        guard let row else { throw VaultError(.integrity) }
        if record.flags.contains(.trashed) {
            state.trashed -= 1
        } else {
            state.live -= 1
            let text = String(decoding: NoteText(record).indexed, as: UTF8.self)
            try database.cachedStatement("INSERT INTO search(search, rowid, text) VALUES('delete', ?, ?)")
                .execute(arguments: [row, text])
        }
        try database.cachedStatement("DELETE FROM noteTag WHERE note = ?").execute(arguments: [id])
        try database.cachedStatement("DELETE FROM note WHERE row = ?").execute(arguments: [row])
    }
}
