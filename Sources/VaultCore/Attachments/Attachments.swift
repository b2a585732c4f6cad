// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import GRDB
internal import Glibc
public import SealedObjects
internal import VaultCrypto
public import VaultFormat

/// `Attachments` reads and changes the attachments of notes. A note's record says which ones it has, so that history,
/// undo and merging know of them; a row of its own says what each one is, and a file holds its content, which is
/// written before the transaction that names it and removed after the one that takes its name away.
public struct Attachments {
    let vault: OpenVault

    /// Returns a note's attachments, in the order they were added.
    ///
    /// - Throws: `VaultError.notFound`, `.noteLocked`, `.integrity`.
    public func all(of note: NoteID) throws(VaultError) -> [Attachment] {
        try vault.read { index in
            try index.head(of: note).record.attachments.map { id in
                // The note names it, so it must be there.
                do { return try index.attachment(id, of: note) } catch let error as VaultError
                    where error.code == .noAttachment
                {
                    throw VaultError(.integrity)
                }
            }
        }
    }

    /// Finds one attachment, by its name, its number from 1, or the beginning of its identifier.
    ///
    /// - Throws: `VaultError.noAttachment`.
    public func find(_ reference: String, of note: NoteID) throws(VaultError) -> Attachment {
        let all = try all(of: note)
        if let named = all.first(where: { $0.name == reference }) { return named }
        let folded = all.filter { TagKey.bytes($0.name) == TagKey.bytes(reference) }
        if folded.count == 1 { return folded[0] }
        if let number = Int(reference), all.indices.contains(number - 1) { return all[number - 1] }
        let found = reference.utf8.count >= 4 ? all.filter { $0.id.text.hasPrefix(reference.lowercased()) } : []
        guard found.count == 1 else { throw VaultError(.noAttachment) }
        return found[0]
    }

    /// Makes the file of a new attachment, which is still to be written.
    ///
    /// - Throws: `VaultError.notFound`, `.noteLocked`, `.readOnly`, `.saveFailed`.
    public func newObject(for note: NoteID) throws(VaultError) -> NewObject {
        guard !vault.isReadOnly else { throw VaultError(.readOnly) }
        return try vault.read { index in
            _ = try index.headID(of: note)
            let (isPrivate, noteKeys) = (try index.isPrivate(note), index.records.keyring[note]?.keys)
            guard !isPrivate || noteKeys != nil else { throw VaultError(.noteLocked) }
            let id = try AttachmentID(SecureRandom.bytes(AttachmentID.byteCount))
            return try NewObject(
                id, note: note, in: vault.objects, vault.unfinished, index.sealer, isPrivate ? noteKeys : nil)
        }
    }

    /// Makes another file for an attachment, under the key its note is to have; nil for a note without its own key.
    public func newObject(for attachment: Attachment, under key: OpenedNoteKey?) throws(VaultError) -> NewObject {
        guard !vault.isReadOnly else { throw VaultError(.readOnly) }
        let file = try VaultError.translating {
            try NewObject(
                attachment.id, note: attachment.note, in: vault.objects, vault.unfinished, vault.sealer, key?.keys)
        }
        // Until the note's row names it, a file that the note's old key does not protect must not outlive a crash.
        try vault.write { try $0.unlinkLater(file.object.bytes) }
        return file
    }

    /// Adds attachments whose files are written and synced, in one durable transaction.
    ///
    /// - Returns: their names now: no two attachments of a note share a name.
    /// - Throws: `VaultError.attachmentsChanged` when the note got another key meanwhile; `.tooLarge`, `.readOnly`,
    ///   `.saveFailed`.
    public func add(_ made: [(file: NewObject, sealed: SealedObject, details: AttachmentDetails)], to note: NoteID)
        throws(VaultError)
        -> [Attachment]
    {
        try requireInPlace(made.map(\.file))
        let added = try vault.change(.attach) { transaction in
            let head = try transaction.head(of: note)
            var record = head.record
            var taken = Set(try record.attachments.map { TagKey.bytes(try transaction.attachment($0, of: note).name) })
            var added: [Attachment] = []
            for (file, sealed, given) in made {
                guard file.note == note, try transaction.keyIsStill(file) else { throw VaultError(.attachmentsChanged) }
                var details = given
                details.name = AttachmentName.unused(AttachmentName.clean(details.name), among: taken)
                details.byteCount = sealed.contentByteCount
                guard details.isWithinLimits else { throw VaultError(.tooLarge) }
                taken.insert(TagKey.bytes(details.name))
                try transaction.insert(self.record(file, sealed, details), epoch: file.epoch)
                record.attachments.append(file.id)
                added.append(
                    Attachment(
                        id: file.id, note: note, details: details, fileByteCount: sealed.fileByteCount,
                        isPrivate: file.noteKeys != nil))
            }
            try transaction.saveEdited(record, over: (head.revision, head.record))
            return added
        }
        made.forEach { $0.file.keep() }
        try requireInPlace(made.map(\.file), else: added, from: note)
        return added
    }

