// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
public import SealedObjects
internal import VaultCrypto
public import VaultFormat

/// Attachments of notes. Which ones a note has says its record, so that history, undo and merging know of them; what they are says a row of
/// their own, and what is in them a file. Order of writes: file, then transaction; removals the other way around.
extension VaultStore {
    var objects: ObjectFolder { ObjectFolder(directory) }
    var sealer: AttachmentSealer { AttachmentSealer(layer: layer) }

    /// A note's attachments, in the order they were added.
    ///
    /// - Throws: `VaultError.notFound`, `.noteLocked`, `.integrity`.
    public func attachments(of note: NoteID) throws(VaultError) -> [Attachment] {
        try read { database in
            try self.head(database, of: note).record.attachments.map { id in
                // The note names it, so it must be there.
                do { return try self.attachment(database, id, of: note) } catch let error as VaultError where error.code == .noAttachment {
                    throw VaultError(.integrity)
                }
            }
        }
    }

    /// One attachment, by its name, its number from 1, or the beginning of its identifier.
    ///
    /// - Throws: `VaultError.noAttachment`.
    public func attachment(_ reference: String, of note: NoteID) throws(VaultError) -> Attachment {
        let all = try attachments(of: note)
        if let named = all.first(where: { $0.name == reference }) { return named }
        let folded = all.filter { TagKey.bytes($0.name) == TagKey.bytes(reference) }
        if folded.count == 1 { return folded[0] }
        if let number = Int(reference), all.indices.contains(number - 1) { return all[number - 1] }
        let found = reference.utf8.count >= 4 ? all.filter { $0.id.text.hasPrefix(reference.lowercased()) } : []
        guard found.count == 1 else { throw VaultError(.noAttachment) }
        return found[0]
    }

    /// Makes a file for an attachment to be.
    ///
    /// - Throws: `VaultError.notFound`, `.noteLocked`, `.readOnly`, `.saveFailed`.
    public func newObject(for note: NoteID) throws(VaultError) -> NewObject {
        guard !isReadOnly else { throw VaultError(.readOnly) }
        return try read { database in
            _ = try self.headID(database, of: note)
            let isPrivate = try self.isPrivate(database, note)
            let noteKeys = self.records.keyring[note]?.keys
            guard !isPrivate || noteKeys != nil else { throw VaultError(.noteLocked) }
            let id = try AttachmentID(SecureRandom.bytes(AttachmentID.byteCount))
            return try NewObject(id, note: note, in: self.objects, self.unfinished, self.sealer, isPrivate ? noteKeys : nil)
        }
    }

    /// Makes another file for an attachment, under the key that its note is to have; nil for none of its own.
    public func newObject(for attachment: Attachment, under key: OpenedNoteKey?) throws(VaultError) -> NewObject {
        guard !isReadOnly else { throw VaultError(.readOnly) }
        let file = try Self.mapErrors {
            try NewObject(attachment.id, note: attachment.note, in: self.objects, self.unfinished, self.sealer, key?.keys)
        }
        // Until the note's row names it, a file that the note's old key does not protect must not outlive a crash.
        try write { try self.unlinkLater($0, file.object.bytes) }
        return file
    }

    /// Adds attachments whose files are written and synced, in one durable transaction.
    ///
    /// - Returns: what they are called now: no two of a note have one name.
    /// - Throws: `VaultError.attachmentsChanged` when the note got another key meanwhile; `.tooLarge`, `.readOnly`, `.saveFailed`.
    public func attach(_ made: [(file: NewObject, sealed: SealedObject, details: AttachmentDetails)], to note: NoteID) throws(VaultError)
        -> [Attachment]
    {
        let added = try change(.attach) { database in
            let head = try self.head(database, of: note)
            var record = head.record
            var taken = Set(try record.attachments.map { TagKey.bytes(try self.attachment(database, $0, of: note).name) })
            var added: [Attachment] = []
            for (file, sealed, given) in made {
                guard file.note == note, try self.keyIsStill(database, file) else { throw VaultError(.attachmentsChanged) }
                var details = given
                details.name = AttachmentName.unused(AttachmentName.clean(details.name), among: taken)
                details.byteCount = sealed.contentByteCount
                guard details.isWithinLimits else { throw VaultError(.tooLarge) }
                taken.insert(TagKey.bytes(details.name))
                try self.insert(database, self.record(file, sealed, details), epoch: file.epoch)
                record.attachments.append(file.id)
                added.append(
                    Attachment(id: file.id, note: note, details: details, fileByteCount: sealed.fileByteCount, isPrivate: file.noteKeys != nil))
            }
            try self.saveEdited(database, record, over: (head.revision, head.record))
            return added
        }
        made.forEach { $0.file.keep() }
        return added
    }

    /// Takes attachments off a note, as a new revision: `undo` brings them back as long as an earlier revision has them.
    public func detach(_ ids: [AttachmentID], from note: NoteID) throws(VaultError) -> NoteSummary {
        try change(.detach) { database in
            let head = try self.head(database, of: note)
            var record = head.record
            record.attachments.removeAll { ids.contains($0) }
            try self.saveEdited(database, record, over: (head.revision, head.record), keepsEmpty: true)
            return try self.summary(database, of: note)
        }
    }

