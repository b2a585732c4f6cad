// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// A private note's key of one epoch and the keys that are derived from it, each for one use. Spec: docs/format.md §18.
final class NoteKeys: Sendable {
    let root: SymmetricKey
    /// From 1; one more with each new key.
    let epoch: UInt32
    let record: SymmetricKey
    let draftKey: SymmetricKey
    let draftFields: SymmetricKey
    let attachment: SymmetricKey
    let attachmentRecord: SymmetricKey
    let thumbnail: SymmetricKey

    /// - Throws: `CryptoError.libraryFailure`.
    init(_ root: SymmetricKey, epoch: UInt32) throws(CryptoError) {
        self.root = root
        self.epoch = epoch
        record = try root.subkey(.innerRecord)
        draftKey = try root.subkey(.innerDraftKey)
        draftFields = try root.subkey(.innerDraftFields)
        attachment = try root.subkey(.innerAttachment)
        attachmentRecord = try root.subkey(.innerAttachmentRecord)
        thumbnail = try root.subkey(.innerThumbnail)
    }
}
