// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import SealedObjects
internal import SealedSQLite
public import VaultFormat

/// This extension seals attachments that a device added which did not know of their note's password. Until their files
/// are under the note's key, the records that name them wait. Spec: docs/format.md §13.
extension Devices {
    /// Returns such attachments of notes that are unlocked, note after note.
    ///
    /// - Parameter areHere: whether those are wanted whose records have all of their files here, or those whose files
    ///   are not.
    /// - Throws: `VaultError.integrity`.
    public func waitingAttachments(areHere: Bool) throws(VaultError) -> [AttachmentRecord] {
        let objects = ObjectFolder(vault.directory)
        return try vault.read { index in
            guard try IndexState.fetch(index.database).schema >= Schema.firstWithDevices else { return [] }
            return try index.records.keyring.notes.flatMap { note in
                let records = try index.waitingAttachments(of: note)
                let wanted =
                    areHere
                    ? records.filter { $0.allSatisfy { objects.contains($0.object) } }.joined()
                    : records.map { $0.filter { !objects.contains($0.object) } }.joined()
                return Dictionary(wanted.map { ($0.id, $0) }) { first, _ in first }.values
                    .sorted { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) }
            }
        }
    }

    /// Opens the file of one of them, as it came.
    ///
    /// - Throws: `VaultError.integrity`.
    public func content(of waiting: AttachmentRecord) throws(VaultError) -> AttachmentContent {
        try vault.read { index in
            guard !waiting.isPrivate, let file = try vault.objects.open(waiting.object) else {
                throw VaultError(.integrity)
            }
            return AttachmentContent(
                file: file, record: waiting, details: try index.sealer.details(of: waiting, nil),
                layers: try index.sealer.layers(
                    waiting.object, waiting.id, note: waiting.noteID, epoch: index.layer.epoch, nil))
        }
    }

    /// Makes its file under the note's key, which is still to be written.
    ///
    /// - Throws: `VaultError.noteLocked`, `.readOnly`, `.saveFailed`.
    public func newObject(for waiting: AttachmentRecord) throws(VaultError) -> NewObject {
        guard !vault.isReadOnly else { throw VaultError(.readOnly) }
        let file = try vault.read { index in
            guard let keys = index.records.keyring[waiting.noteID]?.keys else { throw VaultError(.noteLocked) }
            return try NewObject(
                waiting.id, note: waiting.noteID, in: vault.objects, vault.unfinished, index.sealer, keys)
        }
        try vault.write { try $0.unlinkLater(file.object.bytes) }
        return file
    }

    /// Names the files of a note that are written and synced, and takes the records over that waited for them, in one
    /// durable transaction. The files as they came are removed after it.
    ///
    /// - Throws: `VaultError.attachmentsChanged` when the note was locked or got another key meanwhile; `.readOnly`,
    ///   `.saveFailed`.
    public func take(
        _ made: [(waiting: AttachmentRecord, file: NewObject, sealed: SealedObject)], of note: NoteID
    ) throws(VaultError) {
        try vault.attachments.requireInPlace(made.map(\.file))
        // A write that fails may be durable all the same: then rows name the files.
        made.forEach { $0.file.keep() }
        do throws(VaultError) { try name(made, of: note) } catch {
            if error.code == .attachmentsChanged { made.forEach { $0.file.drop() } }
            throw error
        }
    }

    private func name(
        _ made: [(waiting: AttachmentRecord, file: NewObject, sealed: SealedObject)], of note: NoteID
    ) throws(VaultError) {
        try vault.write { transaction in
            let keys = transaction.records.keyring[note]?.keys
            for (waiting, file, sealed) in made {
                guard keys != nil, try transaction.isPrivate(note), file.noteKeys === keys,
                    file.epoch == transaction.layer.epoch, file.note == note
                else {
                    throw VaultError(.attachmentsChanged)
                }
                let details = try transaction.sealer.details(of: waiting, nil)
                try transaction.insertIfNew(
                    AttachmentRecord(
                        id: waiting.id, noteID: note, object: file.object, fileByteCount: sealed.fileByteCount,
                        commitment: sealed.commitment, isPrivate: true,
                        details: try transaction.sealer.details(details, waiting.id, note: note, keys)))
                try transaction.unlinkLater(waiting.object.bytes)
                try transaction.leaveObject(of: waiting, epoch: transaction.layer.epoch)
                try transaction.database.cachedStatement("DELETE FROM pendingUnlink WHERE object = ?")
                    .execute(arguments: [file.object.bytes.blob])
            }
            var applying = Applying(transaction)
            try applying.settle(note)
        }
    }
}

extension IndexAccess {
    /// Returns the attachments of each of a private note's waiting records that are not known yet.
    func waitingAttachments(of note: NoteID) throws -> [[AttachmentRecord]] {
        let rows = try Row.fetchAll(
            database, sql: "SELECT body FROM waiting WHERE note = ? ORDER BY revision", arguments: [note.bytes.blob])
        guard try !rows.isEmpty && isPrivate(note) else { return [] }
        return try rows.map { row in
            let body = try EntryBody(parsing: row.bytes("body"))
            guard body.revision?.isPrivate == false else { return [] }
            return try body.attachments.filter { record in
                try !record.isPrivate && record.noteID == note && !isAttachment(record.id)
            }
        }
    }

    /// Returns whether a row names an attachment.
    func isAttachment(_ id: AttachmentID) throws -> Bool {
        try database.cachedStatement("SELECT 1 FROM attachment WHERE id = ?").row([id.bytes.blob]) != nil
    }
}
