// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedObjects
internal import VaultCrypto
internal import VaultFormat

/// Seals attachments' records and says under which keys their files are. Spec: docs/format.md §19.
struct AttachmentSealer {
    let keys: VaultKeys
    let vaultID: VaultID
    let epoch: UInt32

    func seal(_ record: AttachmentRecord) throws -> [UInt8] {
        try Cobblestone().seal(Padme.pad(record.encoded), key: keys.attachmentRecord, context: recordContext(record.id, record.noteID))
    }

    /// - Throws: `VaultError.integrity` for anything that is not this attachment's of this note.
    func open(_ sealed: [UInt8], _ id: AttachmentID, note: NoteID) throws(VaultError) -> AttachmentRecord {
        guard let padded = try? Cobblestone().open(sealed, key: keys.attachmentRecord, context: recordContext(id, note)),
            let content = try? Padme.unpad(padded), let record = try? AttachmentRecord(parsing: content), record.id == id, record.noteID == note
        else { throw VaultError(.integrity) }
        return record
    }

    /// The field `details` of a record: as it is, or under the note's key.
    func details(_ details: AttachmentDetails, _ id: AttachmentID, note: NoteID, _ noteKeys: NoteKeys?) throws -> [UInt8] {
        guard let noteKeys else { return details.encoded }
        return try Cobblestone().seal(
            Padme.pad(details.encoded), key: noteKeys.attachmentRecord, context: innerRecordContext(id, note, noteKeys))
    }

    /// - Throws: `VaultError.noteLocked`, `.integrity`.
    func details(of record: AttachmentRecord, _ noteKeys: NoteKeys?) throws(VaultError) -> AttachmentDetails {
        var content = record.details
        if record.isPrivate {
            guard let noteKeys else { throw VaultError(.noteLocked) }
            let context = innerRecordContext(record.id, record.noteID, noteKeys)
            guard let padded = try? Cobblestone().open(record.details, key: noteKeys.attachmentRecord, context: context),
                let unpadded = try? Padme.unpad(padded)
            else { throw VaultError(.integrity) }
            content = unpadded
        }
        guard let details = try? AttachmentDetails(parsing: content) else { throw VaultError(.integrity) }
        return details
    }

    /// The layers of an attachment's file, the outer one first.
    func layers(_ object: ObjectName, _ id: AttachmentID, note: NoteID, _ noteKeys: NoteKeys?) -> [SealLayer] {
        // Bound to the file's own name, so that no file opens in another's place.
        let outer = Context(kind: .attachment, vaultID: vaultID, objectID: object.bytes, role: id.bytes, epoch: epoch)
        guard let noteKeys else { return [SealLayer(key: keys.attachment, context: outer.encoded)] }
        // The inner one outlives the file: a rotation moves it into another.
        let inner = Context(kind: .innerAttachment, vaultID: vaultID, objectID: id.bytes, role: note.bytes, epoch: noteKeys.epoch)
        return [SealLayer(key: keys.attachment, context: outer.encoded), SealLayer(key: noteKeys.attachment, context: inner.encoded)]
    }

    private func recordContext(_ id: AttachmentID, _ note: NoteID) -> [UInt8] {
        Context(kind: .attachmentRecord, vaultID: vaultID, objectID: id.bytes, role: note.bytes, epoch: epoch).encoded
    }

    private func innerRecordContext(_ id: AttachmentID, _ note: NoteID, _ noteKeys: NoteKeys) -> [UInt8] {
        Context(kind: .innerAttachmentRecord, vaultID: vaultID, objectID: id.bytes, role: note.bytes, epoch: noteKeys.epoch).encoded
    }
}