    /// Takes attachments off a note, as a new revision: `undo` brings them back as long as an earlier revision has
    /// them.
    public func remove(_ ids: [AttachmentID], from note: NoteID) throws(VaultError) -> NoteSummary {
        try vault.change(.detach) { transaction in
            let head = try transaction.head(of: note)
            var record = head.record
            record.mapAttachments { ids.contains($0) ? nil : $0 }
            try transaction.saveEdited(record, over: (head.revision, head.record), keepsEmpty: true)
            return try transaction.summary(of: note)
        }
    }

    /// Changes an attachment's name or its caption.
    ///
    /// - Throws: `VaultError.exists` for a name that another attachment of the note has.
    public func describe(_ id: AttachmentID, of note: NoteID, name: String? = nil, caption: String? = nil)
        throws(VaultError) -> Attachment
    {
        try vault.write { transaction in
            let (stored, noteKeys, _) = try transaction.stored(id, of: note)
            var details = try transaction.sealer.details(of: stored, noteKeys)
            if let name {
                let clean = AttachmentName.clean(name)
                for other in try transaction.head(of: note).record.attachments where other != id {
                    guard TagKey.bytes(try transaction.attachment(other, of: note).name) != TagKey.bytes(clean) else {
                        throw VaultError(.exists)
                    }
                }
                details.name = clean
            }
            if let caption { details.caption = caption }
            guard details.isWithinLimits else { throw VaultError(.tooLarge) }
            var record = stored
            record.details = try transaction.sealer.details(details, id, note: note, record.isPrivate ? noteKeys : nil)
            try transaction.database.cachedStatement("UPDATE attachment SET sealed = ? WHERE id = ?").execute(
                arguments: [
                    try transaction.sealer.seal(record).blob, id.bytes.blob,
                ])
            return try transaction.attachment(id, of: note)
        }
    }

    /// Opens an attachment's file. The record vouches for its size and commitment before a byte of it is used.
    ///
    /// - Throws: `VaultError.noAttachment`, `.noteLocked`, `.integrity`.
    public func content(of id: AttachmentID, note: NoteID) throws(VaultError) -> AttachmentContent {
        try vault.read { index in
            let (record, noteKeys, epoch) = try index.stored(id, of: note)
            let details = try index.sealer.details(of: record, noteKeys)
            guard let file = try vault.objects.open(record.object) else { throw VaultError(.integrity) }
            return AttachmentContent(
                file: file, record: record, details: details,
                layers: try index.sealer.layers(
                    record.object, id, note: note, epoch: epoch, record.isPrivate ? noteKeys : nil))
        }
    }

    private func record(_ file: NewObject, _ sealed: SealedObject, _ details: AttachmentDetails) throws
        -> AttachmentRecord
    {
        AttachmentRecord(
            id: file.id, noteID: file.note, object: file.object, fileByteCount: sealed.fileByteCount,
            commitment: sealed.commitment,
            isPrivate: file.noteKeys != nil,
            details: try vault.sealer.details(details, file.id, note: file.note, file.noteKeys))
    }

    /// Makes the record that an attachment gets when its content moves to another file.
    public func resealed(_ attachment: Attachment, _ file: NewObject, _ sealed: SealedObject) throws(VaultError)
        -> ResealedAttachment
    {
        try vault.read { index in
            let (old, noteKeys, _) = try index.stored(attachment.id, of: attachment.note)
            let details = try index.sealer.details(of: old, noteKeys)
            guard details == attachment.details else { throw VaultError(.attachmentsChanged) }
            return ResealedAttachment(record: try self.record(file, sealed, details), epoch: file.epoch, replaced: old)
        }
    }

    /// Attaches contents to a note, as one change.
    ///
    /// - Throws: as the other `add`.
    public func add(_ contents: [AddedContent], to note: NoteID) throws(VaultError) -> [Attachment] {
        var made: [(file: NewObject, sealed: SealedObject, details: AttachmentDetails)] = []
        for content in contents {
            let file = try newObject(for: note)
            var details = AttachmentDetails(
                kind: content.kind, name: AttachmentName.clean(content.name), mediaType: content.mediaType,
                byteCount: UInt64(content.bytes.count),
                created: Machine.now)
            details.caption = content.caption
            let sealed: SealedObject
            do throws(ObjectError) { sealed = try Self.seal(content.bytes, into: file) } catch {
                throw VaultError(error.code == .noRoom ? .readOnly : .saveFailed)
            }
            try file.sync()
            made.append((file, sealed, details))
        }
        return try add(made, to: note)
    }

