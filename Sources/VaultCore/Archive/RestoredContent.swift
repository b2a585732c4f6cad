// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedObjects
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// `RestoredContent` fills the index and the objects of a new vault from an archive, everything sealed under the new
/// vault's key.
///
/// `ItemCheck` says what must be true of what comes in.
final class RestoredContent {
    private let layer: VaultLayer
    private let records: RecordSealer
    private let header: Header
    private let directory: VaultDirectory
    private let salt: [UInt8]
    private let storage: SealedStorage
    private let database: SealedDatabase
    private var check: ItemCheck
    var counts: ArchiveCounts { check.counts }
    private(set) var noteCount = 0

    /// Rows of one transaction.
    private static let rowCountMax = 2000
    private var pending: [ArchiveItem] = []
    private var pendingByteCount = 0
    private static let pendingByteCountMax = 16 << 20

    init(
        _ archived: ArchivedVault, _ header: Header, _ keys: VaultKeys, _ slots: [NewKeyslot],
        in directory: VaultDirectory, isOfSalvage: Bool = false
    ) throws {
        check = ItemCheck(
            device: archived.device, hasOthers: archived.hasOthers, isOfSalvage: isOfSalvage)
        self.header = header
        self.directory = directory
        layer = try VaultLayer(keys, vaultID: header.vaultID, epoch: header.epoch)
        records = try RecordSealer(layer)
        salt = try SecureRandom.bytes(Manifest.logSaltByteCount)
        storage = try IndexFile.storage(directory, header: header, keys: keys, logSalt: salt, creating: true)
        database = try SealedDatabase(copyInto: storage, cacheKiB: 64 * 1024) { $0.add(tokenizer: GramTokenizer.self) }
        try database.queue.write { connection in
            try Schema.create(connection)
            try IndexState.insert(connection, device: archived.device, fold: IndexFile.foldDigest())
            for slot in slots { try slot.insert(connection) }
        }
    }

    /// Takes an item that has no content after it.
    func take(_ item: ArchiveItem) throws {
        guard arriving == nil else { throw VaultError(.integrity) }
        try check.take(item)
        switch item {
        case .revision(let revision): pendingByteCount += revision.record.count
        case .draft(let draft): pendingByteCount += draft.contentByteCount
        case .vault, .entry, .noteKeyslot, .attachment, .change, .end: break
        }
        pending.append(item)
        if pending.count >= Self.rowCountMax || pendingByteCount >= Self.pendingByteCountMax { try flush() }
    }

    private func flush() throws {
        let items = pending
        pending = []
        pendingByteCount = 0
        let rows = RestoredRows(layer, records, directory, vaultID: header.vaultID, keyEpochs: check.keyEpochs)
        try database.queue.write { connection in for item in items { try rows.insert(connection, item) } }
    }

    // MARK: Attachments

    /// `Arriving` is the file of an attachment that is being written.
    private struct Arriving {
        let attachment: ArchivedAttachment
        let object: ObjectName
        let file: Int32
        let sealing: StreamSealing
        var left: UInt64
    }
    private var arriving: Arriving?

    /// Begins with an attachment; its content comes with `append`.
    func begin(_ attachment: ArchivedAttachment) throws {
        guard arriving == nil else { throw VaultError(.integrity) }
        try check.take(.attachment(attachment))
        let object = try ObjectName(SecureRandom.bytes(ObjectName.byteCount))
        let outer = try AttachmentSealer(layer: layer).outerLayer(object, attachment.id, epoch: header.epoch)
        let file = try ObjectFolder(directory).create(object)
        do throws(ObjectError) {
            arriving = Arriving(
                attachment: attachment, object: object, file: file,
                sealing: try StreamSealing(outer, to: file) { _ in true },
                left: attachment.byteCount)
        } catch {
            ObjectFolder.close(file)
            throw error.code == .noRoom ? VaultError(.readOnly) : VaultError(.saveFailed)
        }
        if attachment.byteCount == 0 { try endAttachment() }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        guard let now = arriving, UInt64(bytes.count) <= now.left else { throw VaultError(.integrity) }
        try Self.written { () throws(ObjectError) in try unsafe now.sealing.append(bytes) }
        arriving?.left -= UInt64(bytes.count)
        if arriving?.left == 0 { try endAttachment() }
    }

    /// Removes what was written of the attachment that is arriving; nothing happens when none is.
    func abandon() {
        guard let given = arriving else { return }
        arriving = nil
        ObjectFolder.close(given.file)
        ObjectFolder(directory).remove(given.object)
        check.takeBack(given.attachment)
    }

