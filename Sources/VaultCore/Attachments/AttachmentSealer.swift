// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedObjects
internal import VaultCrypto
internal import VaultFormat

/// An `AttachmentSealer` seals attachments' records and says under which keys their files are. Spec: docs/format.md
/// §19.
struct AttachmentSealer {
    let layer: VaultLayer

    func seal(_ record: AttachmentRecord) throws -> [UInt8] {
        try layer.seal(Padme.pad(record.encoded), .attachmentRecord(record.id, record.noteID))
    }

    /// Opens the sealed record of an attachment.
    ///
    /// - Throws: `VaultError.integrity` for anything that is not this attachment's of this note.
    func open(_ sealed: [UInt8], _ id: AttachmentID, note: NoteID) throws(VaultError) -> AttachmentRecord {
        guard let padded = layer.open(sealed, .attachmentRecord(id, note)),
            let content = try? Padme.unpad(padded), let record = try? AttachmentRecord(parsing: content),
            record.id == id, record.noteID == note
        else { throw VaultError(.integrity) }
        return record
    }

    /// Makes the field `details` of a record: as it is, or under the note's key.
    func details(_ details: AttachmentDetails, _ id: AttachmentID, note: NoteID, _ noteKeys: NoteKeys?) throws
        -> [UInt8]
    {
        guard let noteKeys else { return details.encoded }
        return try Cobblestone().seal(
            Padme.pad(details.encoded), key: noteKeys.attachmentRecord, context: innerRecordContext(id, note, noteKeys))
    }

    /// Opens the field `details` of a record.
    ///
    /// - Throws: `VaultError.noteLocked`, `.integrity`.
    func details(of record: AttachmentRecord, _ noteKeys: NoteKeys?) throws(VaultError) -> AttachmentDetails {
        var content = record.details
        if record.isPrivate {
            guard let noteKeys else { throw VaultError(.noteLocked) }
            let context = innerRecordContext(record.id, record.noteID, noteKeys)
            guard
                let padded = try? Cobblestone().open(record.details, key: noteKeys.attachmentRecord, context: context),
                let unpadded = try? Padme.unpad(padded)
            else { throw VaultError(.integrity) }
            content = unpadded
        }
        guard let details = try? AttachmentDetails(parsing: content) else { throw VaultError(.integrity) }
        return details
    }

    /// Returns the layers of an attachment's file, the outer one first.
    ///
    /// - Parameter epoch: of the vault's key that the file is under.
    /// - Throws: `VaultError.integrity` for an epoch whose key is not at hand.
    func layers(
        _ object: ObjectName, _ id: AttachmentID, note: NoteID, epoch: UInt32, _ noteKeys: NoteKeys?
    ) throws(VaultError) -> [SealLayer] {
        let outer = try outerLayer(object, id, epoch: epoch)
        guard let noteKeys else { return [outer] }
        // The inner one outlives the file: a rotation moves it into another.
        let inner = Context(
            kind: .innerAttachment, vaultID: layer.vaultID, objectID: id.bytes, role: note.bytes, epoch: noteKeys.epoch)
        return [outer, SealLayer(key: noteKeys.attachment, context: inner.encoded)]
    }

    /// Returns the vault's layer of an attachment's file, bound to the file's own name, so that no file opens in
    /// another's place.
    func outerLayer(_ object: ObjectName, _ id: AttachmentID, epoch: UInt32) throws(VaultError) -> SealLayer {
        // A file of the epoch before counts only where a row of this one says so, while a rotation runs.
        guard let keys = epoch == layer.epoch ? layer.keys : epoch == layer.epoch - 1 ? layer.previous : nil else {
            throw VaultError(.integrity)
        }
        let context = Context(
            kind: .attachment, vaultID: layer.vaultID, objectID: object.bytes, role: id.bytes, epoch: epoch)
        return SealLayer(key: keys.attachment, context: context.encoded)
    }

    private func innerRecordContext(_ id: AttachmentID, _ note: NoteID, _ noteKeys: NoteKeys) -> [UInt8] {
        Context(
            kind: .innerAttachmentRecord, vaultID: layer.vaultID, objectID: id.bytes, role: note.bytes,
            epoch: noteKeys.epoch
        ).encoded
    }
}