    /// Changes what an attachment is called or what stands below it.
    ///
    /// - Throws: `VaultError.exists` for a name that another one of the note has.
    public func describe(_ id: AttachmentID, of note: NoteID, name: String? = nil, caption: String? = nil) throws(VaultError) -> Attachment {
        try write { database in
            let (stored, noteKeys, _) = try self.stored(database, id, of: note)
            var details = try self.sealer.details(of: stored, noteKeys)
            if let name {
                let clean = AttachmentName.clean(name)
                for other in try self.head(database, of: note).record.attachments where other != id {
                    guard TagKey.bytes(try self.attachment(database, other, of: note).name) != TagKey.bytes(clean) else { throw VaultError(.exists) }
                }
                details.name = clean
            }
            if let caption { details.caption = caption }
            guard details.isWithinLimits else { throw VaultError(.tooLarge) }
            var record = stored
            record.details = try self.sealer.details(details, id, note: note, record.isPrivate ? noteKeys : nil)
            try database.cachedStatement("UPDATE attachment SET sealed = ? WHERE id = ?").execute(arguments: [
                try self.sealer.seal(record).blob, id.bytes.blob,
            ])
            return try self.attachment(database, id, of: note)
        }
    }

    /// Opens an attachment's file. The record vouches for its size and commitment before a byte of it is used.
    ///
    /// - Throws: `VaultError.noAttachment`, `.noteLocked`, `.integrity`.
    public func content(of id: AttachmentID, note: NoteID) throws(VaultError) -> AttachmentContent {
        try read { database in
            let (record, noteKeys, epoch) = try self.stored(database, id, of: note)
            let details = try self.sealer.details(of: record, noteKeys)
            guard let file = try self.objects.open(record.object) else { throw VaultError(.integrity) }
            return AttachmentContent(
                file: file, record: record, details: details,
                layers: try self.sealer.layers(record.object, id, note: note, epoch: epoch, record.isPrivate ? noteKeys : nil))
        }
    }

    // MARK: Rows

    func attachment(_ database: Database, _ id: AttachmentID, of note: NoteID) throws -> Attachment {
        let (record, noteKeys, _) = try stored(database, id, of: note)
        let details = try sealer.details(of: record, noteKeys)
        return Attachment(id: id, note: note, details: details, fileByteCount: record.fileByteCount, isPrivate: record.isPrivate)
    }

    /// An attachment's row: its record, its note's key if that is unlocked, the epoch of its file's key.
    func stored(
        _ database: Database, _ id: AttachmentID, of note: NoteID
    ) throws -> (record: AttachmentRecord, noteKeys: NoteKeys?, epoch: UInt32) {
        let statement = try database.cachedStatement("SELECT sealed, epoch FROM attachment WHERE id = ? AND note = ?")
        guard let row = try statement.row([id.bytes.blob, note.bytes.blob]) else { throw VaultError(.noAttachment) }
        return (try sealer.open(try row.bytes("sealed"), id, note: note), records.keyring[note]?.keys, UInt32(clamping: try row.integer("epoch")))
    }

    /// - Parameter epoch: of the key that the file is under.
    func insert(_ database: Database, _ record: AttachmentRecord, epoch: UInt32) throws {
        // In its place: a rotation finds rows by their numbers.
        let statement = """
            INSERT INTO attachment(id, note, object, sealed, epoch) VALUES(?, ?, ?, ?, ?)
            ON CONFLICT(id) DO UPDATE SET note = excluded.note, object = excluded.object, sealed = excluded.sealed, epoch = excluded.epoch
            """
        try database.cachedStatement(statement).execute(arguments: [
            record.id.bytes.blob, record.noteID.bytes.blob, record.object.bytes.blob, try sealer.seal(record).blob, Int64(epoch),
        ])
    }

    private func record(_ file: NewObject, _ sealed: SealedObject, _ details: AttachmentDetails) throws -> AttachmentRecord {
        AttachmentRecord(
            id: file.id, noteID: file.note, object: file.object, fileByteCount: sealed.fileByteCount, commitment: sealed.commitment,
            isPrivate: file.noteKeys != nil, details: try sealer.details(details, file.id, note: file.note, file.noteKeys))
    }

    /// What an attachment's record is to be when its content lies in another file.
    public func resealed(_ attachment: Attachment, _ file: NewObject, _ sealed: SealedObject) throws(VaultError) -> ResealedAttachment {
        try read { database in
            let (old, noteKeys, _) = try self.stored(database, attachment.id, of: attachment.note)
            let details = try self.sealer.details(of: old, noteKeys)
            guard details == attachment.details else { throw VaultError(.attachmentsChanged) }
            return ResealedAttachment(record: try self.record(file, sealed, details), epoch: file.epoch, replaced: old)
        }
    }

    private func keyIsStill(_ database: Database, _ file: NewObject) throws -> Bool {
        // Nothing comes in under a key that was rotated meanwhile.
        guard file.epoch == header.epoch else { return false }
        let current = try isPrivate(database, file.note) ? records.keyring[file.note]?.keys : nil
        return current === file.noteKeys
    }
}
