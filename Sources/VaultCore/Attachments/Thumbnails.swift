// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultCrypto
public import VaultFormat

/// This extension keeps small pictures of attachments, made once and kept sealed as their attachments are. Spec:
/// docs/format.md §19.
extension Attachments {
    /// Returns a thumbnail's bytes, in the form they were given.
    ///
    /// - Returns: nil when none was made yet.
    /// - Throws: `VaultError.noteLocked`, `.integrity`.
    public func thumbnail(of id: AttachmentID, note: NoteID) throws(VaultError) -> [UInt8]? {
        try vault.read { try $0.thumbnail(id, of: note) }
    }

    /// Seals a thumbnail and saves it with its attachment.
    ///
    /// - Throws: `VaultError.noAttachment` when it is gone, `.noteLocked`, `.readOnly`, `.saveFailed`.
    public func saveThumbnail(_ bytes: [UInt8], of id: AttachmentID, note: NoteID) throws(VaultError) {
        try vault.write { try $0.saveThumbnail(bytes, id, of: note) }
    }
}

extension IndexAccess {
    func thumbnail(_ id: AttachmentID, of note: NoteID) throws -> [UInt8]? {
        let statement = try database.cachedStatement("SELECT sealed FROM thumbnail WHERE attachment = ?")
        guard let row = try statement.row([id.bytes.blob]) else { return nil }
        let noteKeys = try thumbnailKeys(id, note)
        guard let padded = layer.open(try row.bytes("sealed"), .thumbnail(id, note)),
            var content = try? Padme.unpad(padded)
        else {
            throw VaultError(.integrity)
        }
        if let noteKeys {
            let context = innerThumbnailContext(id, note, noteKeys.epoch)
            guard let inner = try? Cobblestone().open(content, key: noteKeys.thumbnail, context: context),
                let unpadded = try? Padme.unpad(inner)
            else {
                throw VaultError(.integrity)
            }
            content = unpadded
        }
        return content
    }

    /// Returns the key of the inner layer; nil for an ordinary note.
    fileprivate func thumbnailKeys(_ id: AttachmentID, _ note: NoteID) throws -> NoteKeys? {
        let (record, noteKeys, _) = try stored(id, of: note)
        guard record.isPrivate else { return nil }
        guard let noteKeys else { throw VaultError(.noteLocked) }
        return noteKeys
    }

    fileprivate func innerThumbnailContext(_ id: AttachmentID, _ note: NoteID, _ epoch: UInt32) -> [UInt8] {
        Context(kind: .innerThumbnail, vaultID: layer.vaultID, objectID: id.bytes, role: note.bytes, epoch: epoch)
            .encoded
    }
}

extension Transaction {
    func saveThumbnail(_ bytes: [UInt8], _ id: AttachmentID, of note: NoteID) throws {
        var content = bytes
        if let noteKeys = try thumbnailKeys(id, note) {
            let context = innerThumbnailContext(id, note, noteKeys.epoch)
            content = try Cobblestone().seal(Padme.pad(content), key: noteKeys.thumbnail, context: context)
        }
        let sealed = try layer.seal(Padme.pad(content), .thumbnail(id, note))
        try database.execute(
            sql: "INSERT OR REPLACE INTO thumbnail VALUES(?, ?)", arguments: [id.bytes.blob, sealed.blob])
    }
}
