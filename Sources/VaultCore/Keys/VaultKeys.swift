// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultCrypto
internal import VaultFormat

/// `VaultKeys` holds the vault key of one epoch and the keys that are derived from it, each for one use.
public struct VaultKeys: Sendable {
    let root: SymmetricKey
    let headerMAC: SymmetricKey
    let manifest: SymmetricKey
    let indexPage: SymmetricKey
    let indexLog: SymmetricKey
    let record: SymmetricKey
    let draftKey: SymmetricKey
    let privateRecord: SymmetricKey
    let noteKeyslot: SymmetricKey
    let attachment: SymmetricKey
    let attachmentRecord: SymmetricKey
    let thumbnail: SymmetricKey
    let rotation: SymmetricKey
    let backup: SymmetricKey

    /// Derives the other keys from the vault key.
    ///
    /// - Throws: `CryptoError.libraryFailure`.
    public init(_ root: SymmetricKey) throws(CryptoError) {
        self.root = root
        headerMAC = try root.subkey(.headerMAC)
        manifest = try root.subkey(.manifest)
        indexPage = try root.subkey(.indexPage)
        indexLog = try root.subkey(.indexLog)
        record = try root.subkey(.record)
        draftKey = try root.subkey(.draftKey)
        privateRecord = try root.subkey(.privateRecord)
        noteKeyslot = try root.subkey(.noteKeyslot)
        attachment = try root.subkey(.attachment)
        attachmentRecord = try root.subkey(.attachmentRecord)
        thumbnail = try root.subkey(.thumbnail)
        rotation = try root.subkey(.rotation)
        backup = try root.subkey(.backup)
    }

    /// Gives the key of what is sealed in rows of the index.
    subscript(kind: Context.Kind) -> SymmetricKey {
        switch kind {
        case .record: record
        case .privateRecord: privateRecord
        case .noteKeyslot: noteKeyslot
        case .draftKey: draftKey
        case .attachmentRecord: attachmentRecord
        case .thumbnail: thumbnail
        case .rotation, .formerRemoteKey: rotation
        case .keyslot, .manifest, .indexPage, .indexLog, .draft, .innerRecord, .noteKey, .innerDraftKey,
            .innerDraftFields, .innerAttachmentRecord, .attachment, .innerAttachment, .innerThumbnail, .archive,
            .snapshot, .segment, .span, .card, .objectPart:
            preconditionFailure("no row of the index holds this kind under a key of the vault")
        }
    }
}
