// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedObjects
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// Fills the index and the objects of a new vault from an archive, everything sealed under the new vault's key.
///
/// The chain is checked as it comes in: hashes, numbers, and that each revision it names is there.
final class RestoredContent {
    private let layer: VaultLayer
    private let records: RecordSealer
    private let header: UnverifiedHeader
    private let directory: VaultDirectory
    private let salt: [UInt8]
    private let storage: SealedStorage
    private let database: SealedDatabase
    private let archived: ArchivedVault
    private var ledger = RevisionLedger()
    private var heads = NoteHeads()
    private var positions: [NoteID: UInt64] = [:]
    private var chain = Entry.firstPrevious
    private var sequence: UInt64 = 0
    private var privateNotes: Set<NoteID> = []
    private(set) var counts = ArchiveCounts()
    private(set) var noteCount = 0
    private var folders: Set<String> = []

    /// Rows of one transaction.
    private static let rowCountMax = 2000
    private var pending: [ArchiveItem] = []
    private var pendingByteCount = 0
    private static let pendingByteCountMax = 16 << 20

    init(_ archived: ArchivedVault, _ header: UnverifiedHeader, _ keys: VaultKeys, _ slots: [NewKeyslot], in directory: VaultDirectory) throws {
        self.archived = archived
        self.header = header
        self.directory = directory
        layer = try VaultLayer(keys, vaultID: header.vaultID, epoch: header.epoch)
        records = try RecordSealer(layer)
        salt = try SecureRandom.bytes(Manifest.logSaltByteCount)
        storage = try VaultStore.storage(directory, header: header, keys: keys, logSalt: salt, creating: true)
        database = try SealedDatabase(copyInto: storage, cacheKiB: 64 * 1024) { $0.add(tokenizer: GramTokenizer.self) }
        try database.queue.write { connection in
            try Schema.create(connection)
            try IndexState.insert(connection, device: archived.device, fold: VaultStore.foldDigest())
            for slot in slots { try VaultStore.insert(connection, slot) }
        }
    }

    /// Takes an item that has no content after it.
    func take(_ item: ArchiveItem) throws {
        counts.add(item.kind)
        switch item {
        case .entry(let entry): try check(entry)
        case .noteKeyslot(let slot): privateNotes.insert(slot.noteID)
        case .revision(let revision):
            guard ledger.takeSeen(revision.id, of: revision.noteID), privateNotes.contains(revision.noteID) == revision.isPrivate else {
                throw VaultError(.integrity)
            }
            pendingByteCount += revision.record.count
        default: break
        }
        pending.append(item)
        if pending.count >= Self.rowCountMax || pendingByteCount >= Self.pendingByteCountMax { try flush() }
    }

    private func check(_ entry: Entry) throws {
        guard entry.device == archived.device, entry.sequence == sequence + 1, entry.previous == chain else { throw VaultError(.integrity) }
        chain = try Digest.sha256(entry.encoded)
        sequence = entry.sequence
        ledger.add(entry)
        heads.add(entry)
        if entry.operation != .drop { positions[entry.noteID] = sequence }
    }

    private func flush() throws {
        let items = pending
        pending = []
        pendingByteCount = 0
        let rows = RestoredRows(layer, records, directory, vaultID: header.vaultID)
        try database.queue.write { connection in for item in items { try rows.insert(connection, item) } }
    }

    /// Takes an attachment; `content` gives all of its bytes to what it is called with.
    func take(_ attachment: ArchivedAttachment, _ content: ((UnsafeRawBufferPointer) throws(ObjectError) -> Void) throws -> Void) throws {
        guard privateNotes.contains(attachment.noteID) == attachment.isPrivate else { throw VaultError(.integrity) }
        counts.add(.attachment)
        let object = try ObjectName(SecureRandom.bytes(ObjectName.byteCount))
        let layer = try AttachmentSealer(layer: layer).outerLayer(object, attachment.id, epoch: header.epoch)
        let file = try ObjectFolder(directory).create(object)
        defer { ObjectFolder.close(file) }
        folders.insert(object.folder)
        let sealing = try StreamSealing(layer, to: file) { _ in true }
        try unsafe content { bytes throws(ObjectError) in try unsafe sealing.append(bytes) }
        let sealed = try sealing.finish()
        let record = AttachmentRecord(
            id: attachment.id, noteID: attachment.noteID, object: object, fileByteCount: sealed.fileByteCount, commitment: sealed.commitment,
            isPrivate: attachment.isPrivate, details: attachment.details)
        let epoch = header.epoch
        let bytes = try AttachmentSealer(layer: self.layer).seal(record)
        try database.queue.write { connection in
            try connection.cachedStatement("INSERT INTO attachment(id, note, object, sealed, epoch) VALUES(?, ?, ?, ?, ?)").execute(arguments: [
                record.id.bytes.blob, record.noteID.bytes.blob, object.bytes.blob, bytes.blob, Int64(epoch),
            ])
        }
    }

    /// Makes lists and words, and closes the index with an empty log.
    ///
    /// - Parameter generation: of the new vault.
    /// - Returns: the manifest that belongs to it.
    func finish(generation: UInt64) throws -> Manifest {
        try flush()
        guard ledger.missing().isEmpty, !ledger.namesARevisionTwice else { throw VaultError(.integrity) }
        let order = heads.notes.sorted { positions[$0] ?? 0 < positions[$1] ?? 0 }
        noteCount = order.count
        for start in stride(from: 0, to: order.count, by: Self.rowCountMax) {
            try database.queue.write { connection in
                var state = try IndexState.fetch(connection)
                for note in order[start..<min(start + Self.rowCountMax, order.count)] {
                    guard try IndexRebuild.insert(connection, note, heads[note] ?? [], &state, records, into: .current) else {
                        throw VaultError(.integrity)
                    }
                }
                try state.save(connection)
            }
        }
        try database.queue.write { connection in
            var state = try IndexState.fetch(connection)
            (state.sequence, state.chain) = (sequence, chain)
            try state.save(connection)
            try connection.execute(sql: "UPDATE state SET generation = ?", arguments: [Int64(clamping: generation)])
        }
        try database.endCopy()
        return Manifest(generation: generation, pageCount: storage.pageCount, logSalt: salt, syncedByteCount: 0, isOpen: false)
    }
}