    private func endAttachment() throws {
        guard let done = arriving else { return }
        arriving = nil
        defer { ObjectFolder.close(done.file) }
        let sealed = try Self.written { () throws(ObjectError) in try done.sealing.finish() }
        let record = AttachmentRecord(
            id: done.attachment.id, noteID: done.attachment.noteID, object: done.object,
            fileByteCount: sealed.fileByteCount,
            commitment: sealed.commitment, isPrivate: done.attachment.isPrivate, details: done.attachment.details)
        try insert(record)
    }

    /// Adds what is known of a private note's attachment whose file is lost: the note's sealed record names it, and
    /// nobody could list the others if it were not there. A check tells that the file is gone.
    func addLost(_ lost: AttachmentRecord) throws {
        guard lost.isPrivate else { throw VaultError(.integrity) }
        try check.takeLost(lost.id)
        try insert(
            AttachmentRecord(
                id: lost.id, noteID: lost.noteID, object: ObjectName(SecureRandom.bytes(ObjectName.byteCount)),
                fileByteCount: lost.fileByteCount, commitment: lost.commitment, isPrivate: true,
                details: lost.details))
    }

    private func insert(_ record: AttachmentRecord) throws {
        let bytes = try AttachmentSealer(layer: layer).seal(record)
        try database.queue.write { connection in
            try connection.cachedStatement(
                "INSERT INTO attachment(id, note, object, sealed, epoch) VALUES(?, ?, ?, ?, ?)"
            ).execute(arguments: [
                record.id.bytes.blob, record.noteID.bytes.blob, record.object.bytes.blob, bytes.blob,
                Int64(header.epoch),
            ])
        }
    }

    deinit { if let arriving { ObjectFolder.close(arriving.file) } }

    /// Runs a write into the new vault and throws what fails there as an error of that vault, not of what is read.
    private static func written<Value>(_ body: () throws(ObjectError) -> Value) throws(VaultError) -> Value {
        do throws(ObjectError) { return try body() } catch {
            throw VaultError(error.code == .noRoom ? .readOnly : .saveFailed)
        }
    }

    /// Takes over what keyslots are called, where the vault keeps them.
    func keepNames(of index: FrozenIndex) throws {
        let rows = try? index.database.queue.inDatabase { try Row.fetchAll($0, sql: "SELECT * FROM keyslot") }
        try database.queue.write { connection in
            for row in rows ?? [] {
                try connection.execute(
                    sql: "INSERT OR REPLACE INTO keyslot VALUES(?, ?, ?, ?)",
                    arguments: [
                        row.bytes("slot").blob, row.text("name"), row.integer("made"), row.integer("target"),
                    ])
            }
        }
    }

    /// Makes lists and words, and closes the index with an empty log.
    ///
    /// - Parameters:
    ///   - generation: of the new vault.
    ///   - goesOn: asked between batches.
    /// - Returns: the manifest that belongs to it.
    func finish(generation: UInt64, goesOn: (UInt64) -> Bool) throws -> Manifest {
        try flush()
        guard arriving == nil else { throw VaultError(.integrity) }
        try check.end()
        let positions = check.positions
        let order = check.notes.sorted { positions[$0] ?? 0 < positions[$1] ?? 0 }
        noteCount = order.count
        for start in stride(from: 0, to: order.count, by: Self.rowCountMax) {
            guard goesOn(UInt64(start)) else { throw VaultError(.cancelled) }
            try database.queue.write { connection in
                var state = try IndexState.fetch(connection)
                for note in order[start..<min(start + Self.rowCountMax, order.count)] {
                    let opened = try IndexRebuild.insert(
                        connection, note, check.heads(of: note) ?? [], &state, records, into: .current)
                    guard opened != nil else { throw VaultError(.integrity) }
                }
                try state.save(connection)
            }
        }
        try database.queue.write { connection in
            var state = try IndexState.fetch(connection)
            (state.sequence, state.chain) = (self.check.sequence, self.check.chain)
            try state.save(connection)
            try connection.execute(sql: "UPDATE state SET generation = ?", arguments: [Int64(clamping: generation)])
        }
        try database.endCopy()
        var manifest = Manifest(
            generation: generation, pageCount: storage.pageCount, logSalt: salt, syncedByteCount: 0, isOpen: false)
        manifest.map = MapRoot(try storage.buildMap(IndexFile.mapName(epoch: header.epoch)))
        return manifest
    }
}
