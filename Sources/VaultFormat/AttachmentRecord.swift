// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `AttachmentRecord` is an attachment as the vault's layer has it: which file holds it, and what it is.
///
/// ```
/// UInt16 version (1) | attachmentID 16 bytes | noteID 10 bytes | object name 32 bytes | UInt64 fileByteCount
/// | commitment 32 bytes
/// | flag isPrivate | byte string details
/// ```
/// `details` is `AttachmentDetails`; of a private note, padded and sealed under a subkey of the note's key. Spec:
/// docs/format.md §19.
public struct AttachmentRecord: Sendable, Equatable {
    public static let version: UInt16 = 1
    public static let commitmentByteCount = 32
    public static let detailsByteCountMax = 64 << 10

    public var id: AttachmentID
    public var noteID: NoteID
    public var object: ObjectName
    /// Size of the file in `objects/`, in bytes.
    public var fileByteCount: UInt64
    /// Bytes 24 to 55 of that file: it is this one and no other under any key.
    public var commitment: [UInt8]
    public var isPrivate: Bool
    public var details: [UInt8]

    public init(
        id: AttachmentID, noteID: NoteID, object: ObjectName, fileByteCount: UInt64, commitment: [UInt8],
        isPrivate: Bool, details: [UInt8]
    ) {
        self.id = id
        self.noteID = noteID
        self.object = object
        self.fileByteCount = fileByteCount
        self.commitment = commitment
        self.isPrivate = isPrivate
        self.details = details
    }

    /// Reads the record of an attachment.
    ///
    /// - Throws: `FormatError`.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        guard try reader.u16() == Self.version else { throw FormatError(.unknownVersion, offset: 0) }
        id = try AttachmentID(reader.bytes(AttachmentID.byteCount))
        noteID = try NoteID(reader.bytes(NoteID.byteCount))
        object = try ObjectName(reader.bytes(ObjectName.byteCount))
        fileByteCount = try reader.u64()
        commitment = try reader.bytes(Self.commitmentByteCount)
        isPrivate = try reader.flag()
        details = try reader.lengthPrefixed(max: Self.detailsByteCountMax)
        try reader.end()
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 128 + details.count)
        writer.u16(Self.version)
        writer.raw(id.bytes)
        writer.raw(noteID.bytes)
        writer.raw(object.bytes)
        writer.u64(fileByteCount)
        writer.raw(commitment)
        writer.flag(isPrivate)
        writer.lengthPrefixed(details)
        return writer.bytes
    }
}
