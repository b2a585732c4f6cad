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
    private let header: Header
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
    private var keyEpochs: [NoteID: UInt32] = [:]
    private(set) var counts = ArchiveCounts()
    private(set) var noteCount = 0
    private var attachments: Set<AttachmentID> = []

    /// Rows of one transaction.
    private static let rowCountMax = 2000
    private var pending: [ArchiveItem] = []
    private var pendingByteCount = 0
    private static let pendingByteCountMax = 16 << 20

    init(
        _ archived: ArchivedVault, _ header: Header, _ keys: VaultKeys, _ slots: [NewKeyslot],
        in directory: VaultDirectory
    ) throws {
        self.archived = archived
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
        counts.add(item.kind)
        switch item {
        case .entry(let entry): try check(entry)
        case .noteKeyslot(let slot):
            privateNotes.insert(slot.noteID)
            keyEpochs[slot.noteID] = slot.keyEpoch
        case .revision(let revision):
            guard ledger.takeSeen(revision.id, of: revision.noteID),
                privateNotes.contains(revision.noteID) == revision.isPrivate
            else {
                throw VaultError(.integrity)
            }
            pendingByteCount += revision.record.count
        case .draft(let draft): try check(draft)
        case .change(let change):
            // What undo walks through must be there.
            guard change.id > 0, change.command > 0, change.first >= 1, change.first <= change.last,
                UInt64(change.last) <= sequence
            else {
                throw VaultError(.integrity)
            }
        default: break
        }
        pending.append(item)
        if pending.count >= Self.rowCountMax || pendingByteCount >= Self.pendingByteCountMax { try flush() }
    }

    /// A private note's draft is sealed inside and shows nothing of itself; an ordinary one's is not.
    private func check(_ draft: ArchivedDraft) throws {
        let isPrivate = draft.note.map { privateNotes.contains($0) } ?? false
        pendingByteCount += draft.contentByteCount
        guard draft.isSealedInside == isPrivate,
            !isPrivate || (draft.title == nil && draft.notebook.isEmpty && draft.tags.isEmpty),
            draft.tags.split(separator: "\n").allSatisfy({ $0.utf8.count <= NoteRecord.titleByteCountMax })
        else { throw VaultError(.integrity) }
    }

    private func check(_ entry: Entry) throws {
        guard entry.device == archived.device, entry.sequence == sequence + 1, entry.previous == chain else {
            throw VaultError(.integrity)
        }
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
        let rows = RestoredRows(layer, records, directory, vaultID: header.vaultID, keyEpochs: keyEpochs)
        try database.queue.write { connection in for item in items { try rows.insert(connection, item) } }
    }

    // MARK: Attachments

    /// The file of an attachment that is being written.
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
        guard arriving == nil, privateNotes.contains(attachment.noteID) == attachment.isPrivate,
            attachment.isPrivate
                || (try? AttachmentDetails(parsing: attachment.details))?.byteCount == attachment.byteCount
        else { throw VaultError(.integrity) }
        counts.add(.attachment)
        guard attachments.insert(attachment.id).inserted else { throw VaultError(.integrity) }
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

    /// What was written of the attachment that is arriving is removed; nothing happens when none is.
    func abandon() {
        guard let given = arriving else { return }
        arriving = nil
        ObjectFolder.close(given.file)
        ObjectFolder(directory).remove(given.object)
        attachments.remove(given.attachment.id)
        counts.attachments -= 1
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
        guard lost.isPrivate, attachments.insert(lost.id).inserted else { throw VaultError(.integrity) }
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

    /// A head that is not shown now can be the one that is shown tomorrow.
    private func isWhole(_ connection: Database, _ head: RevisionID, of note: NoteID) throws -> Bool {
        guard
            let row = try connection.cachedStatement("SELECT sealed FROM revision WHERE id = ?").row([head.bytes.blob])
        else { return false }
        let opened = try records.openOuter(row.bytes("sealed"), note: note, revision: head)
        return opened.face.attachments.allSatisfy { attachments.contains($0) }
    }

    deinit { if let arriving { ObjectFolder.close(arriving.file) } }

    /// What fails here fails in the new vault, not where it is read from.
    private static func written<Value>(_ body: () throws(ObjectError) -> Value) throws(VaultError) -> Value {
        do throws(ObjectError) { return try body() } catch {
            throw VaultError(error.code == .noRoom ? .readOnly : .saveFailed)
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
        guard ledger.missing().isEmpty, !ledger.namesARevisionTwice else { throw VaultError(.integrity) }
        let order = heads.notes.sorted { positions[$0] ?? 0 < positions[$1] ?? 0 }
        noteCount = order.count
        for start in stride(from: 0, to: order.count, by: Self.rowCountMax) {
            guard goesOn(UInt64(start)) else { throw VaultError(.cancelled) }
            try database.queue.write { connection in
                var state = try IndexState.fetch(connection)
                for note in order[start..<min(start + Self.rowCountMax, order.count)] {
                    guard
                        let opened = try IndexRebuild.insert(
                            connection, note, heads[note] ?? [], &state, records, into: .current),
                        opened.face.attachments.allSatisfy({ attachments.contains($0) }),
                        try heads[note]?.dropLast().allSatisfy({ try isWhole(connection, $0, of: note) }) ?? true
                    else { throw VaultError(.integrity) }
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
        return Manifest(
            generation: generation, pageCount: storage.pageCount, logSalt: salt, syncedByteCount: 0, isOpen: false)
    }
}
