// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// An entry of the writer's chain (docs/format.md §10) as it tells it: without the device, which the segment has, and
/// without the hash of the entry before, which its own chain alone needs.
///
/// ```
/// UInt64 sequence | UInt8 operation | noteID 10 bytes | revisionID 16 bytes | UInt8 count, parent 16 bytes…
/// ```
/// Spec: docs/format.md §25.6.
public struct ToldEntry: Sendable, Equatable {
    /// In the writer's chain, from 1.
    public var sequence: UInt64
    /// Never a drop: what one device has thinned out is its own business.
    public var operation: Entry.Operation
    public var noteID: NoteID
    public var revisionID: RevisionID
    public var parents: [RevisionID]

    public init(
        sequence: UInt64, operation: Entry.Operation, noteID: NoteID, revisionID: RevisionID, parents: [RevisionID]
    ) {
        self.sequence = sequence
        self.operation = operation
        self.noteID = noteID
        self.revisionID = revisionID
        self.parents = parents
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        sequence = try reader.u64()
        guard sequence > 0 else { throw FormatError(.notCanonical, offset: 0) }
        guard let operation = Entry.Operation(rawValue: try reader.u8()) else {
            throw FormatError(.unknownKind, offset: 8)
        }
        guard operation != .drop else { throw FormatError(.notCanonical, offset: 8) }
        self.operation = operation
        noteID = try NoteID(reader.bytes(NoteID.byteCount))
        revisionID = try RevisionID(reader.bytes(RevisionID.byteCount))
        let count = try reader.u8()
        parents = []
        for _ in 0..<count { parents.append(try RevisionID(reader.bytes(RevisionID.byteCount))) }
        guard Set(parents).count == parents.count else { throw FormatError(.duplicate, offset: 35) }
    }

    func encode(to writer: inout ByteWriter) {
        writer.u64(sequence)
        writer.u8(operation.rawValue)
        writer.raw(noteID.bytes)
        writer.raw(revisionID.bytes)
        writer.u8(UInt8(parents.count))
        for parent in parents { writer.raw(parent.bytes) }
    }
}

/// Says again what a note's keyslot, revisions and attachments are, after its password, a caption or a file was
/// changed: the same identifiers with other content. What follows takes the place of what was said before.
///
/// ```
/// statement 24 bytes | noteID 10 bytes
/// ```
public struct NoteRenewal: Sendable, Equatable {
    public var statement: StatementID
    public var noteID: NoteID

    public init(statement: StatementID, noteID: NoteID) {
        self.statement = statement
        self.noteID = noteID
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        statement = try StatementID(from: &reader)
        noteID = try NoteID(reader.bytes(NoteID.byteCount))
    }

    func encode(to writer: inout ByteWriter) {
        statement.encode(to: &writer)
        writer.raw(noteID.bytes)
    }
}

/// Says which object holds an attachment's content, once all of its parts are in the remote. It is sealed under the
/// epoch of the segment that says so.
///
/// ```
/// attachmentID 16 bytes | noteID 10 bytes | object name 32 bytes | UInt64 fileByteCount | commitment 32 bytes
/// ```
/// Spec: docs/format.md §25.7.
public struct ToldObject: Sendable, Equatable {
    public var attachmentID: AttachmentID
    public var noteID: NoteID
    public var object: ObjectName
    /// Exact size of the object, in bytes: from it follow its parts.
    public var fileByteCount: UInt64
    /// Bytes 24 to 55 of it: it is this one and no other under any key.
    public var commitment: [UInt8]

    public init(
        attachmentID: AttachmentID, noteID: NoteID, object: ObjectName, fileByteCount: UInt64, commitment: [UInt8]
    ) {
        self.attachmentID = attachmentID
        self.noteID = noteID
        self.object = object
        self.fileByteCount = fileByteCount
        self.commitment = commitment
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        attachmentID = try AttachmentID(reader.bytes(AttachmentID.byteCount))
        noteID = try NoteID(reader.bytes(NoteID.byteCount))
        object = try ObjectName(reader.bytes(ObjectName.byteCount))
        let at = reader.offset
        fileByteCount = try reader.u64()
        guard PartList(fileByteCount: fileByteCount) != nil else { throw FormatError(.notCanonical, offset: at) }
        commitment = try reader.bytes(AttachmentRecord.commitmentByteCount)
    }

    func encode(to writer: inout ByteWriter) {
        writer.raw(attachmentID.bytes)
        writer.raw(noteID.bytes)
        writer.raw(object.bytes)
        writer.u64(fileByteCount)
        writer.raw(commitment)
    }
}

/// A small picture of an attachment (docs/format.md §19); of a private note its inner layer.
///
/// ```
/// attachmentID 16 bytes | noteID 10 bytes | flag isPrivate | byte string content
/// ```
public struct ToldThumbnail: Sendable, Equatable {
    /// Largest content, in bytes.
    public static let byteCountMax = 1 << 20

    public var attachmentID: AttachmentID
    public var noteID: NoteID
    public var isPrivate: Bool
    public var content: [UInt8]

    public init(attachmentID: AttachmentID, noteID: NoteID, isPrivate: Bool, content: [UInt8]) {
        self.attachmentID = attachmentID
        self.noteID = noteID
        self.isPrivate = isPrivate
        self.content = content
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        attachmentID = try AttachmentID(reader.bytes(AttachmentID.byteCount))
        noteID = try NoteID(reader.bytes(NoteID.byteCount))
        isPrivate = try reader.flag()
        content = try reader.lengthPrefixed(max: Self.byteCountMax)
    }

    func encode(to writer: inout ByteWriter) {
        writer.raw(attachmentID.bytes)
        writer.raw(noteID.bytes)
        writer.flag(isPrivate)
        writer.lengthPrefixed(content)
    }
}
