// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import GRDB
internal import SealedSQLite
internal import SearchText
internal import VaultCrypto
internal import VaultFormat

/// Makes a new index file of what was found in a damaged one, beside it: rows as they are sealed, a history without
/// gaps, and lists, words and counters made anew.
final class SalvagedIndexWriter {
    private let index: SalvagedIndex
    private let history: SalvagedHistory
    private let storage: SealedStorage
    private let database: SealedDatabase
    private let goesOn: (UInt64, UInt64) -> Bool
    private var heads = NoteHeads()
    /// The last entry of each note, own ones behind those of other devices.
    private var positions: [NoteID: Int] = [:]
    private var entryCount = 0
    private var sequence: UInt64 = 0
    private var chain = Entry.firstPrevious
    private(set) var noteCount = 0

    /// Rows of one transaction, and bytes of revisions.
    private static let batchCount = 500
    private static let batchByteCount = 16 << 20

    /// Makes the new file, which is empty yet.
    ///
    /// - Parameters:
    ///   - index: all of it is read.
    ///   - name: of the new file; what lies there goes.
    ///   - goesOn: asked between batches, with how many rows of how many are written.
    init(
        _ index: SalvagedIndex, in directory: VaultDirectory, name: String,
        goesOn: @escaping (_ done: UInt64, _ total: UInt64) -> Bool
    ) throws {
        guard let history = index.history else { throw VaultError(.integrity) }
        (self.index, self.history, self.goesOn) = (index, history, goesOn)
        directory.remove(name)
        directory.remove(name + "-wal")
        storage = try IndexFile.storage(
            directory, header: index.header, keys: index.keys,
            logSalt: SecureRandom.bytes(Manifest.logSaltByteCount), creating: true, named: name)
        database = try SealedDatabase(copyInto: storage, cacheKiB: 64 * 1024) { $0.add(tokenizer: GramTokenizer.self) }
    }

    /// Writes all of it. Everything is on disk when this returns.
    ///
    /// - Returns: pages of the new file.
    /// - Throws: `VaultError.cancelled`; what the disk says.
    func run(generation: UInt64) throws -> UInt32 {
        try database.queue.write { connection in
            try Schema.create(connection)
            try IndexState.insert(connection, device: history.device, fold: IndexFile.foldDigest())
        }
        try inBatches(history.others) { connection, entry in try self.insert(connection, entry) }
        try inBatches(history.kept) { connection, entry in try self.insert(connection, entry) }
        try writeRevisions()
        try database.queue.write { try writeSmallRows($0) }
        try inBatches(history.steps) { connection, step in try self.append(connection, step) }
        try writeLists()
        try database.queue.write { connection in
            var state = try IndexState.fetch(connection)
            (state.sequence, state.chain) = (sequence, chain)
            try state.save(connection)
            try connection.execute(sql: "UPDATE state SET generation = ?", arguments: [Int64(clamping: generation)])
        }
        try database.endCopy()
        return storage.pageCount
    }

    private func inBatches<Item>(_ items: [Item], _ body: (Database, Item) throws -> Void) throws {
        for start in stride(from: 0, to: items.count, by: Self.batchCount) {
            try ask(UInt64(start))
            try database.queue.write { connection in
                for item in items[start..<min(start + Self.batchCount, items.count)] { try body(connection, item) }
            }
        }
    }

    private func ask(_ done: UInt64) throws {
        let total = UInt64(index.revisions.found.count)
        guard goesOn(min(done, total), total) else { throw VaultError(.cancelled) }
    }

    // MARK: History

    private func insert(_ connection: Database, _ entry: Entry) throws {
        let bytes = entry.encoded
        try connection.cachedStatement("INSERT INTO entry(device, sequence, bytes) VALUES(?, ?, ?)")
            .execute(arguments: [entry.device.blob, Int64(clamping: entry.sequence), bytes.blob])
        if entry.device == history.device { (sequence, chain) = (entry.sequence, try Digest.sha256(bytes)) }
        heads.add(entry)
        entryCount += 1
        if entry.operation != .drop { positions[entry.noteID] = entryCount }
    }

    private func append(_ connection: Database, _ step: SalvagedHistory.Step) throws {
        if let source = step.copyOf { try copy(connection, source, as: step.revision) }
        guard step.parents.count <= Transaction.headCountMax else { throw VaultError(.tooLarge) }
        try insert(
            connection,
            Entry(
                device: history.device, sequence: sequence + 1, operation: step.operation, noteID: step.note,
                revisionID: step.revision, parents: step.parents, previous: chain))
    }

    /// Writes the text of an earlier revision as a new one. A private note's stays sealed inside.
    private func copy(_ connection: Database, _ source: RevisionID, as revision: RevisionID) throws {
        guard let found = index.revisions.found[source], let opened = index.opened(found) else {
            throw VaultError(.integrity)
        }
        let sealed =
            switch opened {
            case .plain(let record): try index.records.seal(record, revision: revision)
            case .sealedInside(let outer): try index.records.seal(outer, revision: revision)
            }
        try insert(connection, revision, found.note, sealed, made: Machine.now)
    }

    // MARK: Rows

    private func insert(
        _ connection: Database, _ id: RevisionID, _ note: NoteID, _ sealed: [UInt8], made: Int64
    ) throws {
        try connection.cachedStatement("INSERT INTO revision(id, note, sealed, made) VALUES(?, ?, ?, ?)")
            .execute(arguments: [id.bytes.blob, note.bytes.blob, sealed.blob, made])
    }

