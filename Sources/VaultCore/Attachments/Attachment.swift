// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// A file that belongs to a note: it goes to the trash, comes back and is purged with it.
public struct Attachment: Sendable, Equatable {
    public var id: AttachmentID
    public var note: NoteID
    public var details: AttachmentDetails
    /// Of the sealed file, in bytes.
    public var fileByteCount: UInt64
    public var isPrivate: Bool

    public var name: String { details.name }
}

/// An attachment's record for a new file of it, when its note is sealed under another key.
public struct ResealedAttachment: Sendable {
    let record: AttachmentRecord
    /// Of the vault's key that its file is under.
    let epoch: UInt32
    /// What it is made from: it must still be so when it takes its place.
    let replaced: AttachmentRecord

    public var id: AttachmentID { record.id }
}
