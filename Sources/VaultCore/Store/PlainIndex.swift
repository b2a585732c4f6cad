// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import GRDB
internal import VaultCrypto
internal import VaultFormat

/// A `PlainIndex` has the index's tables in an ordinary SQLite file, for `make bench` alone: what the same work costs
/// without sealing. No path of a vault leads here, and nothing but a benchmark's made-up text is ever given to it.
package final class PlainIndex {
    private let queue: DatabaseQueue
    private let path: String

    package init(path: String) throws {
        self.path = path
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            database.add(tokenizer: GramTokenizer.self)
            for pragma in [
                "locking_mode = EXCLUSIVE", "page_size = 4096", "journal_mode = WAL", "synchronous = FULL",
                "temp_store = MEMORY",
                "cache_size = -16384", "wal_autocheckpoint = 0", "secure_delete = ON",
            ] { try database.execute(sql: "PRAGMA \(pragma)") }
        }
        queue = try DatabaseQueue(path: path, configuration: configuration)
        guard try queue.inDatabase({ try Int.fetchOne($0, sql: "PRAGMA page_count") }) ?? 0 < 2 else { return }
        try queue.write { database in
            try Schema.create(database)
            try IndexState.insert(database, device: [UInt8](repeating: 1, count: 16), fold: [])
        }
    }

    package func save(_ drafts: [NoteDraft]) throws {
        try queue.write { database in
            for draft in drafts { try insert(database, draft) }
            _ = try IndexState.advanceGeneration(database)
        }
        if logByteCount > 4 * OpenVault.logByteCountMax { try finish() }
    }

    private var logByteCount: UInt64 {
        let size = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? UInt64
        return size ?? 0
    }

    package func finish() throws { try queue.inDatabase { _ = try $0.checkpoint(.truncate) } }

    private func insert(_ database: Database, _ draft: NoteDraft) throws {
        let note = try SecureRandom.bytes(NoteID.byteCount)
        let revision = try SecureRandom.bytes(RevisionID.byteCount)
        let now = Machine.now
        let record = NoteRecord(noteID: try NoteID(note), created: now, modified: now, body: draft.body)
        try database.cachedStatement("INSERT INTO revision(id, note, sealed, made) VALUES(?, ?, ?, ?)")
            .execute(arguments: [revision.blob, note.blob, record.encoded.blob, now])
        var state = try IndexState.fetch(database)
        state.sequence += 1
        let entry = Entry(
            device: state.device, sequence: state.sequence, operation: .create, noteID: record.noteID,
            revisionID: try RevisionID(revision), parents: [], previous: state.chain)
        try database.cachedStatement("INSERT INTO entry(device, sequence, bytes) VALUES(?, ?, ?)")
            .execute(arguments: [state.device.blob, Int64(clamping: state.sequence), entry.encoded.blob])
        try ProjectionTables.current.insert(
            database, &state, ProjectedNote(record: record, isPrivate: false), head: try RevisionID(revision))
        try state.save(database)
    }
}
