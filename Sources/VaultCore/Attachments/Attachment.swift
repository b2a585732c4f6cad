// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
public import SealedObjects
public import VaultFormat

/// An `Attachment` is a file that belongs to a note: it goes to the trash, comes back and is purged with it.
public struct Attachment: Sendable, Equatable {
    public var id: AttachmentID
    public var note: NoteID
    public var details: AttachmentDetails
    /// Of the sealed file, in bytes.
    public var fileByteCount: UInt64
    public var isPrivate: Bool

    public var name: String { details.name }
}

/// A `ResealedAttachment` is an attachment's record for a new file of it, when its note is sealed under another key.
public struct ResealedAttachment: Sendable {
    let record: AttachmentRecord
    /// Of the vault's key that its file is under.
    let epoch: UInt32
    /// What it is made from: it must still be so when it takes its place.
    let replaced: AttachmentRecord

    public var id: AttachmentID { record.id }
}

/// An `AttachmentContent` is an attachment's file, open to be read. It can be read on any thread, and whatever becomes
/// of the note meanwhile.
public final class AttachmentContent: @unchecked Sendable {
    public let details: AttachmentDetails
    public let fileByteCount: UInt64
    public let isPrivate: Bool
    private let file: Int32
    private let layers: [SealLayer]
    private let commitment: [UInt8]

    init(file: Int32, record: AttachmentRecord, details: AttachmentDetails, layers: [SealLayer]) {
        self.file = file
        self.details = details
        self.layers = layers
        fileByteCount = record.fileByteCount
        commitment = record.commitment
        isPrivate = record.isPrivate
    }

    deinit { close(file) }

    /// Opens the file to be read.
    ///
    /// - Throws: `ObjectError.notAuthentic` when the file is not the one that the record names.
    public func reader() throws(ObjectError) -> ObjectReader {
        try ObjectReader(
            file: file, layers: layers, fileByteCount: fileByteCount, commitment: commitment,
            contentByteCount: details.byteCount)
    }
}