    /// Writes the revisions in the order in which they lie in the old file, some megabytes at a time.
    private func writeRevisions() throws {
        let all = index.revisions.found.values.sorted { $0.position < $1.position }
        var next = 0
        while next < all.count {
            try ask(UInt64(next))
            try database.queue.write { connection in
                var byteCount = 0
                while next < all.count, byteCount < Self.batchByteCount {
                    guard let sealed = index.sealed(all[next]) else { throw VaultError(.integrity) }
                    try insert(connection, all[next].id, all[next].note, sealed, made: all[next].made)
                    byteCount += sealed.count + 100
                    next += 1
                }
            }
        }
    }

    private func writeSmallRows(_ connection: Database) throws {
        let notes = Set(index.revisions.found.values.map(\.note))
        // A private note that is still to be made has a keyslot and a draft.
        let begun = Set(index.drafts.values.compactMap { $0.blob(2) })
        for (note, slot) in index.revisions.slots where notes.contains(note) || begun.contains(note.bytes) {
            try connection.execute(
                sql: "INSERT INTO noteKey VALUES(?, ?)", arguments: [note.bytes.blob, slot.sealed.blob])
        }
        for (id, found) in index.attachments {
            let record = found.record
            try connection.cachedStatement("INSERT INTO attachment VALUES(?, ?, ?, ?, ?)").execute(arguments: [
                id.bytes.blob, record.noteID.bytes.blob, record.object.bytes.blob, found.sealed.blob,
                Int64(found.epoch),
            ])
            // They can be made again: one that does not open is left out.
            if let sealed = index.thumbnails[id].flatMap({ index.pages.record(at: $0) })?.blob(1),
                index.layer.open(sealed, .thumbnail(id, record.noteID)) != nil
            {
                try connection.cachedStatement("INSERT INTO thumbnail VALUES(?, ?)").execute(arguments: [
                    id.bytes.blob, sealed.blob,
                ])
            }
        }
        for record in index.drafts.values { try insert(connection, "draft", record, columns: 12) }
        for record in index.keyslots.values { try insert(connection, "keyslot", record, columns: 4) }
        if !index.agreedKeyslots.isEmpty {
            // Without it a password that was taken away, and of which nobody was told, would come back.
            try AgreedKeyslots.save(Array(index.agreedKeyslots), epoch: index.header.epoch, connection)
        }
        let named = Set((history.others + history.kept).lazy.filter { $0.operation == .statement }.map(\.revisionID))
        for (name, record) in index.statements where named.contains(name) {
            try insert(connection, "statement", record, columns: 4)
        }
        for (object, made) in index.pendingUnlinks {
            try connection.execute(sql: "INSERT INTO pendingUnlink VALUES(?, ?)", arguments: [object.blob, made])
        }
        try writeRotation(connection)
        // What cannot be undone as a whole is not undone.
        guard !history.isNew, index.loss.isNone else { return }
        for (id, record) in index.changes where record.integer(5).map({ $0 <= Int64(clamping: sequence) }) == true {
            try connection.execute(
                sql: "INSERT INTO change VALUES(?, ?, ?, ?, ?, ?)",
                arguments: [
                    id, record.integer(1), record.text(2), record.integer(3), record.integer(4), record.integer(5),
                ])
        }
    }

    /// Writes the row of a rotation, which begins its work anew: rows have other numbers now, and what is sealed anew
    /// already is passed by.
    private func writeRotation(_ connection: Database) throws {
        guard let row = index.rotation, let wrapped = row.blob(1), let counter = row.integer(2) else { return }
        try RotationState.insert(
            connection, wrapped: wrapped, counter: UInt64(clamping: counter),
            total: UInt64(clamping: row.integer(6) ?? 0))
    }

    private func insert(_ connection: Database, _ table: String, _ record: SalvagedRecord, columns: Int) throws {
        let values = (0..<columns).map { column -> DatabaseValue in
            if let number = record.integer(column) { return number.databaseValue }
            if let text = record.text(column) { return text.databaseValue }
            return record.blob(column)?.blob.databaseValue ?? .null
        }
        let places = values.map { _ in "?" }.joined(separator: ", ")
        try connection.execute(
            sql: "INSERT OR IGNORE INTO \(table) VALUES(\(places))", arguments: StatementArguments(values))
    }

    // MARK: Lists

    /// Writes lists, tags, links, folded texts, words and counters, by the code that `check --rebuild-index` uses.
    private func writeLists() throws {
        let order = heads.notes.sorted { positions[$0] ?? 0 < positions[$1] ?? 0 }
        noteCount = order.count
        for start in stride(from: 0, to: order.count, by: Self.batchCount) {
            try ask(UInt64(start))
            try database.queue.write { connection in
                var state = try IndexState.fetch(connection)
                for note in order[start..<min(start + Self.batchCount, order.count)] {
                    let opened = try IndexRebuild.insert(
                        connection, note, heads[note] ?? [], &state, index.records, into: .current)
                    guard opened != nil else { throw VaultError(.integrity) }
                }
                try state.save(connection)
            }
        }
    }
}

extension PageSalvage.Position {
    /// Compares positions in the order of the files.
    fileprivate static func < (one: Self, other: Self) -> Bool { one.order < other.order }
}