    /// Reads all of an attachment's content, for what fits into memory.
    ///
    /// - Parameter byteCountMax: larger ones are refused with `.tooLarge`.
    public func bytes(of attachment: Attachment, byteCountMax: UInt64 = 64 << 20) throws(VaultError) -> [UInt8] {
        guard attachment.details.byteCount <= byteCountMax else { throw VaultError(.tooLarge) }
        let content = try content(of: attachment.id, note: attachment.note)
        var bytes = [UInt8](repeating: 0, count: Int(attachment.details.byteCount))
        do throws(ObjectError) {
            let reader = try content.reader()
            try unsafe bytes.withUnsafeMutableBufferPointer { target throws(ObjectError) in
                try unsafe reader.read(0..<content.details.byteCount, into: UnsafeMutableRawBufferPointer(target))
            }
        } catch { throw VaultError(error.code == .notAuthentic ? .integrity : .saveFailed) }
        return bytes
    }

    private static func seal(_ bytes: [UInt8], into file: NewObject) throws(ObjectError) -> SealedObject {
        let memory = vs_memory_file()
        guard memory >= 0 else { throw ObjectError(.io, systemError: errno) }
        defer { Glibc.close(memory) }
        var done = 0
        while done < bytes.count {
            let put = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(memory, $0.baseAddress! + done, $0.count - done)
            }
            guard put > 0 else { throw ObjectError(.io, systemError: errno) }
            done += put
        }
        return try ObjectWriter.seal(
            from: memory, to: file.descriptor, layers: file.layers, byteCountMax: UInt64(bytes.count)
        ) { _ in true }
    }
}

extension OpenVault {
    var objects: ObjectFolder { ObjectFolder(directory) }
    var sealer: AttachmentSealer { AttachmentSealer(layer: layer) }
}

extension IndexAccess {
    // MARK: Rows

    func attachment(_ id: AttachmentID, of note: NoteID) throws -> Attachment {
        let (record, noteKeys, _) = try stored(id, of: note)
        let details = try sealer.details(of: record, noteKeys)
        return Attachment(
            id: id, note: note, details: details, fileByteCount: record.fileByteCount, isPrivate: record.isPrivate)
    }

    /// Reads an attachment's row: its record, its note's key if that is unlocked, the epoch of its file's key.
    func stored(
        _ id: AttachmentID, of note: NoteID
    ) throws -> (record: AttachmentRecord, noteKeys: NoteKeys?, epoch: UInt32) {
        let found = try SpareTable.attachment.read(database) { table in
            try database.cachedStatement("SELECT sealed, epoch FROM \(table) WHERE id = ? AND note = ?")
                .row([id.bytes.blob, note.bytes.blob])
        }
        guard let row = found else { throw VaultError(.noAttachment) }
        return (
            try sealer.open(try row.bytes("sealed"), id, note: note), records.keyring[note]?.keys,
            UInt32(clamping: try row.integer("epoch"))
        )
    }

    fileprivate func keyIsStill(_ file: NewObject) throws -> Bool {
        // Nothing comes in under a key that was rotated meanwhile.
        guard file.epoch == layer.epoch else { return false }
        let current = try isPrivate(file.note) ? records.keyring[file.note]?.keys : nil
        return current === file.noteKeys
    }
}

extension Transaction {
    /// Writes an attachment's row, or replaces it where it is.
    ///
    /// - Parameter epoch: of the key that the file is under.
    func insert(_ record: AttachmentRecord, epoch: UInt32) throws {
        // In its place: a rotation finds rows by their numbers.
        let statement = """
            INSERT INTO attachment(id, note, object, sealed, epoch) VALUES(?, ?, ?, ?, ?)
            ON CONFLICT(id) DO UPDATE SET note = excluded.note, object = excluded.object, sealed = excluded.sealed, epoch = excluded.epoch
            """
        let (id, note, object) = (record.id.bytes.blob, record.noteID.bytes.blob, record.object.bytes.blob)
        let sealed = try sealer.seal(record).blob
        try database.cachedStatement(statement).execute(arguments: [id, note, object, sealed, Int64(epoch)])
        try needObject(record.object)
    }
}
