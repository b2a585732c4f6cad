// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Context` holds what a sealed object is and where it belongs. The seal binds these bytes, so that no object opens in
/// another's place.
///
/// Six fields, each as UInt32 length and bytes, so that no two contexts have the same encoding: the format's name, the
/// kind, the vault's ID, the object's ID, its revision or role, the epoch. Spec: docs/format.md §4.
public struct Context: Sendable, Equatable {
    /// No two kinds share a number (docs/format.md §4).
    public enum Kind: UInt8, Sendable, CaseIterable {
        case keyslot = 1
        case manifest = 2
        case indexPage = 3
        case indexLog = 4
        case record = 5
        case draftKey = 6
        case draft = 7
        /// A private note's revision in the vault's layer, and in the note's own.
        case privateRecord = 8
        case innerRecord = 9
        /// A private note's keyslot in the vault's layer, and the key that it wraps.
        case noteKeyslot = 10
        case noteKey = 11
        /// The key of a private note's draft, in the note's own layer, and what a new one is to be called.
        case innerDraftKey = 12
        case innerDraftFields = 19
        case attachmentRecord = 13
        case innerAttachmentRecord = 14
        case attachment = 15
        case innerAttachment = 16
        case thumbnail = 17
        case innerThumbnail = 18
        /// The vault's key of the epoch before, while a rotation runs.
        case rotation = 20
        /// An archive's stream, and what one snapshot of a backup consists of.
        case archive = 21
        case snapshot = 22
        /// What devices say to each other in a remote. A part's context seals nothing: its name is made of it.
        case segment = 23
        case span = 24
        case card = 25
        case objectPart = 26
        /// A key of what lies in a remote, of the epoch before.
        case formerRemoteKey = 27
    }

    public static let format = Array("vault/v1".utf8)

    public var kind: Kind
    public var vaultID: VaultID
    public var objectID: [UInt8]
    public var role: [UInt8]
    public var epoch: UInt32

    public init(kind: Kind, vaultID: VaultID, objectID: [UInt8] = [], role: [UInt8] = [], epoch: UInt32) {
        self.kind = kind
        self.vaultID = vaultID
        self.objectID = objectID
        self.role = role
        self.epoch = epoch
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 96)
        writer.lengthPrefixed(Self.format)
        writer.lengthPrefixed([kind.rawValue])
        writer.lengthPrefixed(vaultID.bytes)
        writer.lengthPrefixed(objectID)
        writer.lengthPrefixed(role)
        writer.u32(4)
        writer.u32(epoch)
        return writer.bytes
    }
}
